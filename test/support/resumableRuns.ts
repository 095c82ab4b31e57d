import { openaiBackgroundRun, interactionRun, type FakeRun, type FakeRunOptions } from 'rx-model-stream/testing/node';
import { geminiInteractions, openaiResponses, parseSSE, type Payload, type Provider } from 'rx-model-stream';
import { stepIn } from '../../providers/geminiInteractions/eventTypes';
import { numberIn, objectIn, objectOf, present, type WireObject } from '../../src/wire';
import { payloadsIn } from './fakeService';
import type { WireSample } from './fixtures';
import { framesOf, readBody, readFrames } from './frames';

/** A service whose runs can be gone on with. */
export interface ResumableService {
  readonly provider: () => Provider;
  /** The path of the request that creates a run. */
  readonly path: string;
  readonly run: (body: string, options?: FakeRunOptions) => FakeRun;
}

export const BACKGROUND_RESPONSES: ResumableService = {
  provider: () => openaiResponses(),
  path: '/v1/responses',
  run: (body, options) =>
    openaiBackgroundRun(body, { whole: wholeOf(body, openaiResponses(), 'response'), ...options }),
};

export const INTERACTIONS: ResumableService = {
  provider: () => geminiInteractions(),
  path: '/v1beta/interactions',
  run: (body, options) =>
    interactionRun(body, { whole: wholeOf(body, geminiInteractions(), 'interaction'), ...options }),
};

/** Streams of which a whole answer does not tell the same, and why. */
const NOT_WHOLE: ReadonlySet<string> = new Set([
  ...['hops.sse', 'hop-then-call.sse', 'pause-without-token.sse', 'truncated-in-second-hop.sse'], // what is kept of hops is not known
  ...['overlapping-steps.sse', 'steps-missing-in-stream.sse'], // blocks are in the order in which they were first seen
  'annotations.sse', // so are citations
  'arguments.sse', // cut arguments are no object
  'repeated-index.sse', // two steps in one place
  'unknown.sse', // nobody knows what is kept of it
  ...['completed-in-progress.sse', 'completed-queued.sse'], // they end without being finished
  'agents.sse', // several agents count places of their own, the whole response has one list
  'image-generation.sse', // a text without words, which is a block only where it is streamed
]);

/** Whether the whole answer tells what the fixture of this name streams. */
export function isToldWhole(name: string): boolean {
  return !NOT_WHOLE.has(name);
}

/** What the service knows of the answer in the end: what the last event says, and everything that was streamed. */
function wholeOf(body: string, provider: Provider, field: 'response' | 'interaction'): WireObject {
  const last = payloadsIn(body)
    .map(({ value }) => objectIn(objectOf(value), field))
    .filter((resource) => resource !== undefined)
    .at(-1);
  const { events } = readBody(provider, () => parseSSE(), [new TextEncoder().encode(body)]);
  const finish = events.find((event) => event.type === 'finish');
  const turn = (finish?.turn ?? []) as readonly WireObject[];
  const usage = events.filter((event) => event.type === 'usage').at(-1)?.usage.raw;
  if (field === 'response') return { object: 'response', ...last, output: turn };
  const indexed = stepsOf(payloadsIn(body), provider);
  const steps = indexed.length > 0 ? indexed : turn;
  const isTold = steps.some(({ type }) => type === 'user_input');
  const token = present({ usage, continuation_token: finish?.continuationToken });
  return { ...token, ...last, steps: isTold ? steps : [USER_INPUT, ...steps] };
}

const USER_INPUT = { type: 'user_input', content: [{ type: 'text', text: 'Hi.' }] };

/** The steps of one hop, each as it is echoed, or as it was streamed where it is not. */
function stepsOf(payloads: readonly Payload[], provider: Provider): readonly WireObject[] {
  const events = payloads.map(({ value }) => objectOf(value) ?? {});
  const indexes = [...new Set(events.map((event) => numberIn(event, 'index')))].filter((index) => index !== undefined);
  return indexes
    .sort((a, b) => a - b)
    .map((index) => {
      const own = events.filter((event) => [index, undefined].includes(numberIn(event, 'index')));
      const { events: said } = readFrames(provider, framesOf(...own));
      const finish = said.find((event) => event.type === 'finish');
      const [echo] = (finish?.turn ?? []) as readonly WireObject[];
      return (
        echo ??
        own.reduce<WireObject>((step, event) => ({ ...step, ...(stepIn(event) ?? objectIn(event, 'delta')) }), {})
      );
    });
}

/** The same events as those of a run in the background, whose numbers count. */
export function inBackground(body: string): string {
  return mapEvents(body, (event) => {
    const response = objectIn(event, 'response');
    return response ? { ...event, response: { ...response, background: true } } : event;
  });
}

/** The text of a sample that ends as it should; undefined for one that fails. */
export function finishedText(sample: WireSample, provider: Provider): string | undefined {
  const { error } = readBody(provider, () => parseSSE(), [sample.bytes()]);
  return error === undefined ? new TextDecoder().decode(sample.bytes()) : undefined;
}

/** The event stream with an `event_id` in every so manieth event and no other. */
export function withEventIds(body: string, every: number): string {
  let count = 0;
  return mapEvents(body, (event) => {
    count += 1;
    return { ...event, event_id: count % every === 0 ? `e-${count}` : undefined };
  });
}

function mapEvents(body: string, change: (event: WireObject) => WireObject): string {
  return body.replace(/^data: (\{.*\})$/gm, (_line, json: string) => {
    return `data: ${JSON.stringify(change(JSON.parse(json) as WireObject))}`;
  });
}
