import { from, lastValueFrom } from 'rxjs';
import {
  accumulateBlocks,
  isModelStreamError,
  normalize,
  openaiChat,
  parseSSE,
  textOf,
  type Block,
  type FinishEvent,
  type ModelEvent,
  type ModelStreamError,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsAt, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';
import { collectionBytes, describeCollection } from '../support/shared';

const HOLOGRAM = { rays: 3 };
const LEGACY_COMPLETION = 'openai-completions/text-length.sse';

describeProviderContract('openaiChat()', {
  create: openaiChat,
  fixtures: fixturesOf('openai-chat'),
  recordings: [...recordingsOf('openai-chat', 'sse'), ...recordingsAt(LEGACY_COMPLETION)],
  keepAlives: [
    { id: 'chatcmpl-idle', object: 'chat.completion.chunk', created: 7, model: 'm-idle', choices: [{ delta: {} }] },
    { id: '', obfuscation: 'x', usage: null, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: null }] },
  ],
  unknowns: [
    { title: 'an unknown chunk', payloads: [{ object: 'hologram', hologram: HOLOGRAM }] },
    { title: 'a chunk without choices', payloads: [{ choices: [], hologram: HOLOGRAM }] },
    { title: 'an unknown delta', payloads: [{ choices: [{ index: 0, delta: { hologram: HOLOGRAM } }] }] },
    { title: 'an unknown field of a choice', payloads: [{ choices: [{ index: 0, hologram: HOLOGRAM }] }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { choices: [] }]] },
  ],
});

const DONE = '[DONE]';

const provider = openaiChat();
const read = (...payloads: readonly unknown[]) => readFrames(provider, framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(...payloads).events;

const choiceOf = (delta: unknown, finish_reason: unknown = null, index: unknown = 0) => ({
  index,
  delta,
  finish_reason,
});
const chunk = (...choice: Parameters<typeof choiceOf>) => ({ id: 'c-1', model: 'm-1', choices: [choiceOf(...choice)] });
const STOP = chunk({}, 'stop');

/** The blocks of an answer of these deltas, as they ended, in order. */
function blocksOf(...deltas: readonly unknown[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of eventsOf(...deltas.map((delta) => chunk(delta)), STOP, DONE)) {
    if ('block' in event) blocks[event.index] = event.block;
  }
  return blocks;
}

function finishOf(...payloads: readonly unknown[]): FinishEvent {
  const finish = eventsOf(...payloads).find((event) => event.type === 'finish');
  if (!finish) throw new Error('The stream has no ending');
  return finish;
}

describe('openaiChat().lifecycleOf tells what a payload means for the life of the answer', () => {
  it.each([
    ['the sentinel', DONE, { phase: 'content', ending: 'final' }],
    ['the role', chunk({ role: 'assistant', content: '' }), { phase: 'preamble' }],
    ['the role and nothing', chunk({ role: 'assistant', content: null, refusal: null }), { phase: 'preamble' }],
    ['text', chunk({ content: 'Hi' }), { phase: 'content' }],
    ['reasoning', chunk({ content: '', reasoning: 'Hm' }), { phase: 'content' }],
    ['a call', chunk({ tool_calls: [{ index: 0 }] }), { phase: 'content' }],
    ['no call', chunk({ content: '', tool_calls: [] }), { phase: 'preamble' }],
    ['an empty delta, which keeps alive', chunk({}), { phase: 'idle' }],
    ['an empty delta with a reason', STOP, { phase: 'content', ending: 'possible' }],
    ['an empty delta with the empty reason', chunk({}, ''), { phase: 'idle' }],
    ['text with a reason', chunk({ content: 'Hi' }, 'length'), { phase: 'content', ending: 'possible' }],
    ['an empty delta with usage', { ...chunk({}), usage: { prompt_tokens: 1 } }, { phase: 'preamble' }],
    ['usage alone', { choices: [], usage: { prompt_tokens: 1 } }, { phase: 'content' }],
    ['a choice without a delta', { choices: [{ index: 0, content_filter_offsets: {} }] }, { phase: 'preamble' }],
    ['something unknown', { hologram: HOLOGRAM }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [STOP], { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });

  it('leaves the name of a frame aside where the payload has choices', () => {
    expect(provider.lifecycleOf({ name: 'error', value: chunk({ content: 'Hi' }) })).toEqual({ phase: 'content' });
  });
});

describe('openaiChat() reports a failure in band', () => {
  const failureOf = (value: unknown, name?: string): ModelStreamError | undefined =>
    provider.lifecycleOf({ value, ...(name !== undefined && { name }) }).error;

  it.each([
    ['server_error', true],
    ['rate_limit_exceeded', true],
    ['engine_overloaded', true],
    ['gateway_timeout', true],
    ['provider_unavailable', true],
    [429, true],
    [500, true],
    [502, true],
    ['503', true],
    [408, true],
    [400, false],
    [402, false],
    ['invalid_prompt', false],
    ['context_length_exceeded', false],
    ['insufficient_quota', false],
    ['tool_use_failed', false],
    ['content_filter', false],
    ['hologram_error', false],
  ])('%s, retryable: %s, in each of its shapes', (code, retryable) => {
    const message = 'It failed.';
    for (const value of [
      { error: { message, type: 'some_error', param: null, code } },
      { ...chunk({ content: '' }, 'error'), error: { code, message, metadata: { provider_name: 'Upstream' } } },
      { object: 'error', message, type: 'some_error', param: null, code },
      { code, message, type: 'some_error' },
    ]) {
      expect(failureOf(value)?.toJSON()).toMatchObject({
        code: 'provider',
        message,
        provider: 'openai-chat',
        providerCode: String(code),
        retryable,
      });
    }
  });

  it.each([
    ['by its type where it has no code', { error: { message: 'It failed.', type: 'server_error' } }, 'server_error'],
    ['as text', { error: 'It failed.' }, undefined],
    ['as text beside a code', { code: 'broken', error: 'It failed.' }, 'broken'],
    ['with details around it', { detail: 'It', error: { message: 'It failed.' } }, undefined],
    ['without a message', { error: {} }, undefined],
    ['of Groq', { choices: [], x_groq: { id: 'req_1', error: 'It failed.' } }, undefined],
    ['by a finish reason', chunk({}, 'error'), 'error'],
    ['by that of DeepSeek', chunk({}, 'insufficient_system_resource'), 'insufficient_system_resource'],
  ])('%s', (_what, value, providerCode) => {
    const failure = failureOf(value);
    expect(failure).toMatchObject({ code: 'provider', providerCode });
    expect(failure?.message).not.toBe('');
  });

  it('by the name of its event alone', () => {
    expect(failureOf({ message: 'It failed.' }, 'error')).toMatchObject({ code: 'provider', message: 'It failed.' });
    expect(failureOf({ message: 'It failed.' }, 'note')).toBeUndefined();
  });

  it.each([
    ['no error', { ...chunk({ content: 'Hi' }), error: null }],
    ['an empty one', { ...chunk({ content: 'Hi' }), error: '' }],
    ['a message of something else', { message: 'Perhaps' }],
    ['a choice that has an error of its own', { choices: [{ index: 0, delta: {}, error: {} }] }],
  ])('but not %s', (_what, value) => {
    expect(failureOf(value)).toBeUndefined();
  });

  it('after what was complete before it, its own usage included, with the id of the response', () => {
    const failed = { ...chunk({ content: '' }), error: { code: 400, message: 'No' }, usage: { prompt_tokens: 3 } };
    const { events, error } = read(chunk({ content: 'Hi' }), chunk({}, 'length'), failed, DONE);
    expect(events.map(({ type }) => type)).toEqual(['response-start', 'block-start', 'text-delta', 'raw', 'usage']);
    expect(error).toMatchObject({ code: 'provider', providerCode: '400', responseId: 'c-1' });
  });
});

describe('openaiChat() ends as the service says', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['eos_token', 'other'],
    ['__proto__', 'other'],
  ])('%s is %s', (word, reason) => {
    expect(finishOf(chunk({ content: 'Hi' }), chunk({}, word), DONE)).toMatchObject({ reason, rawReason: word });
  });

  const CALL = { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'ring', arguments: '{}' } }] };
  it.each([
    ['stop after a call', [chunk(CALL), STOP], 'tool-calls', 'stop'],
    ['length after a call', [chunk(CALL), chunk({}, 'length')], 'length', 'length'],
    ['a filter after a call', [chunk(CALL), chunk({}, 'content_filter')], 'content-filter', 'content_filter'],
    ['stop after a refusal', [chunk({ refusal: 'No' }), STOP], 'content-filter', 'stop'],
    ['stop after an empty refusal', [chunk({ content: 'Hi', refusal: '' }), STOP], 'stop', 'stop'],
    ['two reasons', [chunk(CALL, 'tool_calls'), chunk({ content: '\n' }, 'stop')], 'tool-calls', 'stop'],
    ['the same one twice', [chunk({ content: 'Hi' }), STOP, STOP], 'stop', 'stop'],
    ['a later null', [chunk({ content: 'Hi' }, 'stop'), chunk({ content: '' })], 'stop', 'stop'],
    ['a later chunk without a delta', [chunk({ content: 'Hi' }, 'stop'), { choices: [{ index: 0 }] }], 'stop', 'stop'],
    ['what is no word', [chunk({ content: 'Hi' }, 'stop'), chunk({}, 7), chunk({}, ['length'])], 'stop', 'stop'],
  ])('%s', (_what, payloads, reason, rawReason) => {
    expect(finishOf(...payloads, DONE)).toMatchObject({ reason, rawReason });
  });

  it('other, without a raw word, where the sentinel comes alone', () => {
    expect(eventsOf(DONE).map(({ type }) => type)).toEqual(['response-start', 'finish']);
    expect(finishOf(DONE)).toEqual({ type: 'finish', reason: 'other' });
    expect(finishOf(chunk({ content: 'Hi' }), DONE)).not.toHaveProperty('rawReason');
  });

  it('at the end of the body where a reason was given, and is truncated where none was', () => {
    expect(read(chunk({ content: 'Hi' }), STOP).events).toEqual(read(chunk({ content: 'Hi' }), STOP, DONE).events);
    expect(read(chunk({ content: 'Hi' })).error).toMatchObject({ code: 'truncated', responseId: 'c-1' });
    expect(read().error).toMatchObject({ code: 'truncated', retryable: true });
  });

  it('is truncated when the body ends after content that came behind a reason', () => {
    const payloads = [chunk({ content: 'Hi' }), STOP, chunk({ content: ' there' })];
    expect(read(...payloads).error).toMatchObject({ code: 'truncated' });
    expect(read(...payloads, STOP).error).toBeUndefined();
  });

  it('once, and hears nothing after the sentinel', () => {
    const whole = [chunk({ content: 'Hi' }), STOP, DONE];
    expect(read(...whole, chunk({ content: '!' }), { error: { message: 'Late' } }, DONE)).toMatchObject({
      events: eventsOf(...whole),
      error: undefined,
    });
  });
});

describe('openaiChat() tells alternatives apart', () => {
  const both = (text: string) => ({
    id: 'c-1',
    choices: [choiceOf({ content: `B${text}` }, null, 1), choiceOf({ content: `A${text}` }, null, 0)],
  });

  it('marks the blocks of all but the first, and says of each how it ended', () => {
    const payloads = [both('0'), both('1'), chunk({}, 'length', 1), chunk({}, 'stop', 0), DONE];
    const ends = eventsOf(...payloads).filter((event) => event.type === 'block-end');
    expect(ends.map(({ block }) => block)).toEqual([
      { kind: 'text', text: 'B0B1', choice: 1 },
      { kind: 'text', text: 'A0A1' },
    ]);
    expect(finishOf(...payloads)).toEqual({
      type: 'finish',
      reason: 'stop',
      rawReason: 'stop',
      choices: [
        { choice: 0, reason: 'stop', rawReason: 'stop' },
        { choice: 1, reason: 'length', rawReason: 'length' },
      ],
      turn: { role: 'assistant', content: 'A0A1' },
    });
  });

  it('keeps their calls apart, which have the same indexes', () => {
    const piece = (index: number, id: string) =>
      chunk({ tool_calls: [{ index: 0, id, function: { name: 'ring', arguments: '{}' } }] }, null, index);
    const payloads = [piece(0, 'call_a'), piece(1, 'call_b'), chunk({}, 'tool_calls', 0), chunk({}, 'tool_calls', 1)];
    const ends = eventsOf(...payloads, DONE).filter((event) => event.type === 'block-end');
    expect(ends.map(({ block }) => [block.choice, block.kind === 'tool-call' && block.id])).toEqual([
      [undefined, 'call_a'],
      [1, 'call_b'],
    ]);
  });

  it('is truncated when the body ends before the last of them has', () => {
    const payloads = [both('0'), chunk({}, 'stop', 0)];
    expect(read(...payloads).error).toMatchObject({ code: 'truncated', retryable: true });
    expect(finishOf(...payloads, DONE).choices).toEqual([
      { choice: 0, reason: 'stop', rawReason: 'stop' },
      { choice: 1, reason: 'other' },
    ]);
  });

  it('names no choices where there is one', () => {
    expect(finishOf(chunk({ content: 'Hi' }), STOP, DONE)).not.toHaveProperty('choices');
  });
});

describe('openaiChat() writes what is said as blocks, one after another', () => {
  const text = (said: string) => ({ kind: 'text', text: said });
  const reasoning = (said: string) => ({ kind: 'reasoning', text: said });

  it.each([
    ['text', [{ content: 'On' }, { content: 'e' }], [text('One')]],
    ['reasoning', [{ reasoning_content: 'H' }, { reasoning_content: 'm' }], [reasoning('Hm')]],
    ['reasoning by its other name', [{ reasoning: 'H' }, { reasoning: 'm' }], [reasoning('Hm')]],
    ['reasoning by both names', [{ reasoning: 'Hm', reasoning_content: 'Hm' }], [reasoning('Hm')]],
    [
      'reasoning that its details repeat',
      [{ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }],
      [reasoning('Hm')],
    ],
    [
      'reasoning in the details alone',
      [
        { reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'm', index: 1 }] },
      ],
      [reasoning('Hm')],
    ],
    ['text after reasoning', [{ reasoning: 'Hm' }, { content: 'One' }], [reasoning('Hm'), text('One')]],
    ['both in one delta', [{ reasoning: 'Hm', content: 'One' }], [reasoning('Hm'), text('One')]],
    [
      'reasoning again after text',
      [{ reasoning: 'A' }, { content: 'B' }, { reasoning: 'C' }, { content: 'D' }],
      [reasoning('A'), text('B'), reasoning('C'), text('D')],
    ],
    ['a refusal', [{ content: '', refusal: 'No' }], [{ ...text('No'), refusal: true }]],
    ['a refusal after text', [{ content: 'Hm.' }, { refusal: 'No' }], [text('Hm.'), { ...text('No'), refusal: true }]],
    ['nothing of empty deltas', [{ content: '' }, { reasoning: '', content: null }, { refusal: '' }], []],
    ['nothing of what is no text', [{ content: 7, reasoning: {}, refusal: false, reasoning_content: ['x'] }], []],
  ])('%s', (_what, deltas, blocks) => {
    expect(blocksOf(...deltas)).toEqual(blocks);
  });

  it('ends reasoning when text begins', () => {
    const events = eventsOf(chunk({ reasoning: 'Hm' }), chunk({ content: 'One' }), STOP, DONE);
    expect(events.slice(3, 5).map(({ type }) => type)).toEqual(['block-end', 'block-start']);
  });

  it('reads content in parts, and passes on those it has no word for', () => {
    const thinking = (said: string) => ({ type: 'thinking', thinking: [{ type: 'text', text: said }], closed: true });
    const reference = { type: 'reference', reference_ids: [3] };
    const payloads = [
      chunk({ content: [thinking('H'), thinking('m')] }),
      chunk({ content: [{ ...thinking('.'), signature: 'c2ln' }, { type: 'text', text: 'On' }, reference] }),
      chunk({ content: 'e' }),
      STOP,
      DONE,
    ];
    const events = eventsOf(...payloads);
    expect(events).toContainEqual({
      type: 'block-end',
      index: 0,
      block: { kind: 'reasoning', text: 'Hm.', signature: 'c2ln' },
    });
    expect(events).toContainEqual({ type: 'block-end', index: 1, block: text('One') });
    expect(events).toContainEqual({ type: 'raw', provider: 'openai-chat', event: reference });
    expect(finishOf(...payloads).turn).toEqual({
      role: 'assistant',
      content: [
        { ...thinking('Hm.'), signature: 'c2ln' },
        { type: 'text', text: 'On' },
        reference,
        { type: 'text', text: 'e' },
      ],
    });
  });

  const SIGNED = { type: 'reasoning.text', signature: 'c2ln', index: 0 };
  const ENCRYPTED = { type: 'reasoning.encrypted', data: 'ZW5j', index: 0 };
  it.each([
    ['before the end of the reasoning', [{ reasoning: 'Hm' }, { reasoning_details: [SIGNED] }, { content: 'One' }]],
    ['after it', [{ reasoning: 'Hm' }, { content: 'One' }, { reasoning_details: [SIGNED] }]],
  ])('keeps a signature that comes %s', (_what, deltas) => {
    expect(blocksOf(...deltas)).toEqual([{ ...reasoning('Hm'), signature: 'c2ln' }, text('One')]);
  });

  it('shows encrypted reasoning without a text as an empty block', () => {
    expect(blocksOf({ reasoning_details: [ENCRYPTED] }, { content: 'One' })).toEqual([
      { ...reasoning(''), encrypted: 'ZW5j' },
      text('One'),
    ]);
  });

  it('cites in the text, before which a citation waits', () => {
    const raw = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', end_index: 2 } };
    const late = { type: 'url_citation', url_citation: { url: 'https://b.example', start_index: 1, end_index: 3 } };
    const events = eventsOf(
      chunk({ annotations: [raw] }),
      chunk({ content: 'One' }),
      chunk({ annotations: [late] }),
      STOP,
      DONE,
    );
    expect(events.map(({ type }) => type).slice(1, -2)).toEqual([
      'block-start',
      'citation',
      'text-delta',
      'citation',
      'raw',
    ]);
    expect(events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []))).toEqual([
      { url: 'https://a.example', title: 'A', end: 2, raw },
      { url: 'https://b.example', start: 1, end: 3, raw: late },
    ]);
  });

  it('cites each source of the answer once, wherever its chunk stands', () => {
    const search_results = [{ title: 'A', url: 'https://a.example' }, { title: 'Again', url: 'https://a.example' }, 7];
    const citations = ['https://a.example', 'https://b.example', 7];
    const events = eventsOf(
      { ...chunk({ content: 'One' }), citations, search_results },
      STOP,
      { choices: [], citations: [...citations, 'https://c.example'] },
      DONE,
    );
    expect(events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []))).toEqual([
      { url: 'https://a.example', title: 'A', raw: search_results[0] },
      { url: 'https://b.example', raw: 'https://b.example' },
      { url: 'https://c.example', raw: 'https://c.example' },
    ]);
  });
});

describe('openaiChat() puts the pieces of calls together', () => {
  const piece = (index?: number, id?: string, name?: string, args?: unknown) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  });

  /** The calls of an answer, a chunk for each list of pieces; a made-up id as `*`. */
  function callsOf(...chunks: readonly (readonly unknown[])[]): readonly (readonly string[])[] {
    return blocksOf(...chunks.map((tool_calls) => ({ tool_calls }))).flatMap((block) =>
      block.kind === 'tool-call' ? [[block.syntheticId ? '*' : block.id, block.name, block.arguments]] : [],
    );
  }

  it.each([
    [
      'by index',
      [[piece(0, 'a', 'ring', '{"n"')], [piece(0, undefined, undefined, ':1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'by index, interleaved and several in a chunk',
      [
        [piece(0, 'a', 'ring', ''), piece(1, 'b', 'ring', '')],
        [piece(1, undefined, undefined, '{"n"'), piece(0, undefined, undefined, '{"n"')],
        [piece(0, undefined, undefined, ':1}'), piece(1, undefined, undefined, ':2}')],
      ],
      [
        ['a', 'ring', '{"n":1}'],
        ['b', 'ring', '{"n":2}'],
      ],
    ],
    [
      'a new id at a known index',
      [[piece(0, 'a', 'ring', '{"n":1}')], [piece(0, 'b', 'ring', '{"n":2}')]],
      [
        ['a', 'ring', '{"n":1}'],
        ['b', 'ring', '{"n":2}'],
      ],
    ],
    [
      'new ids without an index',
      [[piece(undefined, 'a', 'ring', '{"n":1}')], [piece(undefined, 'b', 'toll', '{}')]],
      [
        ['a', 'ring', '{"n":1}'],
        ['b', 'toll', '{}'],
      ],
    ],
    [
      'a known id before any index',
      [
        [piece(0, 'a', 'ring', '{"n"')],
        [piece(1, 'b', 'ring', '{"n"')],
        [piece(1, 'a', undefined, ':1}')],
        [piece(undefined, 'b', undefined, ':2}')],
      ],
      [
        ['a', 'ring', '{"n":1}'],
        ['b', 'ring', '{"n":2}'],
      ],
    ],
    [
      'an empty id and an empty name as none',
      [[piece(0, 'a', 'ring', '')], [piece(0, '', '', '{"n":1}')], [piece(0, '', undefined, '')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'the name again before whole arguments as a repetition',
      [[piece(0, 'a', 'ring', '{"n"')], [piece(0, undefined, 'ring', ':1')], [piece(0, undefined, 'ring', '}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'the name again with arguments that begin as another call',
      [[piece(0, undefined, 'ring', '{"n":1}')], [piece(0, undefined, 'ring', '{"n":2}')]],
      [
        ['*', 'ring', '{"n":1}'],
        ['*', 'ring', '{"n":2}'],
      ],
    ],
    [
      'names without id and index as calls',
      [[piece(undefined, undefined, 'ring', '{}')], [piece(undefined, undefined, 'toll', '{}')]],
      [
        ['*', 'ring', '{}'],
        ['*', 'toll', '{}'],
      ],
    ],
    [
      'arguments alone as those of the only call',
      [[piece(undefined, 'a', 'ring', '{"n"')], [piece(undefined, undefined, undefined, ':1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'arguments alone as those of the latest call, where none has an index',
      [
        [piece(undefined, 'a', 'ring', '')],
        [piece(undefined, undefined, undefined, '{"n":1}')],
        [piece(undefined, 'b', 'toll', '')],
        [piece(undefined, undefined, undefined, '{"n"')],
        [piece(undefined, undefined, undefined, ':2}')],
      ],
      [
        ['a', 'ring', '{"n":1}'],
        ['b', 'toll', '{"n":2}'],
      ],
    ],
    [
      'arguments alone among several calls with indexes as nothing',
      [[piece(0, 'a', 'ring', '{}'), piece(1, 'b', 'toll', '{}')], [piece(undefined, undefined, undefined, ',')]],
      [
        ['a', 'ring', '{}'],
        ['b', 'toll', '{}'],
      ],
    ],
    [
      'another id with every piece as the same call',
      [[piece(0, 'a', 'ring', '')], [piece(0, 'b', undefined, '{"n"')], [piece(0, 'c', undefined, ':1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'one id at two indexes as two calls',
      [[piece(0, 'a', 'ring', '{"n":1}')], [piece(1, 'a', 'toll', '{"n":2}')]],
      [
        ['a', 'ring', '{"n":1}'],
        ['a', 'toll', '{"n":2}'],
      ],
    ],
    [
      'one id at two indexes as two calls, in pieces too',
      [
        [piece(0, 'a', 'ring', '')],
        [piece(0, undefined, undefined, '{"n":1}')],
        [piece(1, 'a', 'toll', '')],
        [piece(1, undefined, undefined, '{"n":2}')],
      ],
      [
        ['a', 'ring', '{"n":1}'],
        ['a', 'toll', '{"n":2}'],
      ],
    ],
    [
      'the name with every piece, one of which begins an object',
      [
        [piece(0, 'a', 'ring', '{"n":')],
        [piece(0, undefined, 'ring', '{"m":"}"')],
        [piece(0, undefined, 'ring', '}}')],
      ],
      [['a', 'ring', '{"n":{"m":"}"}}']],
    ],
    [
      'a name that comes after arguments',
      [[piece(0, 'a', undefined, '{"n"')], [piece(0, undefined, 'ring', ':1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    [
      'an id that comes after arguments',
      [[piece(0, undefined, 'ring', '{"n"')], [piece(0, 'a', undefined, ':1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    ['no name as no call', [[piece(0, 'a', undefined, '{"n":1}')]], []],
    ['no arguments as an empty object', [[piece(0, 'a', 'ring')], [piece(0)]], [['a', 'ring', '{}']]],
    [
      'null as no arguments',
      [[piece(0, 'a', 'ring', null)], [piece(0, undefined, undefined, '{"n":1}')]],
      [['a', 'ring', '{"n":1}']],
    ],
    ['arguments that are an object', [[piece(0, 'a', 'ring', { n: [1] })]], [['a', 'ring', '{"n":[1]}']]],
    [
      'a piece behind whole arguments',
      [[piece(0, 'a', 'ring', '{}')], [piece(0, undefined, undefined, '\n')]],
      [['a', 'ring', '{}\n']],
    ],
  ])('%s', (_what, chunks, calls) => {
    expect(callsOf(...chunks)).toEqual(calls);
  });

  it('keeps the id it made up in every event of a call', () => {
    const events = eventsOf(
      chunk({ tool_calls: [piece(0, undefined, 'ring', '{"n"')] }),
      chunk({ tool_calls: [piece(0, undefined, undefined, ':1}')] }),
      STOP,
      DONE,
    );
    const ids = events.flatMap((event) => {
      if ('block' in event) return event.block.kind === 'tool-call' ? [event.block.id] : [];
      return event.type === 'tool-call-delta' ? [event.id] : [];
    });
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).not.toBe('');
  });

  it('ends calls with the answer, never before, in order', () => {
    const pieces = [piece(0, 'a', 'ring', '{}'), piece(1, 'b', 'toll', '{}')].map((call) =>
      chunk({ tool_calls: [call] }),
    );
    const events = eventsOf(...pieces, chunk({ content: 'Hi' }), chunk({}, 'tool_calls'), DONE);
    const ends = events.flatMap((event, place) => (event.type === 'block-end' ? [place] : []));
    expect(ends).toEqual([events.length - 4, events.length - 3, events.length - 2]);
    const ids = events.flatMap((event) =>
      event.type === 'block-end' && event.block.kind === 'tool-call' ? [event.block.id] : [],
    );
    expect(ids).toEqual(['a', 'b']);
  });

  it.each([
    ['the token limit', 'length', '{"n":1'],
    ['the token limit before its first character', 'length', ''],
    ['nothing the service tells of', 'tool_calls', '{"n":1'],
  ])('cuts the call that was ended by %s', (_what, word, args) => {
    const call = { tool_calls: [piece(0, 'a', 'ring', args)] };
    const end = eventsOf(chunk(call), chunk({}, word), DONE).find((event) => event.type === 'block-end');
    expect(end?.block).toMatchObject({ arguments: args, state: 'cut' });
  });

  it('leaves the calls before the one that was cut whole', () => {
    const call = { tool_calls: [piece(0, 'a', 'ring', '{}'), piece(1, 'b', 'ring', '{}')] };
    const ends = eventsOf(chunk(call), chunk({}, 'length'), DONE).filter((event) => event.type === 'block-end');
    expect(ends.map(({ block }) => block.kind === 'tool-call' && block.state)).toEqual(['whole', 'cut']);
  });
});

describe('openaiChat() gives the message as it is sent back', () => {
  const turnOf = (...deltas: readonly unknown[]): unknown =>
    finishOf(...deltas.map((delta) => chunk(delta)), STOP, DONE).turn;

  const call = { id: 'call_1', type: 'function', function: { name: 'ring', arguments: '{}' } };
  const ex = { google: { thought_signature: 'c2ln' } };

  it.each([
    ['text', [{ content: 'One' }], { content: 'One' }],
    ['a refusal', [{ refusal: 'No' }], { content: '', refusal: 'No' }],
    ['calls without text', [{ tool_calls: [{ index: 0, ...call }] }], { content: null, tool_calls: [call] }],
    [
      'text and calls',
      [{ content: 'One' }, { tool_calls: [{ index: 0, ...call }] }],
      { content: 'One', tool_calls: [call] },
    ],
    [
      'a call without an id or arguments',
      [{ tool_calls: [{ index: 0, function: { name: 'ring' } }] }],
      { content: null, tool_calls: [{ type: 'function', function: { name: 'ring', arguments: '{}' } }] },
    ],
    ['no call without a name', [{ content: 'One' }, { tool_calls: [{ index: 0, id: 'call_1' }] }], { content: 'One' }],
    [
      'a call of a custom tool',
      [{ tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }] }],
      { content: null, tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }] },
    ],
    [
      'the deprecated call',
      [{ function_call: { name: 'ring', arguments: '{' } }, { function_call: { arguments: '}' } }],
      { content: null, function_call: { name: 'ring', arguments: '{}' } },
    ],
    [
      'what Gemini wants back on a call',
      [{ tool_calls: [{ ...call, extra_content: ex }] }],
      { content: null, tool_calls: [{ ...call, extra_content: ex }] },
    ],
    [
      'reasoning under the name it came by',
      [{ reasoning_content: 'H' }, { reasoning_content: 'm' }, { content: 'One' }],
      { content: 'One', reasoning_content: 'Hm' },
    ],
    ['reasoning under its other name', [{ reasoning: 'Hm' }, { content: 'One' }], { content: 'One', reasoning: 'Hm' }],
    [
      'the details of reasoning, the fragments of a text joined',
      [
        { reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: '?', index: 1, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZW5j', index: 1 }] },
        { content: 'One' },
      ],
      {
        content: 'One',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm', signature: 'c2ln', index: 0, format: 'f' },
          { type: 'reasoning.text', text: '?', index: 1, format: 'f' },
          { type: 'reasoning.encrypted', data: 'ZW5j', index: 1 },
        ],
      },
    ],
    [
      'the id of its audio',
      [{ audio: { id: 'audio_1' } }, { audio: { data: 'aGk=' } }],
      { content: '', audio: { id: 'audio_1' } },
    ],
  ])('%s', (_what, deltas, message) => {
    expect(turnOf(...deltas)).toEqual({ role: 'assistant', ...message });
  });
});

describe('openaiChat() tells usage as running totals', () => {
  const usagesOf = (...usages: readonly unknown[]): TokenUsage[] =>
    eventsOf(...usages.map((usage) => ({ choices: [], usage })), STOP, DONE).flatMap((event) =>
      event.type === 'usage' ? [event.usage] : [],
    );
  const COUNTS = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  const TOLD = { inputTokens: 100, outputTokens: 20, totalTokens: 120 };

  it.each([
    ['the counts', COUNTS, TOLD],
    [
      'the details of OpenAI',
      {
        ...COUNTS,
        prompt_tokens_details: { cached_tokens: 64, cache_write_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 7 },
      },
      { ...TOLD, cachedInputTokens: 64, cacheWriteTokens: 8, reasoningTokens: 7 },
    ],
    [
      'cached tokens misspelt',
      { ...COUNTS, prompt_token_details: { cached_tokens: 64 } },
      { ...TOLD, cachedInputTokens: 64 },
    ],
    ['those of Mistral', { ...COUNTS, num_cached_tokens: 64 }, { ...TOLD, cachedInputTokens: 64 }],
    [
      'those of DeepSeek',
      { ...COUNTS, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { ...TOLD, cachedInputTokens: 64 },
    ],
    [
      'no cached ones of Together: whether the prompt has them is not documented',
      { ...COUNTS, cached_tokens: 64 },
      TOLD,
    ],
    [
      'no cached ones of Databricks, for the same reason',
      { ...COUNTS, cache_read_input_tokens: 64, cache_creation_input_tokens: 8 },
      TOLD,
    ],
    [
      'reasoning outside of the output, which the total shows',
      { ...COUNTS, total_tokens: 150, completion_tokens_details: { reasoning_tokens: 30 } },
      { ...TOLD, outputTokens: 50, totalTokens: 150, reasoningTokens: 30 },
    ],
    [
      'more reasoning than output, as it is told',
      { ...COUNTS, completion_tokens_details: { reasoning_tokens: 23 } },
      { ...TOLD, reasoningTokens: 23 },
    ],
    ['dollars', { ...COUNTS, cost: 0.00765 }, { ...TOLD, costUsd: 0.00765 }],
    [
      'the sum of several costs',
      { ...COUNTS, cost: { request_cost: 0.005, total_cost: 0.006 } },
      { ...TOLD, costUsd: 0.006 },
    ],
    ['ticks', { ...COUNTS, cost_in_usd_ticks: 2_709_000 }, { ...TOLD, costUsd: 0.0002709 }],
    [
      'null for what is not known yet',
      { prompt_tokens: 100, completion_tokens: null, total_tokens: null, completion_tokens_details: null },
      { inputTokens: 100 },
    ],
    ['what is no number', { prompt_tokens: 100, completion_tokens: '20', total_tokens: [120] }, { inputTokens: 100 }],
  ])('%s', (_what, raw, told) => {
    expect(usagesOf(raw)).toEqual([{ ...told, raw }]);
  });

  it('believes the last, and never adds', () => {
    const later = { prompt_tokens: 90, completion_tokens: 21, total_tokens: 111 };
    expect(usagesOf(COUNTS, null, later, undefined).at(-1)).toEqual({
      inputTokens: 90,
      outputTokens: 21,
      totalTokens: 111,
      raw: later,
    });
  });

  it('finds it at Groq, and on chunks that say something', () => {
    const found = [
      { ...chunk({ content: 'Hi' }), usage: COUNTS },
      { ...STOP, x_groq: { id: 'req_1', usage: COUNTS } },
    ];
    const usages = eventsOf(...found, DONE).filter((event) => event.type === 'usage');
    expect(usages).toEqual([0, 1].map(() => ({ type: 'usage', usage: { ...TOLD, raw: COUNTS } })));
  });

  it('says nothing where the wire says nothing', () => {
    expect(usagesOf(undefined, null, 7, [], {}, { prompt_tokens: null })).toEqual([]);
  });
});

describe('openaiChat() reads what no documented stream says', () => {
  it('takes the first id and model that say something', () => {
    const events = eventsOf(
      { id: '', model: '', choices: [] },
      { id: '', model: 'm-1', choices: [choiceOf({ role: 'assistant' })] },
      { id: 'c-1', model: 'm-1', choices: [choiceOf({ content: 'Hi' })] },
      { id: 'c-2', model: 'm-2', choices: [choiceOf({}, 'stop')] },
      DONE,
    );
    expect(events.filter(({ type }) => type === 'response-start')).toEqual([
      { type: 'response-start', provider: 'openai-chat', responseId: 'c-1', model: 'm-1' },
    ]);
  });

  it('takes a choice without an index for the first', () => {
    expect(finishOf({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }, DONE)).toMatchObject({
      reason: 'stop',
      turn: { content: 'Hi' },
    });
  });

  it.each([
    ['choices that are no list', { id: 'c-1', choices: {} }],
    ['a choice that is no object', { id: 'c-1', choices: [null, 7, 'text', []] }],
    ['a delta that is no object', { id: 'c-1', choices: [{ index: 0, delta: ['text'] }] }],
    ['calls that are no list', chunk({ tool_calls: { index: 0, function: { name: 'ring' } } })],
    ['annotations that are no list', chunk({ annotations: 'https://a.example', content: '' })],
  ])('says nothing of %s', (_what, payload) => {
    const events = eventsOf({ id: 'c-1', choices: [] }, payload, chunk({ content: 'Hi' }), STOP, DONE);
    expect(events.map(({ type }) => type)).toEqual([
      'response-start',
      'raw',
      'block-start',
      'text-delta',
      'raw',
      'block-end',
      'finish',
    ]);
  });

  it('passes on a piece of a call that is no object', () => {
    const events = eventsOf(chunk({ tool_calls: [null, 'ring'] }), STOP, DONE);
    expect(events.slice(1, 3)).toEqual(
      [null, 'ring'].map((event) => ({ type: 'raw', provider: 'openai-chat', event })),
    );
  });

  it('fails only with errors of its own for a body of anything', () => {
    const { error } = read(null, 0, '', [], {}, { choices: null }, { choices: [{ delta: { content: [[[]]] } }] });
    expect(isModelStreamError(error)).toBe(true);
  });
});

describe('openaiChat() reads legacy completions', () => {
  const completion = (text: unknown, finish_reason: unknown = null, index = 0) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    choices: [{ text, index, logprobs: null, finish_reason }],
  });

  it('whose text stands in place of a delta', () => {
    const finish = {
      type: 'finish',
      reason: 'length',
      rawReason: 'length',
      turn: { role: 'assistant', content: 'Hi!' },
    };
    const events = eventsOf(completion('Hi'), completion('!', 'length'), DONE);
    expect(events).toContainEqual({ type: 'block-end', index: 0, block: { kind: 'text', text: 'Hi!' } });
    expect(events.at(-1)).toEqual(finish);
  });

  it('and leaves aside the text that stands beside a delta', () => {
    const both = { id: 'c-1', choices: [{ index: 0, text: 'Hi', delta: { content: 'Hi' } }] };
    const ends = eventsOf(both, STOP, DONE).filter((event) => event.type === 'block-end');
    expect(ends.map(({ block }) => block)).toEqual([{ kind: 'text', text: 'Hi' }]);
  });

  it('with several alternatives', () => {
    const payloads = [completion('A', 'stop', 0), completion('B', 'length', 1), DONE];
    expect(finishOf(...payloads)).toMatchObject({
      reason: 'stop',
      choices: [
        { choice: 0, reason: 'stop' },
        { choice: 1, reason: 'length' },
      ],
    });
  });

  it.each([
    ['text', completion('Hi'), { phase: 'content' }],
    ['no text', completion(''), { phase: 'preamble' }],
    ['a reason', completion('', 'stop'), { phase: 'content', ending: 'possible' }],
  ])('tells what %s means for the life of the answer', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });
});

describeCollection('openaiChat() reads a recorded legacy completion', 1, () => {
  it('whole', async () => {
    const body = collectionBytes(`recordings/${LEGACY_COMPLETION}`);
    const snapshot = await lastValueFrom(from([body]).pipe(parseSSE(), normalize(provider), accumulateBlocks()));
    const pieces = [...new TextDecoder().decode(body).matchAll(/"text":("(?:[^"\\]|\\.)*")/g)];
    expect(textOf(snapshot)).toBe(pieces.map(([, piece = '""']) => JSON.parse(piece) as string).join(''));
    expect(snapshot).toMatchObject({ status: 'complete', finishReason: 'length', model: 'davinci:2023-07-21-v2' });
  });
});
