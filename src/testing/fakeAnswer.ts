import type { ChunkSizes } from './chunkSizes';

/** How a fake service answers a request. Everything has a default: `{}` is an empty event stream. */
export interface FakeAnswer {
  /** Default 200. */
  readonly status?: number;
  /** Beside `content-type: text/event-stream`, which they may replace. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Pieces are asked for one at a time, as the client takes them: a body may be far larger than memory, and a test that
   * makes them when it likes has the pace in its hand. A generator gives its pieces once, for one answer.
   */
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Where the body is cut into chunks. The pieces of a body are never joined. Default: each piece is one chunk. */
  readonly chunkBytes?: ChunkSizes;
  /** What goes wrong. */
  readonly fault?: FakeFault;
}

/**
 * A way in which an answer goes wrong, by name: after so many bytes of the body, or at its end, when it is shorter. Without
 * `afterBytes` it happens before there is a response at all.
 *
 * - `reset`: the connection breaks. What was sent before can still be read.
 * - `stall`: the connection stays open and silent.
 * - `truncate`: the body ends in good order, too early.
 * - `error-event`: the text of `event` is sent in place of the rest, then the body ends.
 */
export type FakeFault =
  | { readonly type: 'reset' | 'stall'; readonly afterBytes?: number }
  | { readonly type: 'truncate'; readonly afterBytes: number }
  | { readonly type: 'error-event'; readonly afterBytes: number; readonly event: string };
