import type { IncomingHttpHeaders } from 'node:http';

/** What a client asked for. */
export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request, and how its answer goes: these fields change while it is sent. */
export interface FakeExchange extends FakeRequest {
  /** Counts the connections of the provider from 1: requests with the same number share one. */
  readonly connection: number;
  /** Bytes of the body that were written so far. Some of them may still be in buffers on their way. */
  readonly bytesWritten: number;
  /** Whether the client holds the answer back: `write` has returned `false` and `drain` has not come. */
  readonly isPaused: boolean;
  /** Who ended the exchange, once it has ended: `client` when it left before the whole answer was sent. */
  readonly closedBy: Promise<'client' | 'server'>;
}
