import { lastValueFrom, toArray } from 'rxjs';
import {
  fromModel,
  isModelStreamError,
  xai,
  type FinishEvent,
  type ModelEvent,
  type ModelStreamError,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { rays: 3 };

describeProviderContract('xai()', {
  create: xai,
  fixtures: fixturesOf('xai'),
  recordings: recordingsOf('xai', 'sse'),
  keepAlives: [
    { id: 'c-1', object: 'chat.completion.chunk', model: 'm-1', choices: [{ index: 0, delta: {} }] },
    { type: 'ping' },
  ],
  unknowns: [
    { title: 'an unknown payload', payloads: [{ type: 'hologram', hologram: HOLOGRAM }, { hologram: HOLOGRAM }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { type: 'response.done' }]] },
  ],
});

const DONE = '[DONE]';

const provider = xai();
const read = (...payloads: readonly unknown[]) => readFrames(provider, framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(...payloads).events;
const finishOf = (...payloads: readonly unknown[]): FinishEvent | undefined =>
  eventsOf(...payloads).find((event) => event.type === 'finish');
const usagesOf = (...payloads: readonly unknown[]): TokenUsage[] =>
  eventsOf(...payloads).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));

const chunk = (delta: object, finish_reason?: string) => ({
  id: 'c-1',
  model: 'm-1',
  choices: [{ index: 0, delta, ...(finish_reason !== undefined && { finish_reason }) }],
});
const CREATED = { type: 'response.created', response: { id: 'r-1', model: 'm-1' } };
const MESSAGE = { type: 'message_start', message: { id: 'm-1', model: 'm-1', content: [] } };

describe('xai() reads whichever of its APIs was asked', () => {
  const text = { type: 'text', text: 'Hi' };
  it.each([
    ['Chat', [chunk({ content: 'Hi' }), chunk({}, 'stop'), DONE], { role: 'assistant', content: 'Hi' }],
    [
      'Responses',
      [
        CREATED,
        { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
        { type: 'response.completed', response: { id: 'r-1', output: [] } },
      ],
      [{ type: 'message', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
    ],
    [
      'Messages',
      [
        MESSAGE,
        { type: 'content_block_start', index: 0, content_block: text },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ],
      { role: 'assistant', content: [text] },
    ],
  ])('%s, by its payloads, whatever came before them', (_api, payloads, turn) => {
    for (const before of [[], [{ hologram: HOLOGRAM }, null, { type: 'ping' }]]) {
      const events = eventsOf(...before, ...payloads);
      expect(events).toContainEqual({ type: 'block-end', index: 0, block: { kind: 'text', text: 'Hi' } });
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', turn });
      const names = events.flatMap((event) => ('provider' in event ? [event.provider] : []));
      expect(new Set(names)).toEqual(new Set(['xai']));
    }
  });

  it.each([
    ['an empty delta, which keeps alive', chunk({}), { phase: 'idle' }],
    ['a ping', { type: 'ping' }, { phase: 'idle' }],
    ['the start of a response', CREATED, { phase: 'preamble' }],
    ['the start of a message', MESSAGE, { phase: 'preamble' }],
    ['text', chunk({ content: 'Hi' }), { phase: 'content' }],
    ['a finish reason', chunk({}, 'stop'), { phase: 'content', ending: 'possible' }],
    ['the sentinel', DONE, { phase: 'content', ending: 'final' }],
    ['completion', { type: 'response.completed' }, { phase: 'content', ending: 'final' }],
    ['completion by its other name', { type: 'response.done' }, { phase: 'content', ending: 'final' }],
    ['an end before completion', { type: 'response.incomplete' }, { phase: 'content', ending: 'final' }],
    ['the end of a message', { type: 'message_stop' }, { phase: 'content', ending: 'final' }],
    ['something unknown', { type: 'hologram' }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
  ])('lifecycleOf tells %s', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });

  it.each([
    ['a response', [CREATED]],
    ['a message', [MESSAGE]],
  ])('is not told by the sentinel that %s is whole', (_what, payloads) => {
    expect(read(...payloads, DONE).error).toMatchObject({ code: 'truncated', retryable: true });
  });
});

describe('xai() reports a failure in band', () => {
  const failureOf = (value: unknown): ModelStreamError | undefined => provider.lifecycleOf({ value }).error;

  it.each([
    ['as an object', { error: { message: 'It failed.', type: 'x', code: 'server_error' } }],
    ['as text beside its code', { code: 'server_error', error: 'It failed.' }],
    ['in Responses', { type: 'error', code: 'server_error', message: 'It failed.', param: null }],
    ['nested', { type: 'error', error: { code: 'server_error', message: 'It failed.' } }],
    [
      'as the end of a response',
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'It failed.' } } },
    ],
  ])('%s', (_what, value) => {
    expect(failureOf(value)?.toJSON()).toMatchObject({
      code: 'provider',
      message: 'It failed.',
      provider: 'xai',
      providerCode: 'server_error',
      retryable: true,
    });
  });

  it('in Messages', () => {
    const error = { type: 'overloaded_error', message: 'It failed.' };
    expect(failureOf({ type: 'error', error })).toMatchObject({
      code: 'provider',
      message: 'It failed.',
      providerCode: 'overloaded_error',
      retryable: true,
    });
  });

  it.each([
    ['The service is currently unavailable', true],
    ['Client specified an invalid argument', false],
  ])('whose code is a sentence: %s, retryable: %s', (code, retryable) => {
    expect(failureOf({ code, error: 'It failed.' })).toMatchObject({ providerCode: code, retryable });
  });

  it.each([
    [200, 'The service is currently unavailable', true],
    [400, 'Client specified an invalid argument', false],
  ])('as JSON in place of a stream, with status %i', async (status, code, retryable) => {
    const answer = (): Response =>
      new Response(JSON.stringify({ code, error: 'It failed.' }), {
        status,
        headers: { 'content-type': 'application/json' },
      });
    const failure = await lastValueFrom(fromModel(provider, answer).pipe(toArray())).catch((error: unknown) => error);
    expect(isModelStreamError(failure) && failure.toJSON()).toMatchObject({
      code: 'http',
      provider: 'xai',
      status,
      providerCode: code,
      retryable,
    });
    expect(String(failure)).toContain('It failed.');
  });
});

describe('xai() counts in its own way', () => {
  const chat = (usage: object) => usagesOf({ choices: [], usage }, chunk({}, 'stop'), DONE);
  const responses = (usage: object) => usagesOf(CREATED, { type: 'response.done', response: { usage } });

  it('in Chat output without reasoning, which is added', () => {
    const usage = {
      prompt_tokens: 702,
      completion_tokens: 17,
      total_tokens: 843,
      completion_tokens_details: { reasoning_tokens: 124 },
    };
    expect(chat(usage)).toEqual([
      { inputTokens: 702, outputTokens: 141, totalTokens: 843, reasoningTokens: 124, raw: usage },
    ]);
  });

  it('in Responses output with reasoning', () => {
    const usage = {
      input_tokens: 199,
      output_tokens: 40,
      total_tokens: 239,
      output_tokens_details: { reasoning_tokens: 31 },
    };
    expect(responses(usage)).toEqual([
      { inputTokens: 199, outputTokens: 40, totalTokens: 239, reasoningTokens: 31, raw: usage },
    ]);
  });

  it.each([
    ['cached tokens within the input', 192, 199],
    ['all of it cached', 199, 199],
    ['cached tokens beside the input, where there are more of them', 200, 399],
  ])('%s', (_what, cached_tokens, inputTokens) => {
    const [inChat] = chat({ prompt_tokens: 199, prompt_tokens_details: { cached_tokens } });
    const [inResponses] = responses({ input_tokens: 199, input_tokens_details: { cached_tokens } });
    for (const usage of [inChat, inResponses])
      expect(usage).toMatchObject({ inputTokens, cachedInputTokens: cached_tokens });
  });

  it.each([
    [0, 0],
    [2_709_000, 0.0002709],
    [10_000_000_000, 1],
  ])('costs in ticks: %i are %d dollars', (cost_in_usd_ticks, costUsd) => {
    expect(chat({ prompt_tokens: 1, cost_in_usd_ticks })[0]?.costUsd).toBe(costUsd);
    expect(responses({ input_tokens: 1, cost_in_usd_ticks })[0]?.costUsd).toBe(costUsd);
  });

  it('leaves absent what it does not tell', () => {
    expect(chat({ prompt_tokens: 1 })).toEqual([{ inputTokens: 1, raw: { prompt_tokens: 1 } }]);
    expect(responses({ input_tokens: 1 })).toEqual([{ inputTokens: 1, raw: { input_tokens: 1 } }]);
  });
});

describe('xai() runs its own tools', () => {
  const finished = (item: object) => [
    CREATED,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.done', response: { id: 'r-1' } },
  ];

  it.each([
    ['custom_tool_call', { call_id: 'xs_1', name: 'x_keyword_search', input: '{}' }, 'x_keyword_search'],
    ['web_search_call', { id: 'ws_1', action: { type: 'search' } }, 'web_search'],
    ['x_search_call', { id: 'xs_1', action: { type: 'search' } }, 'x_search'],
    ['code_execution_call', { id: 'ce_1', arguments: '{}' }, 'code_execution'],
    ['code_interpreter_call', { id: 'ci_1', code: '1' }, 'code_interpreter'],
    ['file_search_call', { id: 'fs_1', queries: [] }, 'file_search'],
    ['image_generation_call', { id: 'ig_1' }, 'image_generation'],
    ['view_image_call', { id: 'vi_1', arguments: '{}' }, 'view_image'],
    ['view_x_video_call', { id: 'vx_1', arguments: '{}' }, 'view_x_video'],
    ['mcp_call', { id: 'mcp_1', name: 'ring', arguments: '{}' }, 'ring'],
  ])('%s is no call for the client', (type, fields, name) => {
    const [start] = eventsOf(...finished({ type, ...fields })).filter((event) => event.type === 'block-start');
    expect(start?.block).toMatchObject({ kind: 'tool-call', name, providerExecuted: true });
    expect(finishOf(...finished({ type, ...fields }))?.reason).toBe('stop');
  });

  it('waits for the client with a function call', () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call-1', name: 'ring', arguments: '{}' };
    const [start] = eventsOf(...finished(item)).filter((event) => event.type === 'block-start');
    expect(start?.block).not.toHaveProperty('providerExecuted');
    expect(finishOf(...finished(item))?.reason).toBe('tool-calls');
  });

  it.each([
    ['as an object', { action: { query: 'tide' } }],
    ['as text, as its older streams have them', { arguments: '{"query":"tide"}', name: 'web_search', call_id: '' }],
  ])('with arguments %s', (_what, fields) => {
    const ends = eventsOf(...finished({ type: 'web_search_call', id: 'ws_1', ...fields })).filter(
      (event) => event.type === 'block-end',
    );
    expect(ends[0]?.block).toMatchObject({ id: 'ws_1', arguments: '{"query":"tide"}', state: 'whole' });
  });
});

describe('xai() reads what no documented stream says', () => {
  it('goes on with the API whose payload came first', () => {
    const events = eventsOf(chunk({ content: 'Hi' }), CREATED, chunk({}, 'stop'), DONE);
    expect(events.map(({ type }) => type)).toEqual([
      'response-start',
      'block-start',
      'text-delta',
      'raw',
      'raw',
      'block-end',
      'finish',
    ]);
  });

  it('fails only with errors of its own for a body of anything', () => {
    const { error } = read(null, 0, '', [], {}, { type: null }, { type: {} }, { choices: null });
    expect(isModelStreamError(error)).toBe(true);
  });
});
