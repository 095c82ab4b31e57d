import type { RunHelpers } from 'rxjs/testing';
import { connectionLost } from './connectionLost';

/** When chunks come, and how they end. */
export interface ColdChunksOptions {
  /** Virtual milliseconds from one chunk to the next, and from the last one to the end. Default 1. */
  readonly every?: number;
  /** Default `complete`. */
  readonly end?: 'complete' | 'error' | 'never';
  /** What the stream fails with where `end` is `error`. Default a `network` error that may be retried. */
  readonly error?: unknown;
}

/**
 * Bytes as a cold stream in virtual time, in any chunking: the n-th chunk comes at n × `every`, counted from 0, and the end
 * one step after the last.
 *
 * 1. Nothing shares a moment, so that no group of marbles shifts what comes later: one column is one chunk.
 * 2. It takes as many chunks as a test needs; marbles drawn by hand end with the letters.
 *
 * ```text
 * chunks   a--b--c--|         every: 3
 * ```
 *
 * @param cold - The helper of that name, of `TestScheduler.run`.
 * @param chunks - The bytes, as `sliceBytes` cuts them.
 * @param options.every - Virtual milliseconds between two chunks. Default 1.
 * @param options.end - Whether the stream completes, fails or stays open after the last chunk. Default `complete`.
 * @param options.error - What it fails with. Default a `network` error that may be retried.
 * @returns A cold Observable with its `subscriptions`.
 * @throws {RangeError} When `every` is not a whole number from 1.
 *
 * @example Frames come as soon as they are whole
 * ```ts
 * import { deepStrictEqual } from 'node:assert';
 * import { map } from 'rxjs';
 * import { TestScheduler } from 'rxjs/testing';
 * import { parseSSE } from 'rx-model-stream';
 * import { coldChunks, sliceBytes } from 'rx-model-stream/testing';
 *
 * new TestScheduler(deepStrictEqual).run(({ cold, expectObservable, expectSubscriptions }) => {
 *   const bytes = coldChunks(cold, sliceBytes('data: 1\n\ndata: 2\n\n', 5), { every: 3 });
 *   const frames = bytes.pipe(parseSSE(), map((frame) => frame.type === 'sse' && frame.data));
 *   expectObservable(frames).toBe('             ---1-----2--|');
 *   expectSubscriptions(bytes.subscriptions).toBe('^-----------!');
 * });
 * ```
 *
 * @see {@link sliceBytes}
 */
export function coldChunks(
  cold: RunHelpers['cold'],
  chunks: readonly Uint8Array[],
  { every = 1, end = 'complete', error = connectionLost() }: ColdChunksOptions = {},
): ReturnType<typeof cold<Uint8Array>> {
  if (!Number.isSafeInteger(every) || every < 1) {
    throw new RangeError(`Cannot use every ${every}: expected a whole number of milliseconds from 1`);
  }
  const pause = '-'.repeat(every - 1);
  const marbles = chunks.map((_chunk, index) => keyOf(index) + pause).join('') + END_MARBLES[end];
  return cold(marbles, Object.fromEntries(chunks.map((chunk, index) => [keyOf(index), chunk])), error);
}

const END_MARBLES = { complete: '|', error: '#', never: '' };

/** The marble of a chunk, from the characters that Unicode leaves to private use: there are far more of them than letters. */
function keyOf(index: number): string {
  return String.fromCodePoint(0xf0000 + index);
}
