import {
  anthropic,
  anthropicOnBedrock,
  bedrockConverse,
  cohere,
  gemini,
  geminiInteractions,
  geminiLive,
  lyria,
  ollama,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  replicate,
  toolResultsFor,
  xai,
  type OpenAIChatTurn,
  type OpenAIResponsesTurn,
  type Provider,
  type ToolCallBlock,
  type ToolResult,
} from 'rx-model-stream';
import { tiny } from '../support/tinyProvider';

function callOf(id: string, more: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return { kind: 'tool-call', id, name: 'next_tide', arguments: '{}', format: 'json', state: 'whole', ...more };
}

const CHAT_TURN: OpenAIChatTurn = { role: 'assistant', content: null, tool_calls: [] };

interface Case {
  readonly provider: Provider;
  readonly turn?: unknown;
  /** What stands for one result, in the provider's own shape. */
  readonly one: (id: string, result: unknown, isError: boolean) => unknown;
  /** What the results of a round are sent in. */
  readonly round: (ones: readonly unknown[]) => unknown[];
  /** Whether a call without an id is found by its name; else it cannot be answered. */
  readonly matchesNames?: true;
  /** How a result is written: text, object, list, number, nothing, and a failure told as text and as object. */
  readonly written: readonly [
    text: unknown,
    object: unknown,
    list: unknown,
    number: unknown,
    nothing: unknown,
    failureText: unknown,
    failureObject: unknown,
  ];
}

const CONTENTS: readonly Omit<ToolResult, 'call'>[] = [
  { content: '18:40' },
  { content: { at: '18:40' } },
  { content: ['18:40'] },
  { content: 2 },
  {},
  { content: 'No such port', isError: true },
  { content: { port: null }, isError: true },
];

const AS_TEXT = ['18:40', '{"at":"18:40"}', '["18:40"]', '2', 'null', 'No such port', '{"port":null}'] as const;
const WITHOUT_MARK = [
  '18:40',
  '{"at":"18:40"}',
  '["18:40"]',
  '2',
  'null',
  '{"error":"No such port"}',
  '{"error":{"port":null}}',
] as const;
const AS_RESPONSE = [
  { output: '18:40' },
  { at: '18:40' },
  { output: ['18:40'] },
  { output: 2 },
  { output: null },
  { error: 'No such port' },
  { error: { port: null } },
] as const;

const each = (ones: readonly unknown[]): unknown[] => [...ones];
const inMessage = (content: readonly unknown[]): unknown[] => [{ role: 'user', content }];

const messages: Omit<Case, 'provider'> = {
  one: (tool_use_id, content, isError) => ({
    type: 'tool_result',
    tool_use_id,
    content,
    ...(isError && { is_error: true }),
  }),
  round: inMessage,
  written: AS_TEXT,
};
const chat: Omit<Case, 'provider'> = {
  one: (tool_call_id, content) => ({ role: 'tool', tool_call_id, content }),
  round: each,
  matchesNames: true,
  written: WITHOUT_MARK,
};
const responses: Omit<Case, 'provider'> = {
  one: (call_id, output) => ({ type: 'function_call_output', call_id, output }),
  round: each,
  written: WITHOUT_MARK,
};
const steps: Omit<Case, 'provider'> = {
  one: (call_id, result, isError) => ({
    type: 'function_result',
    call_id,
    name: 'next_tide',
    result,
    ...(isError && { is_error: true }),
  }),
  round: each,
  written: ['18:40', { at: '18:40' }, '["18:40"]', '2', 'null', 'No such port', { port: null }],
};

const CASES: readonly (readonly [title: string, facts: Case])[] = [
  ['anthropic()', { provider: anthropic(), ...messages }],
  ['anthropicOnBedrock()', { provider: anthropicOnBedrock(), ...messages }],
  [
    'bedrockConverse()',
    {
      provider: bedrockConverse(),
      one: (toolUseId, content, isError) => ({
        toolResult: { toolUseId, content: [content], ...(isError && { status: 'error' }) },
      }),
      round: inMessage,
      written: [
        { text: '18:40' },
        { json: { at: '18:40' } },
        { text: '["18:40"]' },
        { text: '2' },
        { text: 'null' },
        { text: 'No such port' },
        { json: { port: null } },
      ],
    },
  ],
  [
    'cohere()',
    {
      provider: cohere(),
      one: (tool_call_id, content) => ({ role: 'tool', tool_call_id, content }),
      round: each,
      written: WITHOUT_MARK,
    },
  ],
  [
    'ollama()',
    {
      provider: ollama(),
      one: (_id, content) => ({ role: 'tool', tool_name: 'next_tide', content }),
      round: each,
      matchesNames: true,
      written: WITHOUT_MARK,
    },
  ],
  ['openaiChat()', { provider: openaiChat(), ...chat }],
  ['openaiResponses()', { provider: openaiResponses(), ...responses }],
  ['xai() after a turn of Chat', { provider: xai(), turn: CHAT_TURN, ...chat }],
  ['xai() after a turn of Responses', { provider: xai(), turn: [], ...responses }],
  ['xai() after a turn of Messages', { provider: xai(), turn: { role: 'assistant', content: [] }, ...messages }],
  ['xai() in a session', { provider: xai({ session: true }), ...responses }],
  [
    'openaiRealtime()',
    {
      provider: openaiRealtime(),
      one: (call_id, output) => ({
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id, output },
      }),
      round: (items) => [...items, { type: 'response.create' }],
      written: WITHOUT_MARK,
    },
  ],
  [
    'gemini()',
    {
      provider: gemini(),
      one: (id, response) => ({ functionResponse: { id, name: 'next_tide', response } }),
      round: (parts) => [{ role: 'user', parts }],
      matchesNames: true,
      written: AS_RESPONSE,
    },
  ],
  ['gemini() after a turn of Interactions', { provider: gemini(), turn: [], ...steps }],
  ['geminiInteractions()', { provider: geminiInteractions(), ...steps }],
  [
    'geminiLive()',
    {
      provider: geminiLive(),
      one: (id, response) => ({ id, name: 'next_tide', response }),
      round: (functionResponses) => [{ toolResponse: { functionResponses } }],
      matchesNames: true,
      written: AS_RESPONSE,
    },
  ],
];

describe.each(CASES)('toolResultsFor %s', (_title, { provider, turn, one, round, written, matchesNames }) => {
  const write = (...results: readonly ToolResult[]) => toolResultsFor(provider, results, turn);

  it('writes every kind of content as the API wants it, failures marked, each under the id of its call and in order', () => {
    const results = CONTENTS.map((content, place) => ({ call: callOf(`call_${place}`), ...content }));
    const expected = CONTENTS.map(({ isError = false }, place) => one(`call_${place}`, written[place], isError));
    expect(write(...results)).toEqual(round(expected));
    expect(write(...[...results].reverse())).toEqual(round([...expected].reverse()));
  });

  it('writes plain JSON: sent and read again it is the same', () => {
    const message = write({ call: callOf('call_1'), content: { at: '18:40' } }, { call: callOf('call_2') });
    expect(JSON.parse(JSON.stringify(message))).toEqual(message);
  });

  it('never quotes an id that was made up', () => {
    const made = ['made_up_0', 'made_up_1'].map((id) => ({ call: callOf(id, { syntheticId: true }), content: 'text' }));
    if (matchesNames) expect(JSON.stringify(write(...made))).not.toContain('made_up');
    else {
      expect(() => write(...made)).toThrow(
        new RangeError('Cannot answer the call made_up_0 of next_tide: the provider gave it no id'),
      );
    }
  });

  it('writes nothing for a round without results', () => {
    expect(write()).toEqual([]);
  });

  it.each([
    ['the provider runs itself', { providerExecuted: true }, 'the provider runs it itself'],
    ['was taken back', { state: 'cancelled' }, 'it was taken back'],
    ['is still open', { state: 'open' }, 'it is not complete yet'],
  ] as const)('refuses to answer a call that %s, with a failure too', (_what, more, reason) => {
    const call = callOf('call_1', more);
    const refusal = new RangeError(`Cannot answer the call call_1 of next_tide: ${reason}`);
    const after = { call: callOf('call_0'), content: 'text' };
    expect(() => write(after, { call, content: 'text' })).toThrow(refusal);
    expect(() => write(after, { call, content: 'text', isError: true })).toThrow(refusal);
  });

  it('answers a call that was cut with a failure only', () => {
    const call = callOf('call_1', { state: 'cut', arguments: '{"port":' });
    expect(() => write({ call, content: '18:40' })).toThrow(
      new RangeError('Cannot answer the call call_1 of next_tide: it was cut, so that only an error answers it'),
    );
    const failure = { content: 'No such port', isError: true };
    expect(write({ call, ...failure })).toEqual(write({ call: callOf('call_1'), ...failure }));
  });
});

it.each([
  ['tiny', tiny()],
  ['lyria', lyria()],
  ['replicate', replicate()],
])('toolResultsFor refuses %s, which has no answer to tool calls', (name, provider) => {
  expect(() => toolResultsFor(provider, [])).toThrow(
    new RangeError(`Cannot write tool results for ${name}: the provider has no answer to tool calls`),
  );
});

it('toolResultsFor xai() needs the turn outside of a session, whose calls look alike in its three APIs', () => {
  expect(() => toolResultsFor(xai(), [{ call: callOf('call_1'), content: 'text' }])).toThrow(
    new RangeError('Cannot write tool results for xai: without the turn of the calls its API is not known'),
  );
});

describe('calls without an id', () => {
  const results = ['18:40', '19:10'].map((content) => ({ call: callOf('made_up', { syntheticId: true }), content }));

  it('are matched by name and order at Gemini', () => {
    const parts = ['18:40', '19:10'].map((output) => ({
      functionResponse: { name: 'next_tide', response: { output } },
    }));
    expect(toolResultsFor(gemini(), results)).toEqual([{ role: 'user', parts }]);
  });

  it('are matched by name and order in Chat Completions, where the id must stand', () => {
    expect(toolResultsFor(openaiChat(), results)).toEqual([
      { role: 'tool', tool_call_id: '', name: 'next_tide', content: '18:40' },
      { role: 'tool', tool_call_id: '', name: 'next_tide', content: '19:10' },
    ]);
  });

  it('are answered by a function message in Chat Completions after a legacy call', () => {
    const turn = { role: 'assistant', content: null, function_call: { name: 'next_tide', arguments: '{}' } } as const;
    expect(toolResultsFor(openaiChat(), results.slice(0, 1), turn)).toEqual([
      { role: 'function', name: 'next_tide', content: '18:40' },
    ]);
  });
});

describe('toolResultsFor openaiResponses() answers built-in tools as the item in the turn wants it', () => {
  function answered(item: { type: string }, result: Omit<ToolResult, 'call'>): unknown {
    const called = { id: 'call_1', call_id: 'call_1', ...item };
    const turn: OpenAIResponsesTurn = [{ type: 'reasoning' }, called];
    return toolResultsFor(openaiResponses(), [{ call: callOf('call_1'), ...result }], turn)[0];
  }

  const exit = { stdout: 'a\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } };
  const timeout = { stdout: '', stderr: '', outcome: { type: 'timeout' } };
  const shell = { type: 'shell_call_output', call_id: 'call_1' };
  const screenshot = { type: 'computer_screenshot', image_url: 'https://pictures.example/1.png' };

  it.each([
    [
      'apply_patch_call',
      { content: 'Done' },
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'completed', output: 'Done' },
    ],
    [
      'apply_patch_call',
      { content: 'No such file', isError: true },
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed', output: 'No such file' },
    ],
    ['shell_call', { content: [exit, timeout] }, { ...shell, output: [exit, timeout] }],
    ['shell_call', { content: 'a\n' }, { ...shell, output: [exit] }],
    [
      'shell_call',
      { content: 'No shell', isError: true },
      { ...shell, output: [{ stdout: '', stderr: 'No shell', outcome: { type: 'exit', exit_code: 1 } }] },
    ],
    [
      'local_shell_call',
      { content: { stdout: 'a' } },
      { type: 'local_shell_call_output', id: 'call_1', call_id: 'call_1', output: '{"stdout":"a"}' },
    ],
    ['computer_call', { content: screenshot }, { type: 'computer_call_output', call_id: 'call_1', output: screenshot }],
    [
      'mcp_approval_request',
      { content: true },
      { type: 'mcp_approval_response', approval_request_id: 'call_1', approve: true },
    ],
    [
      'mcp_approval_request',
      { content: false },
      { type: 'mcp_approval_response', approval_request_id: 'call_1', approve: false },
    ],
    [
      'mcp_approval_request',
      { content: 'Not today', isError: true },
      { type: 'mcp_approval_response', approval_request_id: 'call_1', approve: false, reason: 'Not today' },
    ],
    ['function_call', { content: 'a' }, { type: 'function_call_output', call_id: 'call_1', output: 'a' }],
  ])('%s', (type, result, expected) => {
    expect(answered({ type }, result)).toEqual(expected);
  });

  it.each([
    ['computer_call', { content: 'text' }, 'its result is a screenshot, with an image_url or a file_id'],
    [
      'computer_call',
      { content: screenshot, isError: true },
      'its result is a screenshot, with an image_url or a file_id',
    ],
    ['mcp_approval_request', { content: 'yes' }, 'its result is true or false'],
    ['tool_search_call', { content: [] }, 'its result is a list of tools, to be written as a tool_search_output'],
  ])('%s refuses what is not its result', (type, result, reason) => {
    const item = { type, execution: 'client' };
    expect(() => answered(item, result)).toThrow(
      new RangeError(`Cannot answer the call call_1 of next_tide: ${reason}`),
    );
  });

  it('a call of a program says so in its answer', () => {
    const caller = { type: 'program', caller_id: 'prog_1' };
    const item = { type: 'function_call', caller };
    expect(answered(item, { content: 'a' })).toEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: 'a',
      caller,
    });
  });

  it('a custom tool is known by its format, with and without the turn', () => {
    const result = { call: callOf('call_1', { format: 'text', arguments: 'high tide?' }), content: 'a' };
    const output = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'a' };
    expect(toolResultsFor(openaiResponses(), [result])).toEqual([output]);
    const item = { type: 'custom_tool_call', call_id: 'call_1' };
    expect(toolResultsFor(openaiResponses(), [result], [item])).toEqual([output]);
  });
});
