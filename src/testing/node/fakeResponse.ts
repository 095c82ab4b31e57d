import type { FakeAnswer } from '../fakeAnswer';

/** What a route of {@link startFakeProvider} answers, and at what pace. */
export interface FakeResponse extends FakeAnswer {
  /** Time between two writes, in milliseconds. Default 0: as fast as the client takes them. */
  readonly everyMs?: number;
  /** Time before the headers are sent, in milliseconds. Default 0. */
  readonly headersAfterMs?: number;
  /** Whether the connection stays open after the whole body was sent. Default `false`. */
  readonly keepOpen?: boolean;
}
