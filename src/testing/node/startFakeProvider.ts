import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { checkChunkSizes } from '../chunkSizes';
import type { FakeExchange, FakeRequest } from './fakeExchange';
import type { FakeResponse } from './fakeResponse';
import { sendResponse } from './sendResponse';

/** What a path answers: always the same, or what the request asks for; `nth` counts the requests to it from 1. */
export type FakeRoute = FakeResponse | ((request: FakeRequest, nth: number) => FakeResponse);

/** A service on this machine that answers as it is told. */
export interface FakeProvider {
  /** Such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Every request so far, in the order in which they arrived. */
  readonly requests: readonly FakeExchange[];
  /** Ends every connection and leaves no timer and no socket. */
  close(): Promise<void>;
}

/**
 * Starts a provider on this machine that answers as it is told, over real HTTP: for tests and demonstrations.
 *
 * 1. It listens on 127.0.0.1, at a free port. An unknown path is answered with 404 and an error as JSON.
 * 2. It writes as fast as the client takes it: a client that does not read holds it back, and `isPaused` says so.
 * 3. It goes wrong on demand: see {@link FakeFault}. A wrong status or content type is just `status` and `headers`.
 * 4. A path that ends with `/*` stands for all below it that have no route of their own; the longest one counts.
 * 5. It says who ended an exchange: so a test sees that leaving a stream closes the connection.
 *
 * A route that throws is answered with 500 and the message as JSON; a body that throws breaks the connection.
 *
 * @param routes - What each path answers.
 * @returns A promise of the provider, fulfilled once it listens.
 *
 * @example A connection that breaks
 * ```ts
 * import { anthropic, fromModel } from 'rx-model-stream';
 * import { startFakeProvider } from 'rx-model-stream/testing/node';
 *
 * const provider = await startFakeProvider({
 *   '/v1/messages': { body: 'data: {"type":"ping"}\n\n', fault: { type: 'reset', afterBytes: 10 } },
 * });
 * fromModel(anthropic(), { url: `${provider.url}/v1/messages` }).subscribe({
 *   error: (error) => {
 *     console.log(error.code); // network
 *     void provider.close();
 *   },
 * });
 * ```
 */
export async function startFakeProvider(routes: Readonly<Record<string, FakeRoute>>): Promise<FakeProvider> {
  const requests: FakeExchange[] = [];
  const connections = new WeakMap<Socket, number>();
  let connectionCount = 0;
  let isClosing = false;

  function responseTo(request: FakeRequest): FakeResponse {
    const { path } = request;
    const route = routeAt(routes, path);
    if (route === undefined) return failure(404, `No route for ${path}`);
    try {
      const nth = 1 + requests.filter((earlier) => earlier.path === path).length;
      const response = typeof route === 'function' ? route(request, nth) : route;
      if (response.chunkBytes !== undefined) checkChunkSizes('chunkBytes', response.chunkBytes);
      return response;
    } catch (error) {
      return failure(500, String(error));
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const left = new AbortController();
    outgoing.once('close', () => {
      left.abort();
    });
    const request = await requestOf(incoming);
    const connection = connections.get(incoming.socket) ?? 0;
    const progress = { ...request, connection, bytesWritten: 0, isPaused: false };
    const closedBy = sendResponse(responseTo(request), outgoing, progress, left.signal).then(
      () => 'server' as const,
      () => {
        outgoing.destroy(); // a body that throws; otherwise the connection is gone already
        return left.signal.aborted && !isClosing ? 'client' : 'server';
      },
    );
    requests.push(Object.assign(progress, { closedBy }));
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy()); // the client left while it sent its request
  });
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    connections.set(socket, connectionCount);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function routeAt(routes: Readonly<Record<string, FakeRoute>>, path: string): FakeRoute | undefined {
  if (Object.hasOwn(routes, path)) return routes[path];
  const above = Object.keys(routes).filter((key) => key.endsWith('/*') && path.startsWith(key.slice(0, -1)));
  const [nearest] = above.sort((a, b) => b.length - a.length);
  return nearest === undefined ? undefined : routes[nearest];
}

async function requestOf(incoming: IncomingMessage): Promise<FakeRequest> {
  const { method = '', url = '', headers } = incoming;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return { method, path: pathname, query: searchParams, headers, body: await text(incoming) };
}

function failure(status: number, message: string): FakeResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error: { message } }) };
}
