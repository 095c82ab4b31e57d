import {
  anthropic,
  isModelStreamError,
  type FinishEvent,
  type ModelStreamError,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { type: 'hologram', rays: 3 };

describeProviderContract('anthropic()', {
  create: anthropic,
  fixtures: fixturesOf('anthropic'),
  recordings: [...recordingsOf('anthropic', 'sse'), ...recordingsOf('anthropic', 'aws-eventstream')],
  keepAlives: [{ type: 'ping' }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ type: 'message_hologram', index: 0, delta: HOLOGRAM }] },
    {
      title: 'an unknown delta',
      payloads: [
        { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', rays: 3 } },
        { type: 'content_block_delta', delta: { type: 'hologram_delta', rays: 3 } },
      ],
    },
    {
      title: 'an unknown block',
      payloads: [
        { type: 'content_block_start', index: 1000, content_block: HOLOGRAM },
        { type: 'content_block_delta', index: 1000, delta: { type: 'hologram_delta', rays: 1 } },
        { type: 'content_block_stop', index: 1000 },
      ],
      inTurn: HOLOGRAM,
    },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { type: 'message_stop' }]] },
  ],
});

const START = { type: 'message_start', message: { id: 'msg_1', model: 'm-1', content: [] } };
const STOP = { type: 'message_stop' };

const eventsOf = (...payloads: readonly unknown[]) => readFrames(anthropic(), framesOf(...payloads)).events;

describe('anthropic().lifecycleOf tells what a payload means for the life of the answer', () => {
  it.each([
    ['a keep-alive', { type: 'ping' }, { phase: 'idle' }],
    ['the sentinel of a gateway', '[DONE]', { phase: 'idle' }],
    ['the start of the message', START, { phase: 'preamble' }],
    ['the start of a block', { type: 'content_block_start', index: 0 }, { phase: 'content' }],
    [
      'a stop reason, which is only remembered',
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { phase: 'content' },
    ],
    ['the terminal signal', STOP, { phase: 'content', ending: 'final' }],
    ['something unknown', { type: 'message_hologram' }, { phase: 'content' }],
    ['an object without a type', { usage: {} }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [STOP], { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(anthropic().lifecycleOf({ value })).toEqual(lifecycle);
  });

  it('leaves the name of a frame aside where the payload has a type', () => {
    expect(anthropic().lifecycleOf({ name: 'error', value: { type: 'ping' } })).toEqual({ phase: 'idle' });
  });
});

describe('anthropic() reports a failure in band', () => {
  const failureOf = (value: unknown, name?: string): ModelStreamError | undefined =>
    anthropic().lifecycleOf({ value, ...(name !== undefined && { name }) }).error;

  it.each([
    ['overloaded_error', true],
    ['api_error', true],
    ['rate_limit_error', true],
    ['timeout_error', true],
    ['invalid_request_error', false],
    ['authentication_error', false],
    ['billing_error', false],
    ['permission_error', false],
    ['not_found_error', false],
    ['conflict_error', false],
    ['request_too_large', false],
    ['memory_path_conflict_error', false],
    ['hologram_error', false],
  ])('%s, retryable: %s', (type, retryable) => {
    const failure = failureOf({ type: 'error', error: { type, message: 'It failed.' }, request_id: 'req_1' });
    expect(failure?.toJSON()).toMatchObject({
      code: 'provider',
      message: 'It failed.',
      provider: 'anthropic',
      providerCode: type,
      retryable,
      requestId: 'req_1',
    });
  });

  it.each([
    ['without its envelope', { error: { type: 'api_error', message: 'It failed.' } }, undefined],
    ['named by its frame alone', { type: undefined, message: 'It failed.' }, 'error'],
    ['without a message', { type: 'error', error: { type: 'api_error' } }, undefined],
    ['without anything', { type: 'error' }, undefined],
    ['that is no object', { type: 'error', error: 'It failed.' }, undefined],
  ])('%s', (_what, value, name) => {
    const failure = failureOf(value, name);
    expect(failure?.code).toBe('provider');
    expect(failure?.message).not.toBe('');
  });

  it('after what was complete before it, with the id of the response', () => {
    const { events, error } = readFrames(anthropic(), framesOf(START, { type: 'error', error: { type: 'api_error' } }));
    expect(events.map(({ type }) => type)).toEqual(['response-start']);
    expect(error).toMatchObject({ code: 'provider', responseId: 'msg_1' });
  });
});

describe('anthropic() ends with the last stop reason that was told', () => {
  const finishOf = (...reasons: readonly unknown[]): FinishEvent | undefined =>
    eventsOf(START, ...reasons.map((stop_reason) => ({ type: 'message_delta', delta: { stop_reason } })), STOP).find(
      (event) => event.type === 'finish',
    );

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['pause_turn', 'pause'],
    ['compaction', 'pause'],
    ['refusal', 'content-filter'],
    ['hologram', 'other'],
    ['__proto__', 'other'],
  ])('%s is %s', (stopReason, reason) => {
    expect(finishOf(stopReason)).toMatchObject({ reason, rawReason: stopReason });
  });

  it.each([
    ['a later null', ['end_turn', null], 'stop'],
    ['a later one', ['end_turn', 'refusal'], 'content-filter'],
    ['something that is no text', ['end_turn', 7, ['refusal']], 'stop'],
  ])('%s', (_what, reasons, reason) => {
    expect(finishOf(...reasons)?.reason).toBe(reason);
  });

  it('none is other, without a raw word', () => {
    expect(finishOf()).toEqual({ type: 'finish', reason: 'other', turn: { role: 'assistant', content: [] } });
  });
});

describe('anthropic() tells usage as running totals', () => {
  const usagesOf = (...wires: readonly unknown[]): TokenUsage[] =>
    eventsOf(
      { type: 'message_start', message: { id: 'msg_1', usage: wires[0] } },
      ...wires.slice(1).map((usage) => ({ type: 'message_delta', delta: {}, usage })),
      STOP,
    ).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));

  it('overwrites and never adds, and takes over what is left out or null', () => {
    const [first, second, third] = usagesOf(
      { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
      { output_tokens: 7 },
      { input_tokens: null, output_tokens: 9, cache_read_input_tokens: null },
    );
    expect(first).toMatchObject({ inputTokens: 14, outputTokens: 1, totalTokens: 15 });
    expect(second).toMatchObject({ inputTokens: 14, cachedInputTokens: 4, outputTokens: 7, totalTokens: 21 });
    expect(third).toMatchObject({ inputTokens: 14, cachedInputTokens: 4, outputTokens: 9, totalTokens: 23 });
  });

  it('believes the last number where it is smaller than before', () => {
    const usages = usagesOf(
      { input_tokens: 612, cache_read_input_tokens: 55096, output_tokens: 90 },
      { input_tokens: 28, cache_read_input_tokens: 0, output_tokens: 14 },
    );
    expect(usages[1]).toMatchObject({ inputTokens: 28, cachedInputTokens: 0, outputTokens: 14, totalTokens: 42 });
  });

  it('counts cache reads and writes as input, and thinking within the output', () => {
    const [usage] = usagesOf({
      input_tokens: 1,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 300,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 40 },
    });
    expect(usage).toMatchObject({
      inputTokens: 321,
      cachedInputTokens: 20,
      cacheWriteTokens: 300,
      outputTokens: 50,
      reasoningTokens: 40,
      totalTokens: 371,
    });
  });

  it.each([
    ['nothing but output', { output_tokens: 5 }, { outputTokens: 5 }],
    ['nothing but input', { input_tokens: 5 }, { inputTokens: 5 }],
    ['what is no number', { input_tokens: '5', output_tokens: [5], output_tokens_details: 5 }, {}],
  ])('leaves absent what is not known: %s', (_what, wire, known) => {
    expect(usagesOf(wire)).toEqual([{ ...known, raw: wire }]);
  });

  it('keeps in raw what it has no word for, merged the same way', () => {
    const iterations = [{ type: 'message' }];
    const [, last] = usagesOf({ service_tier: 'standard', output_tokens: 1 }, { output_tokens: 2, iterations });
    expect(last?.raw).toEqual({ service_tier: 'standard', output_tokens: 2, iterations });
  });

  it('says nothing where the wire says nothing', () => {
    expect(usagesOf(undefined)).toEqual([]);
    expect(usagesOf(null, null, 7)).toEqual([]);
  });
});

describe('anthropic() reads what no documented stream says', () => {
  it('begins the response even where its start is missing', () => {
    const events = eventsOf({ type: 'message_delta', delta: {}, usage: { output_tokens: 1 } }, STOP);
    expect(events.map(({ type }) => type)).toEqual(['response-start', 'usage', 'finish']);
  });

  it('fails as malformed when a second message starts before the first has stopped', () => {
    expect(readFrames(anthropic(), framesOf(START, START)).error).toMatchObject({ code: 'malformed' });
  });

  it('ignores a message after the one that has stopped', () => {
    expect(eventsOf(START, STOP, START, STOP)).toEqual(eventsOf(START, STOP));
  });

  it.each([
    ['text', { type: 'text_delta', text: 'Hi' }],
    ['reasoning', { type: 'thinking_delta', thinking: 'Hi' }],
  ])('opens a block of %s at its first delta where its start is missing', (kind, delta) => {
    const events = eventsOf(START, { type: 'content_block_delta', index: 3, delta }, STOP);
    expect(events).toContainEqual({ type: 'block-end', index: 0, block: { kind, text: 'Hi' } });
  });

  it('makes up no call from arguments alone', () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } };
    expect(eventsOf(START, delta, STOP).map(({ type }) => type)).toEqual(['response-start', 'raw', 'finish']);
  });

  it.each([
    ['after the end of its block', 0, { type: 'text_delta', text: '!' }],
    ['of another kind', 1, { type: 'thinking_delta', thinking: '!' }],
  ])('passes a delta %s on as raw', (_what, index, delta) => {
    const late = { type: 'content_block_delta', index, delta };
    const text = { type: 'text', text: 'Hi' };
    const events = eventsOf(
      START,
      { type: 'content_block_start', index: 0, content_block: text },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: text },
      late,
      STOP,
    );
    expect(events).toContainEqual({ type: 'raw', provider: 'anthropic', event: late });
    expect(events).toContainEqual({ type: 'block-end', index, block: { kind: 'text', text: 'Hi' } });
  });

  it('leaves an open block open when an unknown one starts in its place', () => {
    const events = eventsOf(
      START,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_start', index: 0, content_block: HOLOGRAM },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      STOP,
    );
    expect(events.filter(({ type }) => type === 'block-end')).toEqual([
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hi' } },
    ]);
  });

  it.each([
    ['a call whose arguments are no JSON', '{"city": "Be'],
    ['a call whose arguments have more behind them', '{} {}'],
  ])('cuts %s', (_what, partial_json) => {
    const events = eventsOf(
      START,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } },
      { type: 'content_block_stop', index: 0 },
      STOP,
    );
    const end = events.find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ kind: 'tool-call', arguments: partial_json, state: 'cut' });
  });

  it('makes up the id of a call that has none', () => {
    const call = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', name: 'ring' } };
    const [start, end] = eventsOf(START, call, STOP).filter((event) => 'block' in event);
    expect(start?.block).toMatchObject({ syntheticId: true });
    expect(end?.block).toMatchObject({ id: start?.block.kind === 'tool-call' && start.block.id, syntheticId: true });
  });

  it('fails only with errors of its own for a body of anything', () => {
    const { error } = readFrames(anthropic(), framesOf(null, 0, '', [], {}, { type: null }, { type: {} }));
    expect(isModelStreamError(error)).toBe(true);
  });
});
