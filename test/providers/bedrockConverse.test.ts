import fc from 'fast-check';
import {
  bedrockConverse,
  isModelStreamError,
  type FinishEvent,
  type Frame,
  type ModelEvent,
  type ModelStreamError,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { hologram: { rays: 3 } };

describeProviderContract('bedrockConverse()', {
  create: bedrockConverse,
  fixtures: fixturesOf('bedrock'),
  recordings: recordingsOf('bedrock', 'aws-eventstream'),
  keepAlives: [{}, { p: 'abc' }],
  unknowns: [
    { title: 'an unknown event', payloads: [HOLOGRAM], names: ['hologram'] },
    { title: 'an event without a name', payloads: [{ contentBlockIndex: 0, delta: { text: 'Hi' } }] },
    {
      title: 'an unknown delta',
      payloads: [
        { contentBlockIndex: 0, delta: HOLOGRAM },
        { delta: HOLOGRAM },
        { contentBlockIndex: 0, delta: { reasoningContent: HOLOGRAM } },
        { contentBlockIndex: 0 },
      ],
      names: ['contentBlockDelta', 'contentBlockDelta', 'contentBlockDelta', 'contentBlockDelta'],
    },
    {
      title: 'an unknown block',
      payloads: [
        { contentBlockIndex: 1000, start: HOLOGRAM },
        { contentBlockIndex: 1000, delta: HOLOGRAM },
        { contentBlockIndex: 1000 },
      ],
      names: ['contentBlockStart', 'contentBlockDelta', 'contentBlockStop'],
    },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { text: 'b' }]] },
  ],
});

const named = (name: string, value: unknown): Frame => ({ type: 'json', name, value });
const delta = (contentBlockIndex: number, content: object): Frame =>
  named('contentBlockDelta', { contentBlockIndex, delta: content });
const start = (contentBlockIndex: number, content: object): Frame =>
  named('contentBlockStart', { contentBlockIndex, start: content });
const stop = (contentBlockIndex: number): Frame => named('contentBlockStop', { contentBlockIndex });
const STOPPED = named('messageStop', { stopReason: 'end_turn' });
const COUNTED = named('metadata', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } });

const eventsOf = (...frames: readonly Frame[]): readonly ModelEvent[] => readFrames(bedrockConverse(), frames).events;

describe('bedrockConverse().lifecycleOf tells what an event means for the life of the answer', () => {
  it.each([
    ['the start of the message', 'messageStart', { role: 'assistant' }, { phase: 'preamble' }],
    ['the start of a block', 'contentBlockStart', { contentBlockIndex: 0 }, { phase: 'content' }],
    ['a delta', 'contentBlockDelta', { contentBlockIndex: 0 }, { phase: 'content' }],
    ['the end of a block', 'contentBlockStop', {}, { phase: 'content' }],
    ['the reason', 'messageStop', { stopReason: 'end_turn' }, { phase: 'content', ending: 'possible' }],
    ['the usage', 'metadata', { usage: {} }, { phase: 'content', ending: 'final' }],
    ['metrics alone', 'metadata', { metrics: {} }, { phase: 'content' }],
    ['padding', undefined, { p: 'abc' }, { phase: 'idle' }],
    ['padding in an unknown event', 'keepAlive', { p: 'abc' }, { phase: 'idle' }],
    ['nothing', undefined, {}, { phase: 'idle' }],
    ['something unknown', 'hologram', { rays: 3 }, { phase: 'content' }],
    ['something without a name', undefined, { message: 'It is no failure.' }, { phase: 'content' }],
    ['no object', undefined, null, { phase: 'content' }],
    ['a list', undefined, [], { phase: 'content' }],
  ])('%s', (_what, name, value, lifecycle) => {
    expect(bedrockConverse().lifecycleOf({ value, ...(name !== undefined && { name }) })).toEqual(lifecycle);
  });
});

describe('bedrockConverse() reports a failure in band', () => {
  const failureOf = (name: string, value: unknown): ModelStreamError | undefined =>
    bedrockConverse().lifecycleOf({ name, value }).error;

  it.each([
    ['internalServerException', true],
    ['modelStreamErrorException', true],
    ['modelTimeoutException', true],
    ['modelNotReadyException', true],
    ['serviceUnavailableException', true],
    ['throttlingException', true],
    ['ThrottlingException', true],
    ['validationException', false],
    ['accessDeniedException', false],
    ['resourceNotFoundException', false],
    ['serviceQuotaExceededException', false],
    ['modelErrorException', false],
    ['hologramException', false],
  ])('%s, retryable: %s', (name, retryable) => {
    expect(failureOf(name, { message: 'It failed.' })?.toJSON()).toMatchObject({
      code: 'provider',
      message: 'It failed.',
      provider: 'bedrock',
      providerCode: name,
      retryable,
    });
  });

  it.each([
    ['with the message of the model', { originalMessage: 'It broke.', originalStatusCode: 500 }, 'It broke.', 500],
    [
      'with its own message before that',
      { message: 'It failed.', originalMessage: 'It broke.' },
      'It failed.',
      undefined,
    ],
    ['written in capitals', { Message: 'It failed.' }, 'It failed.', undefined],
    ['without a message', {}, 'The service reported a failure without a message', undefined],
    ['that is no object', null, 'The service reported a failure without a message', undefined],
  ])('%s', (_what, value, message, status) => {
    expect(failureOf('modelStreamErrorException', value)).toMatchObject({ message, status });
  });

  it.each([
    [{ code: 'InternalFailure', message: 'It failed.' }, 'InternalFailure', true],
    [{ code: 'ValidationError', message: 'It failed.' }, 'ValidationError', false],
    [{}, undefined, false],
  ])('as an error without a type of its own: %p', (value, providerCode, retryable) => {
    expect(failureOf('error', value)).toMatchObject({ code: 'provider', providerCode, retryable });
  });

  it('after what was complete before it', () => {
    const { events, error } = readFrames(bedrockConverse(), [
      delta(0, { text: 'Hi' }),
      named('throttlingException', { message: 'Wait' }),
    ]);
    expect(events.map(({ type }) => type)).toEqual(['response-start', 'block-start', 'text-delta']);
    expect(error).toMatchObject({ code: 'provider', providerCode: 'throttlingException' });
  });
});

describe('bedrockConverse() ends', () => {
  const finishOf = (...frames: readonly Frame[]): FinishEvent | undefined =>
    eventsOf(...frames).find((event) => event.type === 'finish');

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['content_filtered', 'content-filter'],
    ['guardrail_intervened', 'content-filter'],
    ['malformed_model_output', 'other'],
    ['malformed_tool_use', 'other'],
    ['hologram', 'other'],
    ['__proto__', 'other'],
  ])('with the reason %s as %s', (stopReason, reason) => {
    expect(finishOf(named('messageStop', { stopReason }), COUNTED)).toMatchObject({ reason, rawReason: stopReason });
  });

  it('without a word as other', () => {
    expect(finishOf(COUNTED)).toEqual({ type: 'finish', reason: 'other', turn: { role: 'assistant', content: [] } });
    expect(finishOf(named('messageStop', { stopReason: 7 }), COUNTED)?.reason).toBe('other');
  });

  it('with the body, once the message has stopped', () => {
    expect(finishOf(STOPPED)).toMatchObject({ reason: 'stop' });
  });

  it('cut, when the body ends before the message has stopped', () => {
    const { error } = readFrames(bedrockConverse(), [delta(0, { text: 'Hi' }), stop(0)]);
    expect(error).toMatchObject({ code: 'truncated', retryable: true });
  });
});

describe('bedrockConverse() tells usage', () => {
  const usageOf = (wire: unknown): TokenUsage | undefined =>
    eventsOf(STOPPED, named('metadata', { usage: wire })).find((event) => event.type === 'usage')?.usage;

  it.each([
    [
      'with cache reads and writes in the input',
      { inputTokens: 1, cacheReadInputTokens: 20, cacheWriteInputTokens: 300, outputTokens: 50, totalTokens: 371 },
      { inputTokens: 321, cachedInputTokens: 20, cacheWriteTokens: 300, outputTokens: 50, totalTokens: 371 },
    ],
    [
      'with the total of both, where the wire has another',
      { inputTokens: 1, outputTokens: 2, totalTokens: 9 },
      { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    ],
    ['with the total of the wire, where it is all there is', { totalTokens: 9 }, { totalTokens: 9 }],
    ['without what is not known', { outputTokens: 5, inputTokens: null }, { outputTokens: 5 }],
    ['without anything', {}, {}],
  ])('%s', (_what, wire, known) => {
    expect(usageOf(wire)).toEqual({ ...known, raw: wire });
  });
});

describe('bedrockConverse() opens and ends blocks', () => {
  it('each by its index, however they overlap', () => {
    const ends = eventsOf(
      start(4, { toolUse: { toolUseId: 't1', name: 'a' } }),
      start(2, { toolUse: { toolUseId: 't2', name: 'b' } }),
      delta(4, { toolUse: { input: '{"n":' } }),
      delta(2, { toolUse: { input: '[]' } }),
      stop(2),
      delta(4, { toolUse: { input: '1}' } }),
      stop(4),
    ).filter((event) => event.type === 'block-end');
    expect(ends).toMatchObject([
      { index: 1, block: { id: 't2', name: 'b', arguments: '[]', state: 'whole' } },
      { index: 0, block: { id: 't1', name: 'a', arguments: '{"n":1}', state: 'whole' } },
    ]);
  });

  it('anew, where one starts whose index is open: the one before ends first', () => {
    const events = eventsOf(
      delta(0, { reasoningContent: { text: 'Hm' } }),
      start(0, { toolUse: { toolUseId: 't1', name: 'a' } }),
      start(0, { toolUse: { toolUseId: 't2', name: 'b' } }),
      stop(0),
    );
    const marks = events.flatMap((event) => ('block' in event ? [`${event.type} ${event.index}`] : []));
    expect(marks).toEqual([0, 1, 2].flatMap((index) => [`block-start ${index}`, `block-end ${index}`]));
  });

  it('but makes up no call from arguments alone, and none without a name', () => {
    const events = eventsOf(
      delta(0, { toolUse: { input: '{}' } }),
      start(1, { toolUse: { toolUseId: 't1' } }),
      delta(1, { toolUse: { input: '{}' } }),
      stop(1),
      STOPPED,
    );
    expect(events.map(({ type }) => type)).toEqual(['raw', 'raw', 'raw', 'raw', 'raw', 'response-start', 'finish']);
  });

  it('and makes up the id of a call that has none, which is not sent back', () => {
    const events = eventsOf(start(0, { toolUse: { name: 'ring' } }), stop(0), STOPPED);
    const end = events.find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ syntheticId: true, name: 'ring' });
    expect(events.at(-1)).toMatchObject({ turn: { content: [{ toolUse: { name: 'ring', input: {} } }] } });
    expect(JSON.stringify(events.at(-1))).not.toContain('toolUseId');
  });

  it('and leaves a delta of another kind than its block alone', () => {
    const events = eventsOf(delta(0, { text: 'Hi' }), delta(0, { reasoningContent: { text: 'Hm' } }), stop(0), STOPPED);
    expect(events.filter((event) => event.type === 'block-end')).toEqual([
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hi' } },
    ]);
    expect(events.filter((event) => event.type === 'raw')).toHaveLength(2);
  });

  it('and fails only with errors of its own for a body of anything', () => {
    const { error } = readFrames(bedrockConverse(), framesOf(null, 0, '', [], {}, { type: null }));
    expect(isModelStreamError(error)).toBe(true);
  });
});

/** A content block of a message, and the events in which it comes. */
interface Streamed {
  readonly block: object;
  readonly frames: (index: number) => readonly Frame[];
}

/** The text in pieces. */
const pieces = (text: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(text, { minLength: 1, maxLength: 4 });

const anyText = pieces(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 4 })).map((texts): Streamed => {
  const parts = ['.', ...texts]; // never blank
  const text = parts.join('');
  return { block: { text }, frames: (index) => [...parts.map((part) => delta(index, { text: part })), stop(index)] };
});

const anyCitedText = fc
  .array(fc.record({ title: fc.string() }), { minLength: 1, maxLength: 3 })
  .map((citations): Streamed => ({
    block: { citationsContent: { content: [{ text: 'So it is.' }], citations } },
    frames: (index) => [
      ...citations.map((citation) => delta(index, { citation })),
      delta(index, { text: 'So it is.' }),
      stop(index),
    ],
  }));

const anyReasoning = fc
  .tuple(pieces(fc.string({ minLength: 1, maxLength: 4 })), fc.base64String({ minLength: 4 }))
  .map(([texts, signature]): Streamed => ({
    block: { reasoningContent: { reasoningText: { text: texts.join(''), signature } } },
    frames: (index) => [
      ...texts.map((text) => delta(index, { reasoningContent: { text } })),
      delta(index, { reasoningContent: { signature } }),
      stop(index),
    ],
  }));

const anyRedacted = fc.base64String({ minLength: 4 }).map((redactedContent): Streamed => ({
  block: { reasoningContent: { redactedContent } },
  frames: (index) => [delta(index, { reasoningContent: { redactedContent } }), stop(index)],
}));

const anyToolUse = fc
  .tuple(fc.uuid(), fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(200), { maxLength: 4 }))
  .map(([toolUseId, value, cuts]): Streamed => {
    const input = JSON.stringify(value);
    const places = [0, ...cuts.map((cut) => Math.min(cut, input.length)).sort((a, b) => a - b), input.length];
    const parts = places.slice(1).map((end, place) => input.slice(places[place], end));
    return {
      block: { toolUse: { toolUseId, name: 'next_tide', input: JSON.parse(input) as unknown } },
      frames: (index) => [
        start(index, { toolUse: { toolUseId, name: 'next_tide' } }),
        ...parts.map((part) => delta(index, { toolUse: { input: part } })),
        stop(index),
      ],
    };
  });

const anyBlocks = fc.array(fc.oneof(anyText, anyCitedText, anyReasoning, anyRedacted, anyToolUse, anyToolUse), {
  maxLength: 6,
});

/** The events of all blocks in one stream; a block begins only after those before it have begun. */
function interleaved(blocks: readonly Streamed[], choose: (count: number) => number): Frame[] {
  const left = blocks.map(({ frames }, index) => [...frames(index)]);
  const woven: Frame[] = [];
  let begun = 0;
  for (;;) {
    const able = left.slice(0, begun + 1).filter((frames) => frames.length > 0);
    const chosen = able[choose(able.length)];
    const frame = chosen?.shift();
    if (frame === undefined) return woven;
    if (chosen === left[begun]) begun += 1;
    woven.push(frame);
  }
}

describe('the turn of bedrockConverse()', () => {
  it('is the message that was streamed, whole and in order, with parallel calls, signatures and sources', () => {
    fc.assert(
      fc.property(anyBlocks, fc.infiniteStream(fc.nat()), (blocks, numbers) => {
        const choose = (count: number): number => (count === 0 ? 0 : (numbers.next().value as number) % count);
        const { events, error } = readFrames(bedrockConverse(), [...interleaved(blocks, choose), STOPPED, COUNTED]);
        expect(error).toBeUndefined();
        expect(events.at(-1)).toMatchObject({ type: 'finish' });
        const [finish] = events.filter((event) => event.type === 'finish');
        expect(finish!.turn).toEqual({ role: 'assistant', content: blocks.map(({ block }) => block) });
      }),
      { numRuns: 300 },
    );
  });
});
