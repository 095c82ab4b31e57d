import type { MonoTypeOperatorFunction } from 'rxjs';
import { checkMilliseconds } from '../src/checkOption';
import { timeLimit } from '../src/timeLimit';

/** What is a sign of life. */
export interface IdleOptions<Value> {
  /** Whether a value counts. Default: everything does. */
  readonly counts?: (value: Value) => boolean;
}

/**
 * Fails when a stream falls silent. Where it stands says what is listened to: bytes, keep-alives included; frames; events.
 *
 * 1. The wait begins with the subscription, and anew with every value that counts: all of them by default. With
 *    `counts: isContent` (events) or `isContentOf(provider)` (frames) keep-alives do not hide that an answer has stopped.
 * 2. It counts only while the source may read: a consumer that holds a stream back is not a silent provider.
 * 3. After the `finish` of a response nothing is waited for, until the next one begins or a value comes that counts. A
 *    `restart` begins the wait anew.
 * 4. The source is left, and its connection closed, before the failure is reported.
 *
 * ```text
 * source   --a---b-----------    the limit is 8
 * result   --a---b-------#       # = timeout
 * ```
 *
 * Fails with `timeout`, retryable. Errors of the source pass unchanged.
 *
 * Behind `retryWithResume` a failure is not retried, and the waits between its attempts count. Put the limit before it;
 * `fromModel` does so with `idleWithinMs` and `contentWithinMs`. Behind an operator that emits asynchronously (`delay`,
 * `observeOn`) nobody knows whether the source may read, and a held stream is silent as well; so is, behind `pacedMap`, the
 * work on the first value.
 *
 * @typeParam Value - What the stream is of.
 * @param ms - How long the stream may be silent, in milliseconds. `Infinity` is no limit.
 * @param options.counts - Whether a value is a sign of life. Default: everything is.
 * @returns An operator that passes everything on as it comes.
 * @throws {RangeError} When `ms` is negative, not a number, or more than a timer can wait.
 *
 * @example
 * ```ts
 * import { concat, NEVER, of } from 'rxjs';
 * import { idleWithin } from 'rx-model-stream';
 *
 * concat(of('a'), NEVER)
 *   .pipe(idleWithin(20))
 *   .subscribe({ next: console.log, error: (error) => console.log(error.code, error.retryable) }); // a, timeout true
 * ```
 */
export function idleWithin<Value>(
  ms: number,
  { counts = everything }: IdleOptions<Value> = {},
): MonoTypeOperatorFunction<Value> {
  checkMilliseconds('ms', ms);
  const awaited = counts === everything ? 'nothing' : 'nothing that counts';
  const message = `Cannot read on: ${awaited} came for ${ms} ms`;
  return timeLimit({ ms, message, counts, isRepeated: true });
}

function everything(): boolean {
  return true;
}
