import { from, groupBy, map, mergeMap, toArray } from 'rxjs';
import {
  accumulateBlocks,
  ModelStreamError,
  normalize,
  openaiRealtime,
  textOf,
  withUsage,
  type Block,
  type FinishEvent,
  type Frame,
  type ModelEvent,
  type Snapshot,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, framingOf, recordingsOf } from '../support/fixtures';
import { framesIn, framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

describeProviderContract('openaiRealtime()', {
  create: openaiRealtime,
  fixtures: fixturesOf('openai-realtime'),
  recordings: recordingsOf('openai-realtime', 'ws-jsonl'),
  keepAlives: [{ type: 'ping', timestamp: 7 }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ type: 'session.hologram', rays: 3 }, { rays: 3 }] },
    { title: 'an unknown event of a response', payloads: [{ type: 'response.hologram.delta', delta: '~' }] },
    {
      title: 'an unknown part',
      payloads: [
        {
          type: 'response.content_part.added',
          item_id: 'item_1000',
          output_index: 1000,
          content_index: 0,
          part: { type: 'hologram' },
        },
      ],
    },
    {
      title: 'an unknown item',
      payloads: [
        { type: 'response.output_item.added', output_index: 1000, item: { id: 'hg_1000', type: 'hologram', rays: 0 } },
        { type: 'response.output_item.done', output_index: 1000, item: { id: 'hg_1000', type: 'hologram', rays: 3 } },
      ],
    },
    { title: 'a failure that ends nothing', payloads: [{ type: 'error', error: { type: 'x', message: 'No' } }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { type: 'response.done' }]] },
  ],
});

const provider = openaiRealtime();

const CREATED = { type: 'response.created', response: { id: 'resp_1' } };
const done = (response: object = {}, fields: object = {}) => ({
  type: 'response.done',
  response: { id: 'resp_1', status: 'completed', ...response },
  ...fields,
});
const added = (item: object, output_index = 0) => ({ type: 'response.output_item.added', output_index, item });
const ended = (item: object, output_index = 0) => ({ type: 'response.output_item.done', output_index, item });
const call = (fields: object = {}) => ({
  type: 'function_call',
  id: 'i_1',
  call_id: 'call_1',
  name: 'ring',
  ...fields,
});
const said = (delta: string, item_id = 'i_1') => ({ type: 'response.output_text.delta', item_id, delta });

const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] =>
  readFrames(provider, framesOf(...payloads)).events;
const finishOf = (...payloads: readonly unknown[]): FinishEvent | undefined =>
  eventsOf(...payloads).find((event) => event.type === 'finish');
const blocksOf = (...payloads: readonly unknown[]): Block[] =>
  eventsOf(...payloads).flatMap((event) => (event.type === 'block-end' ? [event.block] : []));

describe('openaiRealtime()', () => {
  it('gives a delta that follows the closing value of its part as raw', () => {
    const closing = { type: 'response.output_text.done', item_id: 'i_1', text: 'Told' };
    const events = eventsOf(CREATED, closing, said('Told anew'), done());
    expect(events.filter(({ type }) => type === 'raw')).toEqual([
      { type: 'raw', provider: provider.name, event: said('Told anew') },
    ]);
    expect(events.filter(({ type }) => type === 'block-end')).toMatchObject([{ block: { text: 'Told' } }]);
  });
});

describe('openaiRealtime().lifecycleOf tells what a payload means for the life of a response', () => {
  it.each([
    ['a ping', { type: 'ping' }, { phase: 'idle' }],
    ['the session', { type: 'session.created' }, { phase: 'preamble' }],
    ['the session of Live', { type: 'session.started' }, { phase: 'preamble' }],
    ['a change of the session', { type: 'session.updated' }, { phase: 'preamble' }],
    ['the same, of the beta', { type: 'transcription_session.updated' }, { phase: 'preamble' }],
    ['the conversation', { type: 'conversation.created' }, { phase: 'preamble' }],
    ['the start', CREATED, { phase: 'preamble' }],
    ['text', said('Hi'), { phase: 'content' }],
    ['a failure that answers the client', { type: 'error', error: { code: 'invalid_value' } }, { phase: 'content' }],
    ['completion', done(), { phase: 'content', ending: 'final' }],
    ['cancellation', done({ status: 'cancelled' }), { phase: 'content', ending: 'final' }],
    ['an end without a status', { type: 'response.done', response: {} }, { phase: 'content', ending: 'final' }],
    ['the end of a session', { type: 'session.closed', reason: 'content' }, { phase: 'content' }],
    ['something unknown', { type: 'session.hologram' }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });

  const delegated = (event: unknown) => provider.lifecycleOf({ value: { type: 'response.event', event } });

  it.each([
    ['a keep-alive', { type: 'keepalive' }, { phase: 'idle' }],
    ['the start', { type: 'response.created' }, { phase: 'preamble' }],
    ['completion', { type: 'response.completed' }, { phase: 'content', ending: 'final' }],
    ['nothing', undefined, { phase: 'content' }],
  ])('in what a Live session delegates: %s', (_what, event, lifecycle) => {
    expect(delegated(event)).toEqual(lifecycle);
  });
});

describe('openaiRealtime().laneOf tells responses apart', () => {
  it.each([
    ['by the response an event names', { type: 'response.output_text.delta', response_id: 'r' }, 'r'],
    ['by the response an event brings', { type: 'response.done', response: { id: 'r' } }, 'r'],
    ['by the delegation', { type: 'response.event', event: { type: 'x', response_id: 'r' }, delegation_id: 'd' }, 'd'],
    ['but not what is delegated without a name', { type: 'response.event', event: {}, delegation_id: null }, undefined],
    ['but not the session', { type: 'session.created', session: { id: 's' } }, undefined],
    ['nor what is no object', 'response', undefined],
  ])('%s', (_what, value, lane) => {
    expect(provider.laneOf?.({ value })).toBe(lane);
  });
});

describe('openaiRealtime() reports a failed response', () => {
  const failureOf = (status_details: unknown): ModelStreamError | undefined =>
    provider.lifecycleOf({ value: done({ status: 'failed', status_details }) }).error;

  it.each([
    ['by its code', { error: { type: 'server_error', code: 'rate_limit_exceeded' } }, 'rate_limit_exceeded', true],
    ['by its type', { error: { type: 'server_error', code: null } }, 'server_error', true],
    ['that cannot be repeated', { error: { code: 'insufficient_quota' } }, 'insufficient_quota', false],
    ['without an error', { type: 'failed' }, undefined, false],
    ['as xAI does, in a word', 'unimplemented', undefined, false],
  ])('%s', (_what, details, providerCode, retryable) => {
    expect(failureOf(details)).toMatchObject({
      code: 'provider',
      provider: 'openai-realtime',
      providerCode,
      retryable,
    });
  });

  it('with its id, its usage, and all that it had said, and reads the next one', () => {
    const failed = done({
      status: 'failed',
      status_details: { error: { code: 'server_error' } },
      usage: { input_tokens: 3 },
    });
    const { events, error } = readFrames(
      provider,
      framesOf(CREATED, said('Half'), failed, CREATED, said('Whole'), done()),
    );
    expect(error).toBeUndefined();
    expect(events.find((event) => event.type === 'finish')).toMatchObject({
      reason: 'error',
      rawReason: 'failed',
      error: { providerCode: 'server_error', responseId: 'resp_1' },
    });
    expect(events.map(({ type }) => type)).toEqual([
      ...['response-start', 'block-start', 'text-delta', 'usage', 'block-end', 'finish'],
      ...['response-start', 'block-start', 'text-delta', 'block-end', 'finish'],
    ]);
  });
});

describe('openaiRealtime() says why a response ended', () => {
  it.each([
    ['completed', null, 'stop', 'completed'],
    ['incomplete', { reason: 'max_output_tokens' }, 'length', 'max_output_tokens'],
    ['incomplete', { reason: 'content_filter' }, 'content-filter', 'content_filter'],
    ['incomplete', { reason: 'hologram' }, 'other', 'hologram'],
    ['incomplete', { reason: '__proto__' }, 'other', '__proto__'],
    ['incomplete', null, 'other', 'incomplete'],
    ['cancelled', { reason: 'turn_detected' }, 'cancelled', 'turn_detected'],
    ['cancelled', { reason: 'client_cancelled' }, 'cancelled', 'client_cancelled'],
    ['cancelled', 'unimplemented', 'cancelled', 'cancelled'],
    ['hologram', null, 'other', 'hologram'],
    [undefined, 'unimplemented', 'stop', undefined],
  ])('%s, %j', (status, status_details, reason, rawReason) => {
    const finish = finishOf(CREATED, done({ status, status_details }));
    expect([finish?.reason, finish?.rawReason]).toEqual([reason, rawReason]);
  });

  it.each([
    ['a function call', call(), 'tool-calls'],
    [
      'a request for approval',
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ring', arguments: '{}' },
      'tool-calls',
    ],
    ['a call that an MCP server answered', { type: 'mcp_call', id: 'mcp_1', name: 'ring', arguments: '{}' }, 'stop'],
    ['something unknown', { type: 'hologram', id: 'hg_1' }, 'stop'],
  ])('completed with %s, wherever it stands', (_what, item, reason) => {
    for (const payloads of [[added(item), done()], [ended(item), done()], [done({ output: [item] })]]) {
      expect(finishOf(CREATED, ...payloads)?.reason).toBe(reason);
    }
  });

  it('has no turn: the service keeps the conversation', () => {
    expect(finishOf(CREATED, said('Hi'), done())).not.toHaveProperty('turn');
  });
});

describe('openaiRealtime() tells usage once, at the ending', () => {
  const usagesOf = (response: object, fields: object = {}): TokenUsage[] =>
    eventsOf(CREATED, done(response, fields)).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));

  it.each([
    ['in the response', { total_tokens: 5 }, undefined, { totalTokens: 5 }],
    ['beside it, as xAI does', {}, { input_tokens: 0, output_tokens: 5 }, { inputTokens: 0, outputTokens: 5 }],
    ['in the response, where it stands twice', { total_tokens: 5 }, { total_tokens: 7 }, { totalTokens: 5 }],
    ['with its cached part', { input_token_details: { cached_tokens: 3 } }, undefined, { cachedInputTokens: 3 }],
    ['with its reasoning', { output_token_details: { reasoning_tokens: 3 } }, undefined, { reasoningTokens: 3 }],
  ])('%s', (_what, usage, beside, expected) => {
    const raw = Object.keys(usage).length > 0 ? usage : beside;
    expect(usagesOf({ usage }, { usage: beside })).toEqual([{ ...expected, raw }]);
  });

  it('not at all, where there is none', () => {
    for (const usage of [null, {}, 7, undefined]) expect(usagesOf({ usage }, { usage })).toEqual([]);
  });

  it('without what a transcription of the user cost', () => {
    const type = 'conversation.item.input_audio_transcription.completed';
    const events = eventsOf(CREATED, { type, item_id: 'u', usage: { type: 'tokens', total_tokens: 9 } }, done());
    expect(events.map((event) => event.type)).toEqual(['response-start', 'raw', 'finish']);
  });

  it('priced, since the session names its model', () => {
    const session = { type: 'session.created', session: { model: 'm-voice' } };
    const costs: (number | undefined)[] = [];
    from(framesOf(session, CREATED, done({ usage: { input_tokens: 1000, output_tokens: 500 } })))
      .pipe(normalize(provider), withUsage({ prices: { 'm-voice': { input: 2, output: 8 } } }))
      .subscribe((event) => event.type === 'usage' && costs.push(event.usage.costUsd));
    expect(costs).toEqual([0.006]);
  });
});

describe('openaiRealtime() tells responses what the session said', () => {
  const PCM = { output: { format: { type: 'audio/pcm', rate: 24_000 } } };
  const session = (fields: object) => ({ type: 'session.updated', session: fields });
  const response = (id: string, fields: object = {}) => [
    { type: 'response.created', response: { id, ...fields } },
    { type: 'response.output_audio.delta', response_id: id, item_id: id, delta: 'AAAA' },
    { type: 'response.done', response: { id, status: 'completed' } },
  ];
  const told = (events: readonly ModelEvent[]) => ({
    models: events.flatMap((event) => (event.type === 'response-start' ? [event.model] : [])),
    mimeTypes: events.flatMap((event) =>
      event.type === 'block-end' && event.block.kind === 'media' ? [event.block.mimeType] : [],
    ),
  });

  it('until it says something else', () => {
    const events = eventsOf(
      ...response('r0'),
      session({ model: 'm-1', audio: PCM }),
      ...response('r1'),
      ...response('r2'),
      session({ output_audio_format: 'g711_alaw' }),
      ...response('r3'),
    );
    expect(told(events)).toEqual({
      models: [undefined, 'm-1', 'm-1', 'm-1'],
      mimeTypes: [undefined, 'audio/pcm;rate=24000', 'audio/pcm;rate=24000', 'audio/pcma'],
    });
  });

  it('while a response runs, from the next one on', () => {
    const [created, ...rest] = response('r1');
    const events = eventsOf(created, session({ model: 'm-1', audio: PCM }), ...rest, ...response('r2'));
    expect(told(events)).toEqual({ models: [undefined, 'm-1'], mimeTypes: [undefined, 'audio/pcm;rate=24000'] });
  });

  it('but what the response says of itself counts', () => {
    const own = { model: 'm-2', audio: { output: { format: { type: 'audio/pcmu' } } } };
    const events = eventsOf(session({ model: 'm-1', audio: PCM }), ...response('r1', own));
    expect(told(events)).toEqual({ models: ['m-2'], mimeTypes: ['audio/pcmu'] });
  });

  it('and nothing of one connection in the next', () => {
    eventsOf(session({ model: 'm-1', audio: PCM }), ...response('r1'));
    expect(told(eventsOf(...response('r1')))).toEqual({ models: [undefined], mimeTypes: [undefined] });
  });

  it('nor after a restart, which is another connection', () => {
    const cause = new ModelStreamError('network', 'Connection was reset');
    const restart: Frame = { type: 'restart', attempt: 1, cause };
    const frames = [...framesOf(session({ model: 'm-1' })), restart, ...framesOf(...response('r1'))];
    expect(told(readFrames(provider, frames).events).models).toEqual([undefined]);
  });
});

describe('openaiRealtime() makes blocks of items', () => {
  it('that are told apart by id, where all are in one place', () => {
    const blocks = blocksOf(CREATED, said('One', 'i_1'), said('Two', 'i_2'), said('!', 'i_1'), done());
    expect(blocks).toEqual([
      { kind: 'text', text: 'One!' },
      { kind: 'text', text: 'Two' },
    ]);
  });

  it('with the phase that comes late', () => {
    const item = { type: 'message', id: 'i_1', phase: 'final_answer', content: [] };
    expect(blocksOf(CREATED, said('Hi'), ended(item), done())).toEqual([{ kind: 'text', text: 'Hi', phase: 'final' }]);
  });

  it.each([
    ['its closing value', { text: 'Eight' }, 'Eight'],
    ['what was streamed, where the closing value is empty', { text: '' }, 'Ate'],
    ['what was streamed, where the closing value is none', { text: null }, 'Ate'],
  ])('with %s, whether it ends with its item, with the response or with a failure', (_what, fields, text) => {
    const whole = { type: 'response.output_text.done', item_id: 'i_1', ...fields };
    const item = { type: 'message', id: 'i_1' };
    for (const endings of [[ended(item), done()], [done()], [done({ status: 'failed' })]]) {
      expect(blocksOf(CREATED, said('Ate'), whole, ...endings)).toEqual([{ kind: 'text', text }]);
    }
  });

  it('reports a closing value that contradicts what was streamed, with the event that ends the block', () => {
    const whole = { type: 'response.output_text.done', item_id: 'i_1', text: 'Eight' };
    const events = eventsOf(CREATED, said('Ate'), whole, done());
    expect(events.filter(({ type }) => type === 'raw')).toEqual(
      [whole, done()].map((event) => ({ type: 'raw', provider: 'openai-realtime', event })),
    );
  });

  it('also of an output whose items have no ids and are not what was streamed', () => {
    const text = { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' };
    const nameless = call({ id: null, arguments: '{}' });
    const kinds = blocksOf(CREATED, text, done({ output: [nameless] })).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['text', 'tool-call']);
  });

  it('with the format that was told at the beginning of the response, where only its ending brings them', () => {
    const created = { type: 'response.created', response: { id: 'resp_1', output_audio_format: 'g711_ulaw' } };
    const item = { type: 'message', id: 'i_1', content: [{ type: 'output_audio', transcript: 'Hi' }] };
    expect(blocksOf(created, done({ output: [item] }))).toEqual([
      { kind: 'media', mimeType: 'audio/pcmu', parts: [], transcript: 'Hi' },
    ]);
  });

  it('never of the conversation, which repeats them', () => {
    const item = { type: 'message', id: 'i_9', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] };
    const payloads = ['added', 'done', 'created'].map((state) => ({ type: `conversation.item.${state}`, item }));
    expect(blocksOf(CREATED, ...payloads, done())).toEqual([]);
  });

  it.each([
    ['arguments that are no JSON', call({ arguments: '{"n":' })],
    [
      'an item that says it is incomplete, although its arguments parse',
      call({ status: 'incomplete', arguments: '{}' }),
    ],
  ])('and cuts a call with %s', (_what, item) => {
    expect(blocksOf(CREATED, ended(item), done())).toMatchObject([{ kind: 'tool-call', state: 'cut' }]);
  });

  it('and shows a call once its name is known, with the arguments that came before', () => {
    const delta = {
      type: 'response.function_call_arguments.delta',
      item_id: 'i_1',
      call_id: 'call_1',
      delta: '{"n":1}',
    };
    const events = eventsOf(CREATED, delta, { ...delta, type: 'response.function_call_arguments.done', name: 'ring' });
    expect(events.slice(1)).toEqual([
      { type: 'raw', provider: 'openai-realtime', event: delta },
      expect.objectContaining({ type: 'block-start' }),
      { type: 'tool-call-delta', index: 0, id: 'call_1', argumentsDelta: '{"n":1}' },
    ]);
  });

  it('and gives the result of an MCP call beside it, a failed one marked', () => {
    const item = { type: 'mcp_call', id: 'mcp_1', name: 'ring', arguments: '{}', output: 'rung', error: null };
    const error = { type: 'http_error', code: 500, message: 'No bell' };
    const blocks = blocksOf(CREATED, ended(item), ended({ ...item, id: 'mcp_2', output: null, error }), done());
    expect(blocks.filter(({ kind }) => kind === 'tool-result')).toEqual([
      { kind: 'tool-result', toolCallId: 'mcp_1', name: 'ring', content: 'rung' },
      { kind: 'tool-result', toolCallId: 'mcp_2', name: 'ring', content: error, isError: true },
    ]);
  });
});

describe('openaiRealtime() never mixes a response with one that a Live session delegates', () => {
  const delegated = (event: object) => ({ type: 'response.event', event });
  const text = { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'i_1', delta: 'Hi' };
  const raw = (event: object) => ({ type: 'raw', provider: 'openai-realtime', event });

  it('gives what is delegated while a response runs as raw', () => {
    const events = eventsOf(CREATED, delegated({ type: 'response.created' }), delegated(text), said('Ho'), done());
    expect(events.filter(({ type }) => type === 'raw')).toEqual([
      raw(delegated({ type: 'response.created' })),
      raw(delegated(text)),
    ]);
  });

  it('gives what a response says while a delegated one runs as raw', () => {
    const inner = { type: 'response.created', response: { id: 'resp_1' } };
    const events = eventsOf(
      delegated(inner),
      CREATED,
      said('Ho'),
      delegated(text),
      delegated({ type: 'response.completed' }),
    );
    expect(events.filter(({ type }) => type === 'raw')).toEqual([raw(CREATED), raw(said('Ho'))]);
    expect(events.filter((event) => event.type === 'text-delta')).toEqual([
      { type: 'text-delta', index: 0, text: 'Hi' },
    ]);
  });
});

describe('openaiRealtime() reads responses that run side by side', () => {
  const frames = framesIn(framingOf(sampleOf('out-of-band.jsonl')), sampleOf('out-of-band.jsonl').bytes());

  function snapshotsOf(parted: boolean): Snapshot[] {
    const last: Snapshot[] = [];
    const lanes = from(frames).pipe(
      groupBy((frame) => (parted && frame.type === 'json' ? provider.laneOf?.(frame) : undefined)),
      mergeMap((lane) => lane.pipe(normalize(provider), accumulateBlocks(), toArray())),
      map((snapshots) => snapshots.filter(({ status }) => status === 'complete')),
    );
    lanes.subscribe((snapshots) => last.push(...snapshots));
    return last;
  }

  it('all of them, where they were parted', () => {
    const said = snapshotsOf(true).map((snapshot) => [snapshot.responseId, textOf(snapshot)]);
    expect(said.sort()).toEqual([
      ['resp_o1', 'Ebb.'],
      ['resp_o2', 'calm sea'],
      ['resp_o3', ''],
    ]);
  });

  it('one of them, to its end, where they were not', () => {
    expect(snapshotsOf(false).map((snapshot) => [snapshot.ordinal, snapshot.responseId, textOf(snapshot)])).toEqual([
      [0, 'resp_o1', 'Ebb.'],
      [1, 'resp_o3', ''],
    ]);
  });
});

function sampleOf(name: string): ReturnType<typeof fixturesOf>[number] {
  return fixturesOf('openai-realtime').find((sample) => sample.name === name)!;
}
