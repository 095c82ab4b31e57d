import { filter, lastValueFrom, map, tap, toArray } from 'rxjs';
import {
  accumulateBlocks,
  fromWebSocketMessages,
  geminiLive,
  normalize,
  openaiRealtime,
  openaiResponses,
  textOf,
  toolCallsOf,
  toolResultsFor,
  xai,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import * as providers from 'rx-model-stream/providers';
import { WebSocket } from 'ws';
import { fixtureText } from '../support/fixtures';
import { startWebSocketService, type WebSocketService } from '../support/webSocketService';

/** A conversation over one socket: the model calls, the client answers, the model goes on. */
interface Conversation {
  readonly provider: Provider;
  /** What the service says, in two rounds. */
  readonly fixture: string;
  /** How many messages of it are the first round, and how many calls are in it. */
  readonly firstRound: number;
  readonly calls: number;
  /** Whether the calls wait for the end of the response; those of Live are answered inside of it. */
  readonly isAnsweredAtEnd: boolean;
  /** What is sent to the service, of what answers the calls. */
  readonly request?: (results: readonly unknown[], snapshot: Snapshot) => readonly unknown[];
  /** What the service is sent. */
  readonly sent: readonly unknown[];
  readonly said: readonly string[];
}

/** What each tool gives back, call by call. */
const GIVEN = [{ high: '14:05' }, 'light'];

const inResponses = {
  fixture: 'openai-responses-session/two-turns.jsonl',
  firstRound: 7,
  calls: 1,
  isAnsweredAtEnd: true,
  request: (input: readonly unknown[], { responseId }: Snapshot) => [
    { type: 'response.create', previous_response_id: responseId, input },
  ],
  sent: [
    {
      type: 'response.create',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '{"high":"14:05"}' }],
    },
  ],
  said: ['0 tool-calls: ', '1 stop: At 14:05.'],
} as const;

const CONVERSATIONS: readonly Conversation[] = [
  {
    provider: openaiRealtime(),
    fixture: 'openai-realtime/tool-round.jsonl',
    firstRound: 15,
    calls: 1,
    isAnsweredAtEnd: true,
    sent: [
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'call_tide1', output: '{"high":"14:05"}' },
      },
      { type: 'response.create' },
    ],
    said: ['0 tool-calls: Let me look it up.', '1 stop: At 14:05.'],
  },
  {
    provider: geminiLive(),
    fixture: 'gemini-live/tool-round.jsonl',
    firstRound: 3,
    calls: 2,
    isAnsweredAtEnd: false,
    sent: [
      {
        toolResponse: {
          functionResponses: [
            { id: 'function-call-11', name: 'tide_table', response: { high: '14:05' } },
            { id: 'function-call-12', name: 'wind', response: { output: 'light' } },
          ],
        },
      },
    ],
    said: ['0 stop: Let me look. Six o’clock, light wind.'],
  },
  { provider: openaiResponses({ session: true }), ...inResponses },
  { provider: xai({ session: true }), ...inResponses },
];

it('there is a conversation for each provider that answers calls over a socket', () => {
  const answering = Object.values(providers)
    .map((create): Provider => create())
    .filter((provider) => provider.toolResults && provider.session);
  const talking = new Set(CONVERSATIONS.map(({ provider }) => provider.name));
  expect(answering.map(({ name }) => name).filter((name) => !talking.has(name))).toEqual([]);
});

let service: WebSocketService | undefined;

afterEach(() => service?.close());

describe.each(CONVERSATIONS)('two rounds with $provider.name over one socket', (conversation) => {
  const { provider, fixture, firstRound, calls, isAnsweredAtEnd, request, sent, said } = conversation;

  it('what answers the calls is sent on the socket, and the answer to it is read', async () => {
    const messages = fixtureText(fixture).trim().split('\n');
    const received: unknown[] = [];
    service = await startWebSocketService({
      '/session'(client) {
        client.on('message', (data: Buffer) => {
          received.push(JSON.parse(data.toString()));
          if (received.length < sent.length) return;
          for (const message of messages.slice(firstRound)) client.send(message);
          client.close(1000);
        });
        for (const message of messages.slice(0, firstRound)) client.send(message);
      },
    });

    const socket = new WebSocket(`${service.url}/session`);
    let isAnswered = false;
    function answer(snapshot: Snapshot): void {
      const whole = toolCallsOf(snapshot).filter(({ state }) => state === 'whole');
      if (isAnswered || whole.length < calls) return;
      isAnswered = true;
      const results = whole.map((call, place) => ({ call, content: GIVEN[place] }));
      const written = toolResultsFor(provider, results, snapshot.turn);
      for (const message of request?.(written, snapshot) ?? written) socket.send(JSON.stringify(message));
    }
    const lines = await lastValueFrom(
      fromWebSocketMessages(() => socket).pipe(
        normalize(provider),
        accumulateBlocks(),
        tap((snapshot) => {
          if (!isAnsweredAtEnd || snapshot.status === 'complete') answer(snapshot);
        }),
        filter(({ status }) => status === 'complete'),
        map((snapshot) => `${snapshot.ordinal} ${snapshot.finishReason}: ${textOf(snapshot)}`),
        toArray(),
      ),
    );
    expect(received).toEqual(sent);
    expect(lines).toEqual(said);
  });
});
