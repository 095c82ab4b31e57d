import { isModelStreamError, textOf, type ModelEvent } from 'rx-model-stream';
import { textIn } from '../support/heard';
import { RESET, type Result } from './bugReport';

type Check = (result: Result) => boolean;

/** What reports assert in words, by these words. */
export const ASSERTIONS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['the made-up id is the same in every event of this call', ({ events }) => new Set(callIdsIn(events)).size === 1],
  ['the three ids differ', ({ events }) => new Set(callIdsIn(events)).size === 3],
  ["exactly one 'tool call done' for v1", ({ events }) => callEndsIn(events).length === 1],
  [
    "no 'tool call done' before the finish chunk (or the start of another call)",
    ({ events }) => callEndsIn(events).every((place) => place > events.map(isRaw).lastIndexOf(true)),
  ],
  ['exactly one finish event', ({ events }) => events.filter(({ type }) => type === 'finish').length === 1],
  [
    'exactly one finish event, caused by turnComplete',
    ({ events }) => events.map(({ type }) => type).indexOf('finish') === events.length - 1,
  ],
  [
    'the tool call is emitted before the finish',
    ({ events }) => callEndsIn(events).every((place) => place < events.findIndex(({ type }) => type === 'finish')),
  ],
  [
    'arguments are delivered once',
    ({ events, snapshot: { blocks } }) =>
      blocks.every((block, index) => block.kind !== 'tool-call' || block.arguments === deltasOf(events, index)),
  ],
  ['the original error is kept as cause', ({ error }) => error?.cause === RESET],
  [
    'deltas are passed through, and the accumulated text is exact',
    ({ events, snapshot }) => textIn(events) === textOf(snapshot),
  ],
]);

/** What reports say must never be, by their words. */
export const PROHIBITIONS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["finishReason 'stop'", ({ snapshot }) => snapshot.finishReason === 'stop'],
  ["finishReason 'tool_calls'", ({ snapshot }) => snapshot.finishReason === 'tool-calls'],
  ["error kind 'truncated' (the reason is known)", ({ error }) => error?.code === 'truncated'],
  ['both objects dropped with no error', ({ error, snapshot }) => !error && textOf(snapshot) === ''],
  ['only the first object kept with no error', ({ error, snapshot }) => !error && textOf(snapshot) === 'first '],
  ['complete with no error', ({ error }) => error === undefined],
  ['complete with no error and no finish reason', ({ error, snapshot }) => !error && !snapshot.finishReason],
  [
    "a raw SyntaxError without the library's error type",
    ({ error }) => error !== undefined && !isModelStreamError(error),
  ],
  ['the bad payload emitted as text', ({ snapshot }) => textOf(snapshot).includes('keepalive')],
  ['usage 0/0', ({ snapshot }) => snapshot.usage?.inputTokens === 0 && snapshot.usage.outputTokens === 0],
  ['text that mixes A and B', ({ snapshot }) => /A.*B|B.*A/.test(textOf(snapshot))],
  ["accumulated text 'HelHello'", ({ snapshot }) => textOf(snapshot) === 'HelHello'],
  [
    'argumentsValue {"path":"a.txt","body":"line 1"} offered as final arguments',
    ({ snapshot }) => snapshot.blocks.some((block) => block.kind === 'tool-call' && block.state === 'whole'),
  ],
]);

/** The chunk that gave no other event: in these streams the one with the finish reason. */
function isRaw({ type }: ModelEvent): boolean {
  return type === 'raw';
}

function callEndsIn(events: readonly ModelEvent[]): number[] {
  return events.flatMap((event, place) =>
    event.type === 'block-end' && event.block.kind === 'tool-call' ? [place] : [],
  );
}

function callIdsIn(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => {
    if ('block' in event) return event.block.kind === 'tool-call' ? [event.block.id] : [];
    return event.type === 'tool-call-delta' ? [event.id] : [];
  });
}

function deltasOf(events: readonly ModelEvent[], index: number): string {
  return events
    .map((event) => (event.type === 'tool-call-delta' && event.index === index ? event.argumentsDelta : ''))
    .join('');
}
