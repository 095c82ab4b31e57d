import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** A service on this machine that speaks like Gemini Live: what it says is written here, and comes in pieces. */
export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

/** Time between two pieces, in milliseconds. */
const PACE_MS = 10;

export async function startService(): Promise<Service> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', serve);
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a client may send; of each message one field is there. */
interface ClientMessage {
  readonly setup?: object;
  readonly clientContent?: object;
  readonly toolResponse?: object;
}

const said = (text: string): object => ({ serverContent: { modelTurn: { parts: [{ text }] } } });
const turnComplete = { serverContent: { turnComplete: true } };

const HARBOUR = 'The harbour of Horta was laid out when whalers still came for water, and its first wall was built of';

/** What is said to one question after another. */
const ANSWERS: readonly (readonly object[])[] = [
  [
    said('Let me look. '),
    { toolCall: { functionCalls: [{ id: 'function-call-1', name: 'wind', args: { harbour: 'Horta' } }] } },
  ],
  HARBOUR.split(/(?<= )/).map(said),
  [said('Ten metres '), said('at low water.'), turnComplete, { goAway: { timeLeft: '10s' } }],
];

const AFTER_THE_TOOL: readonly object[] = [
  said('Twelve knots '),
  said('from the west.'),
  { ...turnComplete, usageMetadata: { promptTokenCount: 120, responseTokenCount: 14, totalTokenCount: 134 } },
];

function serve(client: WebSocket): void {
  let pieces: readonly object[] = []; // what is still to be said of the turn
  let timer: NodeJS.Timeout | undefined;
  let questions = 0;

  function send(message: object): void {
    client.send(JSON.stringify(message));
  }

  function say(answer: readonly object[]): void {
    pieces = answer;
    timer ??= setInterval(() => {
      const [piece, ...rest] = pieces;
      pieces = rest;
      if (piece) send(piece);
    }, PACE_MS);
  }

  client.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ClientMessage;
    if (message.setup) {
      send({ setupComplete: {} });
      send({ sessionResumptionUpdate: { newHandle: 'handle-1', resumable: true } });
    } else if (message.toolResponse) say(AFTER_THE_TOOL);
    else {
      if (pieces.length > 0) {
        send({ serverContent: { interrupted: true } }); // the user speaks: the answer ends here
        send(turnComplete);
      }
      say(ANSWERS[questions] ?? []);
      questions += 1;
    }
  });
  client.on('close', () => {
    clearInterval(timer);
  });
}
