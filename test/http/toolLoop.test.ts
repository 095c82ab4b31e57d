import { lastValueFrom } from 'rxjs';
import {
  accumulateBlocks,
  anthropic,
  anthropicOnBedrock,
  bedrockConverse,
  cohere,
  fromModel,
  gemini,
  geminiInteractions,
  ollama,
  openaiChat,
  openaiResponses,
  textOf,
  toolCallsOf,
  toolResultsFor,
  xai,
  type Provider,
} from 'rx-model-stream';
import * as providers from 'rx-model-stream/providers';
import { startFakeProvider, type FakeProvider, type FakeResponse } from 'rx-model-stream/testing/node';
import { anthropicAnswer, eventStream, responsesAnswer, wholeAnswer } from '../support/answers';
import { encodeAwsMessage } from '../support/awsEventStream';
import { eventsFileOf, fixtureBytes, fixtureText } from '../support/fixtures';

/** A conversation of two rounds: in the first the model calls tools, in the second it says `Hello`. */
interface Conversation {
  readonly provider: Provider;
  /** The field of the request that lists what was said. */
  readonly list: 'messages' | 'input' | 'contents';
  /** The fixture in which the model calls; its last event has the turn, as it was written by hand. */
  readonly calls: string;
  readonly answer: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  /** What the tools give back, call by call. */
  readonly given: readonly unknown[];
  /** What answers the calls. */
  readonly results: readonly unknown[];
}

const QUESTION = { role: 'user', content: 'Where is the sky dark?' };

const chatAnswer = `${eventStream(
  { id: 'c2', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] },
  { id: 'c2', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
)}data: [DONE]\n\n`;

const geminiChunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }] };

const interactionAnswer = eventStream(
  { event_type: 'interaction.created', interaction: { id: 'int_2', status: 'in_progress' } },
  { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
  { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hello' } },
  { event_type: 'step.stop', index: 0 },
  { event_type: 'interaction.completed', interaction: { id: 'int_2', status: 'completed' } },
);

const AWS = 'application/vnd.amazon.eventstream';
const awsMessage = (event: string, payload: object) =>
  encodeAwsMessage({ headers: { ':event-type': event, ':message-type': 'event' }, payload });

const converseAnswer = Buffer.concat([
  awsMessage('messageStart', { role: 'assistant' }),
  awsMessage('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello' } }),
  awsMessage('messageStop', { stopReason: 'end_turn' }),
  awsMessage('metadata', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
]);

const invokeAnswer = Buffer.concat(
  [...anthropicAnswer.opening, ...anthropicAnswer.text, ...anthropicAnswer.closing].map((bytes) =>
    awsMessage('chunk', { bytes }),
  ),
);

const cohereAnswer = eventStream(
  { type: 'message-start', id: 'c2' },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hello' } } } },
  { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
);

const ollamaAnswer = `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'Hello' }, done: true })}\n`;

const SKY = [{ clouds: 'few' }, 'Waning crescent'];
const TIDE = ['18:40'];

const messages = { list: 'messages', answer: wholeAnswer(anthropicAnswer) } as const;
const chat = { list: 'messages', answer: chatAnswer } as const;
const lines = { list: 'messages', answer: ollamaAnswer, contentType: 'application/x-ndjson' } as const;
const items = { list: 'input', answer: wholeAnswer(responsesAnswer) } as const;
const contents = { list: 'contents', answer: eventStream(geminiChunk) } as const;
const steps = { list: 'input', answer: interactionAnswer } as const;

const CONVERSATIONS: readonly Conversation[] = [
  {
    provider: anthropic(),
    ...messages,
    calls: 'anthropic/tool-call.sse',
    given: SKY,
    results: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_01Clouds', content: '{"clouds":"few"}' },
          { type: 'tool_result', tool_use_id: 'toolu_01Moon', content: 'Waning crescent' },
        ],
      },
    ],
  },
  {
    provider: anthropicOnBedrock(),
    ...messages,
    answer: invokeAnswer,
    contentType: AWS,
    calls: 'anthropic/bedrock-tool-call.aws.jsonl',
    given: TIDE,
    results: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_bdrk_1', content: '18:40' }] }],
  },
  {
    provider: bedrockConverse(),
    list: 'messages',
    answer: converseAnswer,
    contentType: AWS,
    calls: 'bedrock/tool-calls.aws.jsonl',
    given: SKY,
    results: [
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'tooluse_brest', content: [{ json: { clouds: 'few' } }] } },
          { toolResult: { toolUseId: 'tooluse_cadiz', content: [{ text: 'Waning crescent' }] } },
        ],
      },
    ],
  },
  {
    provider: cohere(),
    list: 'messages',
    answer: cohereAnswer,
    calls: 'cohere/plan-then-parallel-calls.sse',
    given: SKY,
    results: [
      { role: 'tool', tool_call_id: 'next_tide_4kq0', content: '{"clouds":"few"}' },
      { role: 'tool', tool_call_id: 'sunrise_9zt1', content: 'Waning crescent' },
    ],
  },
  {
    provider: ollama(),
    ...lines,
    calls: 'ollama/parallel-calls.ndjson',
    given: SKY,
    results: [
      { role: 'tool', tool_name: 'next_tide', content: '{"clouds":"few"}' },
      { role: 'tool', tool_name: 'sunrise', content: 'Waning crescent' },
    ],
  },
  {
    provider: ollama(),
    ...lines,
    calls: 'ollama/calls-without-ids-in-one-line.ndjson',
    given: ['18:40', '19:10'],
    results: [
      { role: 'tool', tool_name: 'next_tide', content: '18:40' },
      { role: 'tool', tool_name: 'next_tide', content: '19:10' },
    ],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/parallel-calls.sse',
    given: SKY,
    results: [
      { role: 'tool', tool_call_id: 'call_0', content: '{"clouds":"few"}' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Waning crescent' },
    ],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/openrouter-signed-reasoning.sse',
    given: TIDE,
    results: [{ role: 'tool', tool_call_id: 'toolu_1', content: '18:40' }],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/gemini-without-index.sse',
    given: SKY,
    results: [
      { role: 'tool', tool_call_id: 'function-call-1', content: '{"clouds":"few"}' },
      { role: 'tool', tool_call_id: 'function-call-2', content: 'Waning crescent' },
    ],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/custom-tool.sse',
    given: TIDE,
    results: [{ role: 'tool', tool_call_id: 'call_sql', content: '18:40' }],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/missing-id.sse',
    given: TIDE,
    results: [{ role: 'tool', tool_call_id: '', name: 'ring', content: '18:40' }],
  },
  {
    provider: openaiChat(),
    ...chat,
    calls: 'openai-chat/function-call.sse',
    given: TIDE,
    results: [{ role: 'function', name: 'next_tide', content: '18:40' }],
  },
  {
    provider: openaiResponses(),
    ...items,
    calls: 'openai-responses/tool-call.sse',
    given: TIDE,
    results: [{ type: 'function_call_output', call_id: 'call_Nq7sky', output: '18:40' }],
  },
  {
    provider: openaiResponses(),
    ...items,
    calls: 'openai-responses/custom-tool.sse',
    given: ['Faro', '1', 'Noted'],
    results: [
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Faro' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: '1' },
      { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Noted' },
    ],
  },
  {
    provider: openaiResponses(),
    ...items,
    calls: 'openai-responses/apply-patch.sse',
    given: ['Changed', 'Deleted'],
    results: [
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'completed', output: 'Changed' },
      { type: 'apply_patch_call_output', call_id: 'call_2', status: 'completed', output: 'Deleted' },
    ],
  },
  {
    provider: openaiResponses(),
    ...items,
    calls: 'openai-responses/mcp-approval-request.sse',
    given: [true],
    results: [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }],
  },
  {
    provider: xai(),
    ...items,
    calls: 'xai/responses-tool-call.sse',
    given: TIDE,
    results: [
      {
        type: 'function_call_output',
        call_id: 'call-5386e269-cd64-432e-aa64-5c80dd4e0286-0',
        output: '18:40',
      },
    ],
  },
  {
    provider: xai(),
    ...chat,
    calls: 'xai/tool-call.sse',
    given: SKY,
    results: [
      { role: 'tool', tool_call_id: 'call_30418852', content: '{"clouds":"few"}' },
      { role: 'tool', tool_call_id: 'call_77160294', content: 'Waning crescent' },
    ],
  },
  {
    provider: xai(),
    ...messages,
    calls: 'xai/messages-all-at-index-zero.sse',
    given: TIDE,
    results: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '18:40' }] }],
  },
  {
    provider: gemini(),
    ...contents,
    calls: 'gemini/tool-call.sse',
    given: SKY,
    results: [
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'q7clouds', name: 'night_sky_forecast', response: { clouds: 'few' } } },
          { functionResponse: { id: 'q7moon01', name: 'moon_phase', response: { output: 'Waning crescent' } } },
        ],
      },
    ],
  },
  {
    provider: gemini(),
    ...contents,
    answer: JSON.stringify([geminiChunk]),
    contentType: 'application/json',
    calls: 'gemini/tool-call.json',
    given: SKY,
    results: [
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'q7clouds', name: 'night_sky_forecast', response: { clouds: 'few' } } },
          { functionResponse: { id: 'q7moon01', name: 'moon_phase', response: { output: 'Waning crescent' } } },
        ],
      },
    ],
  },
  {
    provider: gemini(),
    ...contents,
    calls: 'gemini/calls-without-ids.sse',
    given: ['one', 'two', 'two again', { cleared: true }],
    results: [
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'make', response: { output: 'one' } } },
          { functionResponse: { name: 'make', response: { output: 'two' } } },
          { functionResponse: { name: 'make', response: { output: 'two again' } } },
          { functionResponse: { name: 'clear', response: { cleared: true } } },
        ],
      },
    ],
  },
  ...[geminiInteractions(), gemini()].map((provider) => ({
    provider,
    ...steps,
    calls: 'gemini-interactions/tool-call.sse',
    given: SKY,
    results: [
      {
        type: 'function_result',
        call_id: 'fc_clouds01',
        name: 'night_sky_forecast',
        result: { clouds: 'few' },
      },
      { type: 'function_result', call_id: 'fc_moon0002', name: 'moon_phase', result: 'Waning crescent' },
    ],
  })),
];

/** The turn that a fixture means: the one of its last event. */
function turnIn(fixture: string): unknown {
  const events = JSON.parse(fixtureText(eventsFileOf(fixture))) as { readonly turn?: unknown }[];
  return events.at(-1)?.turn;
}

it('there is a conversation for each provider that answers calls over HTTP', () => {
  const answering = Object.values(providers)
    .map((create): Provider => create())
    .filter((provider) => provider.toolResults && !provider.session);
  const talking = new Set(CONVERSATIONS.map(({ provider }) => provider.name));
  expect(answering.map(({ name }) => name).filter((name) => !talking.has(name))).toEqual([]);
});

let service: FakeProvider | undefined;

afterEach(() => service?.close());

describe.each(CONVERSATIONS)('two rounds with $provider.name after $calls', (conversation) => {
  const { provider, list, given, calls, answer, contentType = 'text/event-stream' } = conversation;

  it('the second request has the whole turn and what answers its calls, and the answer is read', async () => {
    const headers = { 'content-type': contentType };
    const rounds: FakeResponse[] = [
      { headers, body: fixtureBytes(calls) },
      { headers, body: answer },
    ];
    service = await startFakeProvider({ '/model': (_request, nth) => rounds[nth - 1]! });
    const url = `${service.url}/model`;

    const said: unknown[] = [QUESTION];
    let text: string | undefined;
    while (text === undefined) {
      const answering = fromModel(provider, { url, body: { [list]: said } }).pipe(accumulateBlocks());
      const snapshot = await lastValueFrom(answering);
      if (snapshot.finishReason === 'tool-calls') {
        const results = toolCallsOf(snapshot).map((call, place) => ({ call, content: given[place] }));
        said.push(...[snapshot.turn].flat(), ...toolResultsFor(provider, results, snapshot.turn));
      } else {
        text = textOf(snapshot);
      }
    }

    const bodies = service.requests.map(({ body }) => JSON.parse(body) as unknown);
    const turn = [turnIn(calls)].flat();
    expect(bodies).toEqual([{ [list]: [QUESTION] }, { [list]: [QUESTION, ...turn, ...conversation.results] }]);
    expect(text).toBe('Hello');
  });
});
