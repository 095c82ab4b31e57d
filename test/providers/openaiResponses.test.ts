import { openaiResponses, type FinishEvent, type ModelStreamError, type TokenUsage } from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { type: 'hologram', id: 'hg_1000', rays: 3 };

describeProviderContract('openaiResponses()', {
  create: openaiResponses,
  fixtures: fixturesOf('openai-responses'),
  recordings: recordingsOf('openai-responses', 'sse'),
  keepAlives: [{ type: 'keepalive', sequence_number: 7 }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ type: 'response.hologram.delta', output_index: 0, delta: '~' }] },
    {
      title: 'an unknown part',
      payloads: [
        {
          type: 'response.content_part.added',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 1000,
          part: { type: 'output_hologram', rays: 3 },
        },
      ],
    },
    {
      title: 'an unknown item',
      payloads: [
        { type: 'response.output_item.added', output_index: 1000, item: { ...HOLOGRAM, rays: 0 } },
        { type: 'response.hologram_call.projecting', output_index: 1000, item_id: 'hg_1000' },
        { type: 'response.output_item.done', output_index: 1000, item: HOLOGRAM },
      ],
      inTurn: HOLOGRAM,
    },
    {
      title: 'an unknown item that is never done',
      payloads: [{ type: 'response.output_item.added', output_index: 1000, item: HOLOGRAM }],
      inTurn: HOLOGRAM,
    },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { type: 'response.completed' }]] },
  ],
});

const CREATED = { type: 'response.created', response: { id: 'resp_1', model: 'm-1' } };
const COMPLETED = { type: 'response.completed', response: { id: 'resp_1' } };

const eventsOf = (...payloads: readonly unknown[]) => readFrames(openaiResponses(), framesOf(...payloads)).events;

const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item });
const call = (fields: object) => ({ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ring', ...fields });

describe.each([openaiResponses(), openaiResponses({ session: true })])('$name, session: $session', (provider) => {
  it('gives a delta that follows the closing value of its part as raw', () => {
    const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const late = { type: 'response.output_text.delta', ...part, delta: 'Told anew' };
    const closing = { type: 'response.output_text.done', ...part, text: 'Told' };
    const { events } = readFrames(provider, framesOf(CREATED, closing, late, COMPLETED));
    expect(events.filter(({ type }) => type === 'raw')).toEqual([
      { type: 'raw', provider: provider.name, event: late },
    ]);
    expect(events.filter(({ type }) => type === 'block-end')).toMatchObject([{ block: { text: 'Told' } }]);
  });
});

describe('openaiResponses().lifecycleOf tells what a payload means for the life of the answer', () => {
  it.each([
    ['a keep-alive', { type: 'keepalive', sequence_number: 3 }, { phase: 'idle' }],
    ['the sentinel of a gateway', '[DONE]', { phase: 'idle' }],
    ['the start', CREATED, { phase: 'preamble' }],
    ['waiting', { type: 'response.queued' }, { phase: 'preamble' }],
    ['working', { type: 'response.in_progress' }, { phase: 'preamble' }],
    ['an item', { type: 'response.output_item.added' }, { phase: 'content' }],
    ['a text that is whole', { type: 'response.output_text.done' }, { phase: 'content' }],
    ['completion', COMPLETED, { phase: 'content', ending: 'final' }],
    ['an end before completion', { type: 'response.incomplete' }, { phase: 'content', ending: 'final' }],
    ['cancellation', { type: 'response.cancelled' }, { phase: 'content', ending: 'final' }],
    ['something unknown', { type: 'response.hologram' }, { phase: 'content' }],
    ['an object without a type', { usage: {} }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [COMPLETED], { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(openaiResponses().lifecycleOf({ value })).toEqual(lifecycle);
  });

  it('leaves the name of a frame aside', () => {
    expect(openaiResponses().lifecycleOf({ name: 'error', value: { type: 'keepalive' } })).toEqual({ phase: 'idle' });
  });
});

describe('openaiResponses() reports a failure in band', () => {
  const failureOf = (value: unknown): ModelStreamError | undefined => openaiResponses().lifecycleOf({ value }).error;

  it.each([
    ['server_error', true],
    ['rate_limit_exceeded', true],
    ['vector_store_timeout', true],
    ['server_is_overloaded', true],
    ['invalid_prompt', false],
    ['context_length_exceeded', false],
    ['insufficient_quota', false],
    ['data_residency_mismatch', false],
    ['bio_policy', false],
    ['image_too_large', false],
    ['failed_to_download_image', false],
    ['hologram_error', false],
  ])('%s, retryable: %s, in each of its three shapes', (code, retryable) => {
    const message = 'It failed.';
    for (const value of [
      { type: 'error', code, message, param: null },
      { type: 'error', error: { type: 'some_error', code, message, param: null } },
      { type: 'response.failed', response: { error: { code, message } } },
    ]) {
      expect(failureOf(value)?.toJSON()).toMatchObject({
        code: 'provider',
        message,
        provider: 'openai-responses',
        providerCode: code,
        retryable,
      });
    }
  });

  it.each([
    ['without its envelope', { error: { type: 'server_error', message: 'It failed.', code: null } }, 'server_error'],
    ['that has a type and no code', { type: 'error', error: { type: 'server_error', code: null } }, 'server_error'],
    ['that is flat and has no code', { type: 'error', message: 'It failed.' }, undefined],
    ['without anything', { type: 'response.failed' }, undefined],
    ['that is no object', { type: 'response.failed', response: { error: 'It failed.' } }, undefined],
  ])('%s', (_what, value, providerCode) => {
    const failure = failureOf(value);
    expect(failure).toMatchObject({ code: 'provider', providerCode });
    expect(failure?.message).not.toBe('');
  });

  it('once, with the id of the response', () => {
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'server_error' }, usage: { input_tokens: 1 } },
    };
    const { events, error } = readFrames(
      openaiResponses(),
      framesOf(CREATED, { type: 'error', code: 'server_error' }, failed),
    );
    expect(events.map(({ type }) => type)).toEqual(['response-start']);
    expect(error).toMatchObject({ code: 'provider', responseId: 'resp_1' });
  });
});

describe('openaiResponses() says why the response ended', () => {
  const finishOf = (...payloads: readonly unknown[]): FinishEvent | undefined =>
    eventsOf(CREATED, ...payloads).find((event) => event.type === 'finish');
  const refusal = done(0, { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['max_messages', 'length'],
    ['steered', 'pause'],
    ['hologram', 'other'],
    ['__proto__', 'other'],
  ])('incomplete by %s is %s', (reason, unified) => {
    const response = { incomplete_details: { reason } };
    expect(finishOf({ type: 'response.incomplete', response })).toMatchObject({ reason: unified, rawReason: reason });
  });

  it.each([
    ['completed', COMPLETED, 'stop', 'completed'],
    ['cancelled', { type: 'response.cancelled' }, 'cancelled', 'cancelled'],
    ['incomplete without a reason', { type: 'response.incomplete', response: {} }, 'other', 'incomplete'],
    [
      'incomplete with one that is no text',
      { type: 'response.incomplete', response: { incomplete_details: [] } },
      'other',
      'incomplete',
    ],
  ])('%s', (_what, payload, reason, rawReason) => {
    expect(finishOf(payload)).toMatchObject({ reason, rawReason });
  });

  it.each([
    ['a refusal', [refusal], 'content-filter'],
    ['a call for the client', [done(0, call({ arguments: '{}' }))], 'tool-calls'],
    ['a call for the client beside a refusal', [refusal, done(1, call({ arguments: '{}' }))], 'tool-calls'],
    ['a call that OpenAI ran', [done(0, { type: 'web_search_call', id: 'ws_1' })], 'stop'],
    ['an approval to give', [done(0, { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ring' })], 'tool-calls'],
    ['a search that the client runs', [done(0, { type: 'tool_search_call', execution: 'client' })], 'tool-calls'],
    ['a search that OpenAI ran', [done(0, { type: 'tool_search_call', execution: 'server' })], 'stop'],
    ['a shell without an environment', [done(0, { type: 'shell_call', environment: null })], 'tool-calls'],
    ['a shell in a container', [done(0, { type: 'shell_call', environment: { type: 'container_reference' } })], 'stop'],
    ['a type that is not its own', [done(0, { type: '__proto__' }), done(1, { type: 'toString' })], 'stop'],
  ])('completed with %s', (_what, payloads, reason) => {
    expect(finishOf(...payloads, COMPLETED)).toMatchObject({ reason, rawReason: 'completed' });
  });
});

describe('openaiResponses() tells usage once, at the ending', () => {
  const usagesOf = (usage: unknown): TokenUsage[] =>
    eventsOf(CREATED, { type: 'response.completed', response: { id: 'resp_1', usage } }).flatMap((event) =>
      event.type === 'usage' ? [event.usage] : [],
    );

  it('with the cached part of the input and the reasoning part of the output', () => {
    const wire = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 64, cache_write_tokens: 16 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
      total_tokens: 150,
      cost: 0.25,
    };
    expect(usagesOf(wire)).toEqual([
      {
        inputTokens: 100,
        cachedInputTokens: 64,
        cacheWriteTokens: 16,
        outputTokens: 50,
        reasoningTokens: 40,
        totalTokens: 150,
        costUsd: 0.25,
        raw: wire,
      },
    ]);
  });

  it.each([
    [
      'without details',
      { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
      { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
    ],
    [
      'with more reasoning than output',
      { output_tokens: 2, output_tokens_details: { reasoning_tokens: 9 } },
      { outputTokens: 2, reasoningTokens: 9 },
    ],
    ['that is no number', { input_tokens: '5', output_tokens: null, input_tokens_details: 7 }, {}],
  ])('%s, leaving absent what is not known', (_what, wire, known) => {
    expect(usagesOf(wire)).toEqual([{ ...known, raw: wire }]);
  });

  it.each([null, undefined, 7, []])('and says nothing where the wire says %p', (usage) => {
    expect(usagesOf(usage)).toEqual([]);
  });

  it('of a failure too, before it', () => {
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'server_error' }, usage: { output_tokens: 3 } },
    };
    expect(eventsOf(CREATED, failed).at(-1)).toEqual({
      type: 'usage',
      usage: { outputTokens: 3, raw: { output_tokens: 3 } },
    });
  });
});

describe('openaiResponses() reads what no documented stream says', () => {
  it('begins the response even where nobody names it', () => {
    const events = eventsOf({ type: 'response.completed', response: { usage: { input_tokens: 1 } } });
    expect(events.map(({ type }) => type)).toEqual(['response-start', 'usage', 'finish']);
  });

  it('begins the response with the model where only that is known', () => {
    const text = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' };
    const events = eventsOf({ type: 'response.created', response: { id: '', model: 'm-1' } }, text, COMPLETED);
    expect(events).toContainEqual({ type: 'response-start', provider: 'openai-responses', model: 'm-1' });
  });

  it('takes the first id that is told', () => {
    const queued = { type: 'response.queued', response: { id: '' } };
    const [start] = eventsOf(queued, CREATED, COMPLETED).filter(({ type }) => type === 'response-start');
    expect(start).toMatchObject({ responseId: 'resp_1', model: 'm-1' });
  });

  it('ignores what comes after the ending', () => {
    expect(eventsOf(CREATED, COMPLETED, CREATED, COMPLETED)).toEqual(eventsOf(CREATED, COMPLETED));
  });

  it('opens a block at its first delta where its item and part were never added', () => {
    const text = { type: 'response.output_text.delta', output_index: 4, content_index: 2, delta: 'Hi' };
    expect(eventsOf(CREATED, text, COMPLETED)).toContainEqual({
      type: 'block-end',
      index: 0,
      block: { kind: 'text', text: 'Hi' },
    });
  });

  it('finds the item of an event by its id where the event has no index', () => {
    const events = eventsOf(
      CREATED,
      added(0, { type: 'message', id: 'msg_1', content: [] }),
      added(1, { type: 'message', id: 'msg_2', content: [] }),
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hi' },
      done(0, { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi' }] }),
      COMPLETED,
    );
    expect(events.filter(({ type }) => type === 'block-end')).toEqual([
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hi' } },
    ]);
  });

  it('holds arguments back until the call has its name', () => {
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"n":1}' };
    const events = eventsOf(CREATED, delta, done(0, call({ arguments: '{"n":1}' })), COMPLETED);
    expect(events.filter((event) => 'index' in event).map(({ type }) => type)).toEqual([
      'block-start',
      'tool-call-delta',
      'block-end',
    ]);
  });

  it('reads the name from the end of the arguments, where a host puts it', () => {
    const events = eventsOf(
      CREATED,
      { type: 'response.function_call_arguments.done', output_index: 0, name: 'ring', arguments: '{}' },
      COMPLETED,
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'block-start' }));
  });

  it.each([
    ['keeps the arguments of the deltas where the finished item has none', call({})],
    ['keeps them where what it has is no text', call({ arguments: null })],
  ])('%s', (_what, item) => {
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"n":1}' };
    const events = eventsOf(CREATED, added(0, call({ arguments: '' })), delta, done(0, item), COMPLETED);
    const end = events.find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ arguments: '{"n":1}', state: 'whole' });
  });

  it.each([
    ['a call whose item says so, although its arguments parse', call({ arguments: '{}', status: 'incomplete' })],
    ['a call whose arguments are no JSON', call({ arguments: '{"n":' })],
  ])('cuts %s', (_what, item) => {
    const end = eventsOf(CREATED, done(0, item), COMPLETED).find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ state: 'cut' });
  });

  it('cuts a call that the token limit left open, although its arguments parse so far', () => {
    const delta = { type: 'response.function_call_arguments.delta', output_index: 0, delta: '1' };
    const response = { incomplete_details: { reason: 'max_output_tokens' } };
    const events = eventsOf(CREATED, added(0, call({})), delta, { type: 'response.incomplete', response });
    const end = events.find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ arguments: '1', state: 'cut' });
  });

  it.each([
    ['text', 'response.output_text.delta', { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
    ['arguments', 'response.function_call_arguments.delta', call({ arguments: '{}' })],
  ])('passes %s on as raw after the end of its item', (_what, type, item) => {
    const late = { type, output_index: 0, content_index: 0, delta: '!' };
    const events = eventsOf(CREATED, done(0, item), late, COMPLETED);
    expect(events.at(-2)).toEqual({ type: 'raw', provider: 'openai-responses', event: late });
    expect(events.filter(({ type: kind }) => kind === 'block-end')).toHaveLength(1);
  });

  it('updates a block that has ended when a citation comes late', () => {
    const text = { type: 'output_text', text: 'Hi' };
    const annotation = { type: 'url_citation', url: 'https://tides.example/' };
    const citation = { url: 'https://tides.example/', raw: annotation };
    const events = eventsOf(
      CREATED,
      done(0, { type: 'message', id: 'msg_1', content: [text] }),
      { type: 'response.output_text.annotation.added', output_index: 0, content_index: 0, annotation },
      COMPLETED,
    );
    expect(events).toContainEqual({
      type: 'block-update',
      index: 0,
      block: { kind: 'text', text: 'Hi', citations: [citation] },
    });
  });
});
