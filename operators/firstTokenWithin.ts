import type { MonoTypeOperatorFunction } from 'rxjs';
import { checkMilliseconds } from '../src/checkOption';
import { isContent } from '../src/content';
import type { ModelEvent } from '../src/events';
import { timeLimit } from '../src/timeLimit';

/** What is waited for. */
export interface FirstTokenOptions<Value> {
  /** Whether a value is content. */
  readonly counts: (value: Value) => boolean;
}

/**
 * Fails when the model has not begun its answer in time, whatever else its service sends.
 *
 * 1. Content is what belongs to a block. The beginning of the response, usage, `raw` and keep-alives are not.
 * 2. The wait begins with the subscription. Once content has come, or the ending, the limit is out of the way.
 * 3. It counts only while the source may read: a consumer that holds a stream back is not a silent provider.
 * 4. A `restart` begins the wait anew; in a session the start of every further response does.
 * 5. The source is left, and its connection closed, before the failure is reported.
 *
 * ```text
 * events   --s-----u-----        s = response-start, u = usage; the limit is 10
 * result   --s-----u-#           # = timeout
 * ```
 *
 * Fails with `timeout`, retryable. Errors of the source pass unchanged.
 *
 * Behind `retryWithResume` a failure is not retried, and the waits between its attempts count. Put the limit before it, on
 * frames, with `counts: isContentOf(provider)`; `fromModel` does so with `firstTokenWithinMs`.
 *
 * @param ms - How long the answer may be waited for, in milliseconds. `Infinity` is no limit.
 * @param options.counts - Whether a value is content. Default {@link isContent}, for events.
 * @returns An operator that passes everything on as it comes.
 * @throws {RangeError} When `ms` is negative, not a number, or more than a timer can wait.
 *
 * @example
 * ```ts
 * import { concat, NEVER, of } from 'rxjs';
 * import { firstTokenWithin, type ModelEvent } from 'rx-model-stream';
 *
 * const start: ModelEvent = { type: 'response-start', provider: 'demo' };
 * concat(of(start), NEVER)
 *   .pipe(firstTokenWithin(20))
 *   .subscribe({ error: (error) => console.log(error.code, error.retryable) }); // timeout true
 * ```
 */
export function firstTokenWithin<Turn>(ms: number): MonoTypeOperatorFunction<ModelEvent<Turn>>;
export function firstTokenWithin<Value>(ms: number, options: FirstTokenOptions<Value>): MonoTypeOperatorFunction<Value>;
export function firstTokenWithin(
  ms: number,
  { counts }: FirstTokenOptions<ModelEvent> = { counts: isContent },
): MonoTypeOperatorFunction<ModelEvent> {
  checkMilliseconds('ms', ms);
  const message = `Cannot wait for the answer: no content came within ${ms} ms`;
  return timeLimit({ ms, message, counts, isRepeated: false });
}
