import {
  ollama,
  type FinishEvent,
  type ModelEvent,
  type ModelStreamError,
  type OllamaTurn,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const line = (message: object, more: object = {}) => ({
  model: 'm-1',
  created_at: '2026-08-12T09:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
});
const piece = (fields: object) => ({ model: 'm-1', response: '', done: false, ...fields });
const END = line({}, { done: true, done_reason: 'stop' });

describeProviderContract('ollama()', {
  create: ollama,
  fixtures: fixturesOf('ollama'),
  recordings: recordingsOf('ollama', 'ndjson'),
  keepAlives: [line({}), line({ thinking: '' }), piece({})],
  unknowns: [
    { title: 'an unknown line', payloads: [{ status: 'pulling manifest' }, { hologram: { rays: 3 } }] },
    { title: 'an unknown field', payloads: [line({ hologram: { rays: 3 } }), piece({ hologram: { rays: 3 } })] },
    { title: 'progress', payloads: [piece({ completed: 1, total: 9 })] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', [END]] },
  ],
});

const read = (...payloads: readonly unknown[]) => readFrames(ollama(), framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(...payloads).events;
const blocksOf = (...payloads: readonly unknown[]) =>
  eventsOf(...payloads).flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
const finishOf = (...payloads: readonly unknown[]) =>
  eventsOf(...payloads).find((event): event is FinishEvent<OllamaTurn> => event.type === 'finish');
const usagesOf = (...payloads: readonly unknown[]): TokenUsage[] =>
  eventsOf(...payloads).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));

describe('ollama().lifecycleOf tells what a line means for the life of the answer', () => {
  it.each([
    ['text', line({ content: 'Hi' }), { phase: 'content' }],
    ['thinking', line({ thinking: 'Hm' }), { phase: 'content' }],
    ['a call', line({ tool_calls: [{}] }), { phase: 'content' }],
    ['text of generate', piece({ response: 'Hi' }), { phase: 'content' }],
    ['a line that adds nothing', line({}), { phase: 'idle' }],
    ['a line of generate that adds nothing', piece({}), { phase: 'idle' }],
    ['the terminal signal', END, { phase: 'content', ending: 'final' }],
    ['the terminal signal of generate', piece({ done: true }), { phase: 'content', ending: 'final' }],
    ['something unknown', { status: 'success' }, { phase: 'content' }],
    ['an empty object', {}, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [END], { phase: 'content' }],
    ['an error that says nothing', { error: '' }, { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    const { phase, ending } = ollama().lifecycleOf({ value });
    expect({ phase, ...(ending && { ending }) }).toEqual(lifecycle);
  });
});

describe('ollama() reports a failure in band', () => {
  const failureOf = (error: unknown): ModelStreamError | undefined => ollama().lifecycleOf({ value: { error } }).error;

  it.each([
    ['an error was encountered while running the model: unexpected EOF', true],
    ['llama runner process has terminated: exit status 2', true],
    ['server busy, please try again. maximum pending requests exceeded', true],
    ['model is overloaded', true],
    ['request timed out', true],
    ['timeout waiting for the model', true],
    ["model 'x' not found", false],
    ['remote model is unavailable', false], // switched off, with status 403
    ['error parsing tool call: invalid character', false],
    ['unauthorized', false],
  ])('%s, retryable: %s', (message, retryable) => {
    expect(failureOf(message)?.toJSON()).toMatchObject({ code: 'provider', message, provider: 'ollama', retryable });
  });

  it('as an object, which a proxy makes of it', () => {
    expect(failureOf({ message: 'server busy' })).toMatchObject({ message: 'server busy', retryable: true });
  });

  it('after what was complete before it', () => {
    const { events, error } = read(line({ content: 'Hi' }), { error: 'server busy' }, END);
    expect(events.map(({ type }) => type)).toEqual(['response-start', 'block-start', 'text-delta']);
    expect(error).toMatchObject({ code: 'provider', retryable: true });
  });
});

describe('ollama() ends as the last line says', () => {
  const CALL = line({ tool_calls: [{ function: { name: 'ring', arguments: {} } }] });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'other'],
    ['unload', 'other'],
    ['hologram', 'other'],
    ['__proto__', 'other'],
  ])('%s is %s', (done_reason, reason) => {
    expect(finishOf(line({}, { done: true, done_reason }))).toMatchObject({ reason, rawReason: done_reason });
  });

  it.each([
    ['stop after a call', [CALL, END], { reason: 'tool-calls', rawReason: 'stop' }],
    ['length after a call', [CALL, line({}, { done: true, done_reason: 'length' })], { reason: 'length' }],
    ['no reason', [line({}, { done: true })], { reason: 'stop' }],
    ['no reason after a call', [CALL, line({}, { done: true })], { reason: 'tool-calls' }],
  ])('%s', (_what, payloads, finish) => {
    expect(finishOf(...payloads)).toMatchObject(finish);
  });

  it('says no word where Ollama said none', () => {
    expect(finishOf(line({}, { done: true }))).not.toHaveProperty('rawReason');
  });

  it('with the text that the last line still has', () => {
    expect(blocksOf(piece({ response: 'Hi' }), piece({ response: '!', done: true }))).toEqual([
      { kind: 'text', text: 'Hi!' },
    ]);
  });

  it('once, and hears nothing after it', () => {
    expect(eventsOf(line({ content: 'Hi' }), END, line({ content: '!' }), { error: 'late' })).toEqual(
      eventsOf(line({ content: 'Hi' }), END),
    );
  });
});

describe('ollama() writes what is said as blocks, one after another', () => {
  const text = (said: string) => ({ kind: 'text', text: said });
  const reasoning = (said: string) => ({ kind: 'reasoning', text: said });

  it.each([
    ['text', [line({ content: 'On' }), line({ content: 'e' })], [text('One')]],
    ['thinking', [line({ thinking: 'H' }), line({ thinking: 'm' })], [reasoning('Hm')]],
    ['both in one line', [line({ content: 'One', thinking: 'Hm' })], [reasoning('Hm'), text('One')]],
    ['text of generate', [piece({ response: 'On' }), piece({ response: 'e' })], [text('One')]],
    ['thinking of generate', [piece({ thinking: 'Hm' }), piece({ response: 'One' })], [reasoning('Hm'), text('One')]],
    [
      'thinking again',
      [line({ thinking: 'A' }), line({ content: 'B' }), line({ thinking: 'C' })],
      [reasoning('A'), text('B'), reasoning('C')],
    ],
    ['nothing for the line that ends it', [], []],
    [
      'images, each by itself',
      [line({ images: ['YQ==', 'Yg=='] })],
      [
        { kind: 'media', parts: ['YQ=='] },
        { kind: 'media', parts: ['Yg=='] },
      ],
    ],
    ['an image of generate', [piece({ image: 'YQ==' })], [{ kind: 'media', parts: ['YQ=='] }]],
    ['no image that is none', [line({ images: [7, ''] }), piece({ image: null })], []],
  ])('%s', (_what, payloads, blocks) => {
    expect(blocksOf(...payloads, END)).toEqual(blocks);
  });
});

describe('ollama() reads calls that come whole', () => {
  const calls = (...tool_calls: readonly unknown[]) => line({ tool_calls });
  const call = (name: string, args?: unknown, id?: string) => ({
    ...(id !== undefined && { id }),
    function: { name, ...(args !== undefined && { arguments: args }) },
  });

  it.each([
    ['an object', { port: 'Faro', days: [1, 2] }, '{"port":"Faro","days":[1,2]}'],
    ['an empty object', {}, '{}'],
    ['nothing', undefined, '{}'],
    ['null', null, '{}'],
    ['a key that is special elsewhere', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ])('with %s for arguments', (_what, args, written) => {
    expect(blocksOf(calls(call('ring', args, 'call_1')), END)).toEqual([
      { kind: 'tool-call', id: 'call_1', name: 'ring', arguments: written, format: 'json', state: 'whole' },
    ]);
  });

  it('however they are spread over lines', () => {
    const two = [call('ring', {}, 'a'), call('ring', {}, 'b')];
    expect(blocksOf(calls(...two), END)).toEqual(blocksOf(...two.map((wire) => calls(wire)), END));
  });

  it('with an id for each that has none', () => {
    const ids = blocksOf(calls(call('ring'), call('ring')), END).flatMap((block) =>
      block.kind === 'tool-call' && block.syntheticId ? [block.id] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['without a name', { function: { arguments: {} } }],
    ['with an empty name', { function: { name: '', arguments: {} } }],
    ['without a function', { id: 'call_1' }],
    ['that is none', 'ring'],
  ])('and passes one %s on as raw', (_what, wire) => {
    const events = eventsOf(calls(wire, call('ring')), END);
    expect(events).toContainEqual({ type: 'raw', provider: 'ollama', event: wire });
    expect(finishOf(calls(wire), END)).toMatchObject({ reason: 'stop' });
  });

  it.each([
    ['with ids', 'call_a', 'call_b'],
    ['without ids', undefined, undefined],
  ])('and gives parallel calls %s back as they came, none with an id that was made up', (_what, a, b) => {
    const wires = [call('next_tide', { port: 'Faro' }, a), call('sunrise', {}, b)];
    const turn = finishOf(
      line({ thinking: 'Hm' }),
      line({ content: 'Both.' }),
      ...wires.map((wire) => calls(wire)),
      END,
    );
    expect(turn?.turn).toEqual({ role: 'assistant', content: 'Both.', thinking: 'Hm', tool_calls: wires });
  });
});

describe('ollama() counts tokens', () => {
  it.each([
    ['both', { prompt_eval_count: 7, eval_count: 5 }, { inputTokens: 7, outputTokens: 5, totalTokens: 12 }],
    ['no prompt that was cached', { eval_count: 5 }, { outputTokens: 5 }],
    ['no answer', { prompt_eval_count: 7 }, { inputTokens: 7 }],
  ])('%s', (_what, counts, usage) => {
    const [found, ...more] = usagesOf(line({}, { done: true, total_duration: 9, hologram: 1, ...counts }));
    expect(found).toEqual({ ...usage, raw: { total_duration: 9, ...counts } });
    expect(more).toEqual([]);
  });

  it('says nothing where nothing is told', () => {
    expect(usagesOf(line({ content: 'Hi' }), line({}, { done: true, total_duration: 9 }))).toEqual([]);
  });
});

describe('ollama() gives the turn of generate', () => {
  it('with the context that the next request takes', () => {
    const turn = finishOf(piece({ response: 'Hi' }), piece({ done: true, context: [1, 2] }))?.turn;
    expect(turn).toEqual({ role: 'assistant', content: 'Hi', context: [1, 2] });
  });

  it('without one where there is none', () => {
    expect(finishOf(piece({ response: 'Hi' }), piece({ done: true }))?.turn).not.toHaveProperty('context');
  });
});
