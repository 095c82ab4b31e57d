import { cohere, type CohereTurn, type FinishEvent, type ModelEvent, type TokenUsage } from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const START = { type: 'message-start', id: 'c-1', delta: { message: { role: 'assistant' } } };
const end = (finish_reason?: unknown, more: object = {}) => ({
  type: 'message-end',
  delta: { finish_reason, ...more },
});
const END = end('COMPLETE');
const contentStart = (index: number | undefined, content: object) => ({
  type: 'content-start',
  index,
  delta: { message: { content } },
});
const contentDelta = (index: number | undefined, content: object) => ({
  ...contentStart(index, content),
  type: 'content-delta',
});
const callStart = (index: number | undefined, name: string | undefined, id?: string, args = '') => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: args } } } },
});
const callDelta = (index: number | undefined, args: string) => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: args } } } },
});
const plan = (tool_plan: string) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan } } });
const citation = (citations: object) => ({ type: 'citation-start', index: 0, delta: { message: { citations } } });

describeProviderContract('cohere()', {
  create: cohere,
  fixtures: fixturesOf('cohere'),
  recordings: recordingsOf('cohere', 'sse'),
  keepAlives: ['[DONE]'],
  unknowns: [
    { title: 'an unknown event', payloads: [{ type: 'hologram-start', index: 0 }, { hologram: { rays: 3 } }] },
    { title: 'the prompt', payloads: [{ type: 'debug', prompt: 'Hi' }] },
    {
      title: 'an unknown content',
      payloads: [
        contentStart(1000, { type: 'hologram', rays: 3 }),
        contentDelta(1000, { rays: 4 }),
        { type: 'content-end', index: 1000 },
        contentStart(0, { type: 'hologram', text: 'not text' }),
        contentDelta(0, { rays: 4 }),
      ],
    },
    { title: 'a call without a name', payloads: [callStart(1000, undefined, 'x'), callDelta(1000, '{}')] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', [END]] },
  ],
});

const read = (...payloads: readonly unknown[]) => readFrames(cohere(), framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(START, ...payloads, END).events;
const blocksOf = (...payloads: readonly unknown[]) =>
  eventsOf(...payloads).flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
const finishIn = (events: readonly ModelEvent[]) =>
  events.find((event): event is FinishEvent<CohereTurn> => event.type === 'finish');

describe('cohere().lifecycleOf tells what an event means for the life of the message', () => {
  it.each([
    ['the sentinel', '[DONE]', { phase: 'idle' }],
    ['the start', START, { phase: 'preamble' }],
    ['text', contentDelta(0, { text: 'Hi' }), { phase: 'content' }],
    ['the end', END, { phase: 'content', ending: 'final' }],
    ['an end without a reason', { type: 'message-end' }, { phase: 'content', ending: 'final' }],
    ['a time-out', end('TIMEOUT'), { phase: 'content', ending: 'final' }],
    ['something unknown', { type: 'hologram' }, { phase: 'content' }],
    ['an object without a type', { usage: {} }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(cohere().lifecycleOf({ value })).toEqual(lifecycle);
  });

  it.each([
    ['the reason ERROR', end('ERROR'), 'ERROR', 'The model stopped with "ERROR"', true],
    ['the reason ERROR in words', end('ERROR', { error: 'It failed.' }), 'ERROR', 'It failed.', true],
    ['an error beside another reason', end('TIMEOUT', { error: 'Too slow.' }), 'TIMEOUT', 'Too slow.', true],
    ['an error without a reason', end(undefined, { error: 'It failed.' }), 'ERROR', 'It failed.', true],
    ['the answer to a request it refuses', { id: 'x', message: 'No key.' }, undefined, 'No key.', false],
  ])('%s is a failure', (_what, value, providerCode, message, retryable) => {
    const error = cohere().lifecycleOf({ value }).error;
    expect(error?.toJSON()).toMatchObject({ code: 'provider', provider: 'cohere', message, retryable });
    expect(error?.providerCode).toBe(providerCode);
  });
});

describe('cohere() ends as the service says', () => {
  it.each([
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['TOOL_CALL', 'tool-calls'],
    ['TIMEOUT', 'other'],
    ['HOLOGRAM', 'other'],
    ['__proto__', 'other'],
  ])('%s is %s', (word, reason) => {
    expect(finishIn(read(START, end(word)).events)).toMatchObject({ reason, rawReason: word });
  });

  it('other, without a word, where it says none', () => {
    const finish = { type: 'finish', reason: 'other', turn: { role: 'assistant' } };
    expect(finishIn(read(START, { type: 'message-end' }).events)).toEqual(finish);
  });

  it('and cuts a call that the token limit left open', () => {
    const { events } = read(START, callStart(0, 'ring', 'a', '{}'), end('MAX_TOKENS'));
    expect(events).toContainEqual({
      type: 'block-end',
      index: 0,
      block: { kind: 'tool-call', id: 'a', name: 'ring', arguments: '{}', format: 'json', state: 'cut' },
    });
  });
});

describe('cohere() reads content, plan and calls', () => {
  const text = (said: string) => ({ kind: 'text', text: said });
  const reasoning = (said: string) => ({ kind: 'reasoning', text: said });
  const stop = (index: number) => ({ type: 'content-end', index });

  it.each([
    ['text', [contentStart(0, { type: 'text', text: 'O' }), contentDelta(0, { text: 'ne' }), stop(0)], [text('One')]],
    [
      'thinking, then text',
      [
        contentStart(0, { type: 'thinking', thinking: 'Hm' }),
        stop(0),
        contentStart(1, { type: 'text', text: '' }),
        contentDelta(1, { text: 'One' }),
        stop(1),
      ],
      [reasoning('Hm'), text('One')],
    ],
    ['a start without a type', [contentStart(0, { thinking: 'Hm' })], [reasoning('Hm')]],
    ['deltas without a start', [contentDelta(0, { text: 'O' }), contentDelta(0, { text: 'ne' })], [text('One')]],
    [
      'deltas without an index',
      [contentDelta(undefined, { text: 'O' }), contentDelta(undefined, { text: 'ne' })],
      [text('One')],
    ],
    [
      'a second start at an index, which ends what was there',
      [contentStart(0, { type: 'text', text: 'A' }), contentStart(0, { type: 'text', text: 'B' })],
      [text('A'), text('B')],
    ],
    ['a plan', [plan('I will'), plan(' ask.')], [reasoning('I will ask.')]],
    ['an empty plan', [plan('')], []],
  ])('%s', (_what, payloads, blocks) => {
    expect(blocksOf(...payloads)).toEqual(blocks);
  });

  it.each([
    ['of another kind', [contentStart(0, { type: 'text', text: 'Hi' }), contentDelta(0, { thinking: 'Hm' })]],
    ['after the end', [contentStart(0, { type: 'text', text: 'Hi' }), stop(0), contentDelta(0, { text: '!' })]],
    ['of a call that never began', [callDelta(3, '{}')]],
  ])('passes a delta %s on as raw', (_what, payloads) => {
    expect(eventsOf(...payloads)).toContainEqual({ type: 'raw', provider: 'cohere', event: payloads.at(-1) });
  });

  it('keeps content and calls of one index apart, and calls of one index one after the other', () => {
    const blocks = blocksOf(
      contentStart(0, { type: 'text', text: 'Hi' }),
      callStart(0, 'ring', 'a'),
      contentDelta(0, { text: '!' }),
      callDelta(0, '{"n":1}'),
      callStart(0, 'ring', 'b'),
      callDelta(0, '{"n":2}'),
    );
    expect(blocks).toContainEqual(text('Hi!'));
    expect(blocks.flatMap((block) => (block.kind === 'tool-call' ? [[block.id, block.arguments]] : []))).toEqual([
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ]);
  });
});

describe('cohere() cites', () => {
  const TEXT = contentStart(0, { type: 'text', text: 'Low tide' });
  const words = { start: 4, end: 8, text: 'tide' };
  const citationsOf = (...payloads: readonly unknown[]) =>
    eventsOf(...payloads).flatMap((event) => (event.type === 'citation' ? [event.citation] : []));

  it.each([
    ['once for each source', { ...words, sources: [{ id: 'a' }, { id: 'b' }] }, [{ source: 'a' }, { source: 'b' }]],
    ['without a source', { ...words, sources: [] }, [{}]],
    ['a source of any fields', { ...words, sources: ['?', { type: 'tool', tool_output: {} }] }, [{}, {}]],
    [
      'a document',
      { ...words, sources: [{ type: 'document', id: 'd', document: { title: 'T', url: 'https://t.example', n: 1 } }] },
      [{ source: 'd', title: 'T', url: 'https://t.example' }],
    ],
  ])('%s', (_what, wire, citations) => {
    const expected = citations.map((facts) => ({ ...facts, start: 4, end: 8, raw: wire }));
    expect(citationsOf(TEXT, citation(wire))).toEqual(expected);
  });

  it.each([
    ['that lead to other words', { start: 3, end: 7, text: 'tide', sources: [] }],
    ['beyond the text', { start: 80, end: 84, text: 'tide', sources: [] }],
    ['of which one is missing', { start: 4, text: 'tide', sources: [] }],
    ['before the text', { start: -4, end: 8, text: 'tide', sources: [] }],
    ['the wrong way round', { start: 8, end: 4, text: '', sources: [] }],
    ['without the words they lead to', { start: 4, end: 8, sources: [] }],
  ])('without offsets %s', (_what, wire) => {
    expect(citationsOf(TEXT, citation(wire))).toEqual([{ raw: wire }]);
  });

  it('with offsets wherever the deltas were cut', () => {
    const said = 'Low tide 🌊 at seven';
    for (const size of [1, 2, 3, 7, 50]) {
      const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
      for (const [start, end] of [
        [0, 3],
        [4, 8],
        [9, 11],
        [12, 20],
        [0, said.length],
        [5, 5],
      ] as const) {
        const wire = { start, end, text: said.slice(start, end), sources: [] };
        const deltas = pieces.map((text) => contentDelta(0, { text }));
        expect(citationsOf(...deltas, citation(wire))).toEqual([{ start, end, raw: wire }]);
      }
    }
  });

  it('in the content that the citation names, and else in the latest text', () => {
    const second = contentStart(1, { type: 'text', text: 'High tide' });
    const events = eventsOf(
      TEXT,
      second,
      citation({ ...words, content_index: 0 }),
      citation({ start: 0, end: 4, text: 'High' }),
    );
    expect(events.flatMap((event) => (event.type === 'citation' ? [event.index] : []))).toEqual([0, 1]);
  });

  it('in a text that comes later, and in one that has ended', () => {
    const wire = { ...words, sources: [] };
    const cited = { start: 4, end: 8, raw: wire };
    expect(citationsOf(citation(wire), TEXT)).toEqual([cited]);
    const updates = eventsOf(TEXT, { type: 'content-end', index: 0 }, citation(wire)).filter(
      (event) => event.type === 'block-update',
    );
    expect(updates).toEqual([
      { type: 'block-update', index: 0, block: { kind: 'text', text: 'Low tide', citations: [cited] } },
    ]);
  });

  it.each(['PLAN', 'THINKING_CONTENT'])('not what is no text: %s', (type) => {
    const wire = citation({ ...words, type, sources: [] });
    expect(citationsOf(TEXT, wire)).toEqual([]);
    expect(eventsOf(TEXT, wire)).toContainEqual({ type: 'raw', provider: 'cohere', event: wire });
  });
});

describe('cohere() counts tokens', () => {
  const usageOf = (usage: object): TokenUsage | undefined => {
    const event = read(START, end('COMPLETE', { usage })).events.find(({ type }) => type === 'usage');
    return event?.type === 'usage' ? event.usage : undefined;
  };

  it.each([
    [
      'all there are',
      { tokens: { input_tokens: 9, output_tokens: 7, reasoning_tokens: 3 }, cached_tokens: 4 },
      { inputTokens: 9, outputTokens: 7, reasoningTokens: 3, cachedInputTokens: 4, totalTokens: 16 },
    ],
    ['those of one side', { tokens: { output_tokens: 7 } }, { outputTokens: 7 }],
    ['none that are billed', { billed_units: { input_tokens: 2, output_tokens: 1 } }, {}],
  ])('%s', (_what, wire, usage) => {
    expect(usageOf(wire)).toEqual({ ...usage, raw: wire });
  });

  it('before a failure as well', () => {
    const { events, error } = read(START, end('ERROR', { usage: { tokens: { input_tokens: 9 } } }));
    expect(events.at(-1)).toMatchObject({ type: 'usage', usage: { inputTokens: 9 } });
    expect(error).toMatchObject({ code: 'provider', responseId: 'c-1' });
  });
});

describe('cohere() gives the turn as it is to be sent back', () => {
  const turnOf = (...payloads: readonly unknown[]) => finishIn(eventsOf(...payloads))?.turn;
  const call = (name: string, args: string, id?: string) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: args },
  });

  it.each([
    ['with ids', 'a', 'b'],
    ['without ids', undefined, undefined],
  ])('with a plan and parallel calls %s, none with an id that was made up', (_what, a, b) => {
    const turn = turnOf(
      plan('Both.'),
      callStart(0, 'next_tide', a),
      callDelta(0, '{"port":"Faro"}'),
      { type: 'tool-call-end', index: 0 },
      callStart(1, 'sunrise', b),
      { type: 'tool-call-end', index: 1 },
    );
    expect(turn).toEqual({
      role: 'assistant',
      tool_plan: 'Both.',
      tool_calls: [call('next_tide', '{"port":"Faro"}', a), call('sunrise', '{}', b)],
    });
  });

  it('with thinking, text and citations', () => {
    const cited = { start: 0, end: 2, text: 'Hi', sources: [], type: 'TEXT_CONTENT', content_index: 1 };
    const turn = turnOf(
      contentStart(0, { type: 'thinking', thinking: 'Hm' }),
      contentStart(1, { type: 'text', text: 'Hi' }),
      citation(cited),
    );
    expect(turn).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Hi' },
      ],
      citations: [cited],
    });
  });
});
