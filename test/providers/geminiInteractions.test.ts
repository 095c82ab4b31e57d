import {
  gemini,
  geminiInteractions,
  isModelStreamError,
  parseSSE,
  type Block,
  type FinishEvent,
  type ModelEvent,
  type ModelStreamError,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readBody, readFrames } from '../support/frames';
import { plainError } from '../support/outcome';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { type: 'hologram', rays: 3 };

describeProviderContract('geminiInteractions()', {
  create: geminiInteractions,
  fixtures: fixturesOf('gemini-interactions'),
  recordings: recordingsOf('gemini-interactions', 'sse'),
  keepAlives: ['[DONE]'],
  unknowns: [
    { title: 'an unknown event', payloads: [{ event_type: 'interaction.hologram', interaction: HOLOGRAM }] },
    {
      title: 'an unknown delta',
      payloads: [
        { event_type: 'step.delta', index: 0, delta: { type: 'hologram_delta', rays: 3 } },
        { event_type: 'step.delta', delta: { type: 'hologram_delta', rays: 3 } },
      ],
    },
    {
      title: 'an unknown step',
      payloads: [
        { event_type: 'step.start', index: 1000, step: HOLOGRAM },
        { event_type: 'step.delta', index: 1000, delta: { type: 'hologram_delta', rays: 1 } },
        { event_type: 'step.stop', index: 1000 },
      ],
      inTurn: HOLOGRAM,
    },
    {
      title: 'what the client had said',
      payloads: [
        {
          event_type: 'step.start',
          index: 1001,
          step: { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] },
        },
        { event_type: 'step.stop', index: 1001 },
      ],
    },
    { title: 'an error that says nothing', payloads: [{ event_type: 'error' }, { event_type: 'error', error: {} }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { event_type: 'error' }]] },
  ],
});

const provider = geminiInteractions();
const read = (...payloads: readonly unknown[]) => readFrames(provider, framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(...payloads).events;

const CREATED = { event_type: 'interaction.created', interaction: { id: 'v1_1', status: 'in_progress', model: 'm-1' } };
const completed = (status: string, interaction: object = {}) => ({
  event_type: 'interaction.completed',
  interaction: { id: 'v1_1', status, ...interaction },
});
const start = (index: number, step: object) => ({ event_type: 'step.start', index, step });
const delta = (index: number, fields: object) => ({ event_type: 'step.delta', index, delta: fields });
const stop = (index: number) => ({ event_type: 'step.stop', index });
const whole = (index: number, step: object) => [start(index, step), stop(index)];

function finishOf(...payloads: readonly unknown[]): FinishEvent {
  const finish = eventsOf(...payloads).find((event) => event.type === 'finish');
  if (!finish) throw new Error('The stream has no ending');
  return finish;
}

/** The blocks with which an interaction of these steps ends. */
function blocksOf(...payloads: readonly unknown[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of eventsOf(CREATED, ...payloads, completed('completed'))) {
    if ('block' in event) blocks[event.index] = event.block;
  }
  return blocks;
}

describe('gemini() reads interactions as well, told apart by their payloads', () => {
  it.each(fixturesOf('gemini-interactions').map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    const own = readBody(provider, parseSSE, [sample.bytes()]);
    const found = readBody(gemini(), parseSSE, [sample.bytes()]);
    expect(renamed(found.events)).toEqual(renamed(own.events));
    expect(renamed(plainError(found.error))).toEqual(renamed(plainError(own.error)));
  });
});

/** Whatever it is, under one name of the provider. */
function renamed(value: unknown): unknown {
  const named = (key: string, part: unknown): unknown => (key === 'provider' ? 'renamed' : part);
  return JSON.parse(JSON.stringify(value ?? null, named));
}

describe('geminiInteractions().lifecycleOf tells what a payload means for the life of the answer', () => {
  it.each([
    ['the sentinel', '[DONE]', { phase: 'idle' }],
    ['the beginning, also of a further hop', CREATED, { phase: 'preamble', ending: 'open' }],
    ['a status', { event_type: 'interaction.status_update', status: 'completed' }, { phase: 'preamble' }],
    ['a status as an event', { event_type: 'interaction.in_progress' }, { phase: 'preamble' }],
    ['another one', { event_type: 'interaction.requires_action' }, { phase: 'preamble' }],
    ['the start of a step', start(0, { type: 'thought' }), { phase: 'content' }],
    ['a delta', delta(0, { type: 'text', text: 'Hi' }), { phase: 'content' }],
    ['the end of a step', stop(0), { phase: 'content' }],
    ['the terminal signal', completed('completed'), { phase: 'content', ending: 'final' }],
    ['a call for the client', completed('requires_action'), { phase: 'content', ending: 'final' }],
    ['a status that is not known', completed('hologram'), { phase: 'content', ending: 'final' }],
    ['an end without a status', { event_type: 'interaction.completed' }, { phase: 'content', ending: 'final' }],
    ['the end of a hop', completed('requires_continuation'), { phase: 'content', ending: 'possible' }],
    ['an error that says nothing', { event_type: 'error' }, { phase: 'content' }],
    [
      'one that says nothing at length',
      { event_type: 'error', error: { code: null, message: '' } },
      { phase: 'content' },
    ],
    ['something unknown', { event_type: 'hologram' }, { phase: 'content' }],
    ['an object that is no event', { interaction: {} }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [completed('completed')], { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });

  it.each([
    ['interaction.start', 'interaction.created'],
    ['interaction.complete', 'interaction.completed'],
    ['content.start', 'step.start'],
    ['content.delta', 'step.delta'],
    ['content.stop', 'step.stop'],
  ])('%s as %s, its name of today', (old, now) => {
    const { interaction } = completed('requires_continuation');
    expect(provider.lifecycleOf({ value: { event_type: old, interaction } })).toEqual(
      provider.lifecycleOf({ value: { event_type: now, interaction } }),
    );
  });

  it('leaves the name of a frame aside', () => {
    expect(provider.lifecycleOf({ name: 'error', value: stop(0) })).toEqual({ phase: 'content' });
    expect(provider.lifecycleOf({ name: 'interaction.completed', value: stop(0) })).toEqual({ phase: 'content' });
  });
});

describe('geminiInteractions() reports a failure in band', () => {
  const failureOf = (value: unknown): ModelStreamError | undefined => provider.lifecycleOf({ value }).error;

  it.each([
    ['as an event', (error: object) => ({ event_type: 'error', error })],
    ['bare', (error: object) => ({ error })],
    ['in an array', (error: object) => [{ error }]],
    ['as the end of the interaction', (error: object) => completed('failed', { error })],
    [
      'by the old name of that',
      (error: object) => ({ ...completed('failed', { error }), event_type: 'interaction.complete' }),
    ],
  ])('%s', (_what, reportOf) => {
    expect(failureOf(reportOf({ code: 503, message: 'It failed.', status: 'UNAVAILABLE' }))?.toJSON()).toMatchObject({
      code: 'provider',
      message: 'It failed.',
      provider: 'gemini-interactions',
      status: 503,
      providerCode: 'UNAVAILABLE',
      retryable: true,
    });
    expect(failureOf(reportOf({ code: 'invalid_request', message: 'It failed.' }))).toMatchObject({
      providerCode: 'invalid_request',
      retryable: false,
    });
  });

  it('by a status alone', () => {
    expect(failureOf(completed('failed'))).toMatchObject({
      code: 'provider',
      providerCode: 'failed',
      retryable: false,
    });
  });

  it('with a code and no message, or the other way round', () => {
    expect(failureOf({ event_type: 'error', error: { code: 'internal' } })).toMatchObject({ retryable: true });
    expect(failureOf({ event_type: 'error', error: { message: 'It failed.' } })).toMatchObject({ retryable: false });
  });

  it('after what was complete before it, with the usage it tells and the id of the response', () => {
    const usage = { total_input_tokens: 3 };
    const reports = [
      { event_type: 'error', error: { code: 'internal' }, metadata: { total_usage: usage } },
      completed('failed', { usage, steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hi' }] }] }),
    ];
    for (const report of reports) {
      const { events, error } = read(CREATED, report);
      expect(events.slice(1)).toEqual([{ type: 'usage', usage: { inputTokens: 3, raw: usage } }]);
      expect(error).toMatchObject({ code: 'provider', responseId: 'v1_1' });
    }
  });
});

describe('geminiInteractions() ends by the status of the interaction', () => {
  it.each([
    ['completed', 'stop'],
    ['requires_action', 'tool-calls'],
    ['incomplete', 'length'],
    ['budget_exceeded', 'length'],
    ['requires_continuation', 'pause'],
    ['cancelled', 'cancelled'],
    ['in_progress', 'other'],
    ['queued', 'other'],
    ['hologram', 'other'],
    ['__proto__', 'other'],
  ])('%s is %s', (status, reason) => {
    expect(finishOf(CREATED, completed(status))).toEqual({ type: 'finish', reason, rawReason: status, turn: [] });
  });

  it('none is other, without a raw word', () => {
    expect(finishOf(CREATED, { event_type: 'interaction.completed' })).toEqual({
      type: 'finish',
      reason: 'other',
      turn: [],
    });
  });

  const call = { type: 'function_call', id: 'fc_1', name: 'ring', arguments: {} };

  it.each([
    ['with a call that was ended', whole(0, call)],
    ['with a call that was not', [start(0, call)]],
    ['with a call of an earlier hop', [...whole(0, call), completed('requires_continuation'), CREATED]],
    [
      'with two calls of which one is answered',
      [...whole(0, call), ...whole(1, { ...call, id: 'fc_2' }), start(2, { type: 'function_result', call_id: 'fc_1' })],
    ],
  ])('completed is tool-calls %s', (_what, payloads) => {
    expect(finishOf(CREATED, ...payloads, completed('completed')).reason).toBe('tool-calls');
  });

  it.each([
    ['a tool that Google runs', whole(0, { type: 'google_search_call', id: 'gs_1' })],
    ['a function without a name', whole(0, { type: 'function_call', id: 'fc_1' })],
    [
      'a function that the agent ran',
      [...whole(0, call), ...whole(1, { type: 'function_result', call_id: 'fc_1', result: 'rung' })],
    ],
  ])('completed is stop with %s', (_what, payloads) => {
    expect(finishOf(CREATED, ...payloads, completed('completed')).reason).toBe('stop');
  });

  it('carries a token to go on with only where it pauses', () => {
    const token = { continuation_token: 'dG9rZW4=' };
    expect(finishOf(CREATED, completed('requires_continuation', token)).continuationToken).toBe('dG9rZW4=');
    expect(finishOf(CREATED, completed('incomplete', token))).not.toHaveProperty('continuationToken');
  });
});

describe('geminiInteractions() tells usage as running totals of the hop', () => {
  const usagesOf = (...payloads: readonly unknown[]): TokenUsage[] =>
    eventsOf(CREATED, ...payloads, completed('completed')).flatMap((event) =>
      event.type === 'usage' ? [event.usage] : [],
    );
  const beside = (usage: object) => ({ ...stop(9), metadata: { total_usage: usage } });

  it('counts what tools read as input, and thoughts as output', () => {
    const usage = {
      total_input_tokens: 22,
      total_tool_use_tokens: 198,
      total_cached_tokens: 7,
      total_output_tokens: 590,
      total_thought_tokens: 1173,
      total_tokens: 1983,
    };
    expect(usagesOf(beside(usage))).toEqual([
      {
        inputTokens: 220,
        cachedInputTokens: 7,
        outputTokens: 1763,
        reasoningTokens: 1173,
        totalTokens: 1983,
        raw: usage,
      },
    ]);
  });

  it('believes the last number, and takes over what is left out or null', () => {
    const [, last] = usagesOf(
      beside({ total_input_tokens: 30, total_output_tokens: 4 }),
      beside({ total_input_tokens: 20, total_output_tokens: null }),
    );
    expect(last).toMatchObject({ inputTokens: 20, outputTokens: 4 });
  });

  it('adds hops up, whatever each of them leaves out', () => {
    const usages = usagesOf(
      completed('requires_continuation', { usage: { total_input_tokens: 10, total_output_tokens: 1 } }),
      CREATED, // a hop without any usage
      completed('requires_continuation'),
      CREATED,
      beside({ total_input_tokens: 11 }),
      beside({ total_input_tokens: 12, total_cached_tokens: 5 }),
    );
    expect(usages.map(({ inputTokens }) => inputTokens)).toEqual([10, 21, 22]);
    expect(usages.at(-1)).toEqual({
      inputTokens: 22,
      outputTokens: 1,
      cachedInputTokens: 5,
      raw: [
        { total_input_tokens: 10, total_output_tokens: 1 },
        { total_input_tokens: 12, total_cached_tokens: 5 },
      ],
    });
  });

  it('does not take the usage of a step for a total', () => {
    expect(usagesOf({ ...stop(0), usage: { total_output_tokens: 5 }, step_usage: { total_output_tokens: 5 } })).toEqual(
      [],
    );
  });

  it('says nothing where nothing is counted', () => {
    expect(
      usagesOf(beside({}), beside({ grounding_tool_count: [] }), { ...stop(0), metadata: { total_usage: 7 } }),
    ).toEqual([]);
  });
});

describe('geminiInteractions() has the steps of a tool round ready for the next request', () => {
  const thought = { type: 'thought', summary: [{ type: 'text', text: 'Two bells.' }], signature: 'c2lnLTA=' };
  const spoken = { type: 'model_output', content: [{ type: 'text', text: 'I ring both.' }] };
  const call = (id: string | undefined, bell: number, signature?: string) => ({
    type: 'function_call',
    ...(id !== undefined && { id }),
    name: 'ring',
    arguments: { bell },
    ...(signature !== undefined && { signature }),
  });

  /** The ways in which a call may be streamed. */
  const streamings: readonly [string, (index: number, step: ReturnType<typeof call>) => readonly unknown[]][] = [
    ['whole at the start', (index, step) => whole(index, step)],
    [
      'piece by piece',
      (index, { signature, ...step }) => [
        start(index, { ...step, arguments: {}, ...(step.id === undefined && { id: '', signature: '' }) }),
        ...JSON.stringify(step.arguments)
          .split(/(?=.)/)
          .map((piece) => delta(index, { type: 'arguments_delta', arguments: piece })),
        ...(signature === undefined ? [] : [delta(index, { type: 'thought_signature', signature })]),
        stop(index),
      ],
    ],
    ['whole in a delta', (index, step) => [start(index, { type: step.type }), delta(index, step), stop(index)]],
  ];

  it.each(streamings)('with parallel calls that come %s, with and without ids', (_how, streamed) => {
    for (const ids of [
      ['fc_1', 'fc_2'],
      ['fc_1', undefined],
      [undefined, undefined],
    ]) {
      const calls = [call(ids[0], 1, 'c2lnLTE='), call(ids[1], 2)];
      const turn = finishOf(
        CREATED,
        start(0, { type: 'thought' }),
        delta(0, { type: 'thought_summary', content: thought.summary[0] }),
        delta(0, { type: 'thought_signature', signature: thought.signature }),
        stop(0),
        ...whole(1, spoken),
        ...calls.flatMap((step, place) => streamed(2 + place, step)),
        completed('requires_action'),
      ).turn;
      expect(turn).toEqual([thought, spoken, ...calls]);
    }
  });

  it('and reads what it wrote to the same turn, blocks and all', () => {
    const steps = [
      thought,
      { type: 'google_search_call', id: 'gs_1', arguments: { queries: ['bells'] }, signature: 'c2lnLTI=' },
      { type: 'google_search_result', call_id: 'gs_1', result: [], is_error: false, signature: 'c2lnLTM=' },
      {
        type: 'model_output',
        content: [
          {
            type: 'text',
            text: 'Ålborg',
            annotations: [{ type: 'url_citation', url: 'https://a.example/', end_index: 7 }],
          },
          { type: 'image', data: 'AA==', mime_type: 'image/png' },
        ],
      },
      call('fc_1', 1, 'c2lnLTQ='),
      call('fc_2', 2),
    ];
    const streamed = [CREATED, ...steps.flatMap((step, index) => whole(index, step)), completed('requires_action')];
    expect(finishOf(...streamed).turn).toEqual(steps);
    expect(finishOf(completed('requires_action', { steps })).turn).toEqual(steps);
    const blocksIn = (events: readonly ModelEvent[]) => events.filter((event) => 'index' in event);
    expect(blocksIn(eventsOf(completed('requires_action', { steps })))).toEqual(blocksIn(eventsOf(...streamed)));
  });

  it('in the order of their indexes, hop after hop, whenever they were told', () => {
    const turn = finishOf(
      CREATED,
      start(1, { type: 'thought', signature: 'b25l' }),
      start(0, { type: 'thought', signature: 'emVybw==' }),
      completed('requires_continuation'),
      CREATED,
      start(0, { type: 'thought', signature: 'aG9wMg==' }),
      completed('completed'),
    ).turn;
    expect(turn).toEqual(['emVybw==', 'b25l', 'aG9wMg=='].map((signature) => ({ type: 'thought', signature })));
  });

  it('shows calls without an id under ids of its own, all different', () => {
    const ids = blocksOf(...whole(0, call(undefined, 1)), ...whole(1, call(undefined, 2))).map((block) =>
      block.kind === 'tool-call' ? [block.id, block.syntheticId] : [],
    );
    expect(ids).toEqual([
      ['v1_1_0', true],
      ['v1_1_1', true],
    ]);
  });
});

describe('geminiInteractions() finds cited words by bytes', () => {
  const citationsOf = (text: string, ...annotations: readonly object[]) =>
    blocksOf(
      start(0, { type: 'model_output' }),
      delta(0, { type: 'text', text }),
      delta(0, { type: 'text_annotation_delta', annotations }),
    ).flatMap((block) => (block.kind === 'text' ? (block.citations ?? []) : []));

  it.each(['plain', 'Ærø og Ålborg', '日本語の文', 'a🦅b👩‍🚀c', ''.padEnd(600, '🌊ø-')])('in %s', (text) => {
    const places = Array.from(text).map((_, place, all) => all.slice(0, place + 1).join(''));
    const annotations = places.map((words) => ({ type: 'url_citation', end_index: Buffer.byteLength(words) }));
    expect(citationsOf(text, ...annotations).map(({ start, end }) => text.slice(start, end))).toEqual(places);
  });

  it.each([
    ['no range', {}],
    ['an empty one', { start_index: 0, end_index: 0 }],
    ['one beyond the text', { start_index: 2, end_index: 90 }],
    ['one that ends before it starts', { start_index: 3, end_index: 2 }],
    ['one that lies inside a character', { start_index: 1, end_index: 2 }],
    ['one of no numbers', { start_index: '0', end_index: '2' }],
    ['one below 0', { start_index: -2, end_index: 2 }],
    ['one between bytes', { start_index: 0, end_index: 2.5 }],
  ])('and says no place for %s', (_what, range) => {
    const annotation = { type: 'url_citation', url: 'https://a.example/', ...range };
    expect(citationsOf('øre', annotation)).toEqual([{ url: 'https://a.example/', raw: annotation }]);
  });
});

describe('geminiInteractions() reads what no documented stream says', () => {
  it('takes a step for what its type says, however much of it is missing', () => {
    const types = ['model_output', 'thought', 'function_call', 'google_search_call', 'google_search_result'];
    const blocks = types.flatMap((type) => blocksOf(...whole(0, { type })));
    expect(blocks.map(({ kind }) => kind)).toEqual(['tool-call', 'tool-result']);
  });

  it('goes on with a sound while its kind stays the same', () => {
    const sound = (data: string, mime_type?: string) =>
      delta(0, { type: 'audio', data, ...(mime_type && { mime_type }) });
    const blocks = blocksOf(
      start(0, { type: 'model_output' }),
      sound('AA==', 'audio/mp3'),
      sound('AQ=='),
      sound('Ag==', 'audio/mp3'),
      sound('Aw==', 'audio/wav'),
      delta(0, { type: 'text', text: 'Hi' }),
      sound('BA=='),
    );
    expect(blocks).toEqual([
      { kind: 'media', mimeType: 'audio/mp3', parts: ['AA==', 'AQ==', 'Ag=='] },
      { kind: 'media', mimeType: 'audio/wav', parts: ['Aw=='] },
      { kind: 'text', text: 'Hi' },
      { kind: 'media', parts: ['BA=='] },
    ]);
  });

  it('gives one event for each piece of arguments, however many there are', () => {
    const count = 20_000;
    const text = `{"body":"${'x'.repeat(count)}"}`;
    const pieces = text.match(/.{1,4}/g) ?? [];
    const events = eventsOf(
      CREATED,
      start(0, { type: 'function_call', id: 'fc_1', name: 'write', arguments: {} }),
      ...pieces.map((piece) => delta(0, { type: 'arguments_delta', arguments: piece })),
      stop(0),
      completed('requires_action'),
    );
    expect(events.filter(({ type }) => type === 'tool-call-delta')).toHaveLength(pieces.length);
    expect(events.find((event) => event.type === 'block-end')?.block).toMatchObject({
      arguments: text,
      state: 'whole',
    });
  });

  it('fails only with errors of its own for a body of anything', () => {
    const { error } = read(null, 0, '', [], {}, { event_type: null }, { event_type: {} }, { event_type: '' });
    expect(isModelStreamError(error)).toBe(true);
  });
});
