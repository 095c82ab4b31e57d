import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** What a service does with a client, by its path; a number is the status with which it is refused. */
export type SocketRoutes = Readonly<Record<string, ((client: WebSocket) => void) | number>>;

/** A service on the loopback interface that speaks over WebSockets. */
export interface WebSocketService {
  readonly url: string;
  /** The code with which the first connection to an address, its path and query, was closed or will be. */
  closeOn(address: string): Promise<number>;
  close(): Promise<void>;
}

export async function startWebSocketService(routes: SocketRoutes): Promise<WebSocketService> {
  const closes = new Map<string, PendingCode>();
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: ({ req }, answer) => {
      const route = routeOf(addressOf(req));
      answer(typeof route === 'function', typeof route === 'number' ? route : 404);
    },
  });
  server.on('connection', (client, request) => {
    const address = addressOf(request);
    client.on('error', () => undefined); // what goes wrong is the client's to tell
    client.on('close', (code) => {
      closeOn(address).resolve(code);
    });
    const route = routeOf(address);
    if (typeof route === 'function') route(client);
  });
  await once(server, 'listening');

  function routeOf(address: string): SocketRoutes[string] | undefined {
    return routes[address.split('?', 1)[0]!];
  }

  function closeOn(address: string): PendingCode {
    const pending = closes.get(address) ?? pendingCode();
    closes.set(address, pending);
    return pending;
  }

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closeOn: (address) => closeOn(address).promise,
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The path with its query. */
function addressOf({ url }: IncomingMessage): string {
  return url ?? '';
}

interface PendingCode {
  readonly promise: Promise<number>;
  readonly resolve: (code: number) => void;
}

function pendingCode(): PendingCode {
  let resolve!: (code: number) => void;
  const promise = new Promise<number>((settle) => (resolve = settle));
  return { promise, resolve };
}
