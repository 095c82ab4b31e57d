/** What a route of {@link startFakeProvider} answers. Everything has a default: `{}` is an empty event stream. */
export interface FakeResponse {
  /** Default 200. */
  readonly status?: number;
  /** Beside `content-type: text/event-stream`, which they may replace. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Pieces are asked for one at a time, as the client takes them: a body may be far larger than memory. A generator gives
   * its pieces once, so it belongs into a route that is a function.
   */
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /**
   * Where the body is cut into writes: every so many bytes, or after each of these lengths, the rest in one. The pieces of
   * a body are never joined. Default: each piece is one write.
   */
  readonly chunkBytes?: number | readonly number[];
  /** Time between two writes, in milliseconds. Default 0: as fast as the client takes them. */
  readonly everyMs?: number;
  /** Time before the headers are sent, in milliseconds. Default 0. */
  readonly headersAfterMs?: number;
  /** What goes wrong, after so many bytes of the body; at its end, when it is shorter. */
  readonly fault?: FakeFault;
  /** Whether the connection stays open after the whole body was sent. Default `false`. */
  readonly keepOpen?: boolean;
}

/**
 * A way in which a stream goes wrong, by name.
 *
 * - `reset`: the connection breaks. What was sent before can still be read.
 * - `stall`: the connection stays open and silent.
 * - `truncate`: the body ends in good order, too early.
 * - `error-event`: the text of `event` is sent in place of the rest, then the body ends.
 */
export type FakeFault =
  | { readonly type: 'reset' | 'stall' | 'truncate'; readonly afterBytes: number }
  | { readonly type: 'error-event'; readonly afterBytes: number; readonly event: string };
