import { catchError, defer, EMPTY, from, retry, tap, throwError, timeout, timer, type OperatorFunction } from 'rxjs';
import type { Frame } from '../src/frame';
import { fromStage } from '../src/fromStage';
import type { Provider } from '../src/provider';
import { createReconnection } from '../src/reconnection';
import type { CancelPoint } from '../src/resume';
import { retryBoundsOf, type ResumeOptions } from '../src/retryOptions';

/** As long as a request that cancels a run is waited for. */
const CANCEL_WITHIN_MS = 10_000;

/**
 * Lets an answer survive its connection. It stands between the framing and `normalize`.
 *
 * Three things are treated alike: a failure of the source, a failure that the service reports in its stream, and an end
 * before the terminal signal. Then, as far as the options allow:
 *
 * 1. Where the provider can go on with the answer, `resume` opens the continuation. What was delivered before is dropped:
 *    the consumer sees one unbroken stream, without a gap and without a repeat, wherever the cut was.
 * 2. Where it cannot, the request is sent again: with `restart: 'before-content'` (default) only as long as no content was
 *    handed on. A `restart` frame comes first; `normalize` makes a `restart` event of it, and `accumulateBlocks` starts afresh.
 * 3. Otherwise the failure passes as it is; a copy of it has `responseId` and `cursor` where the answer could have gone on.
 * 4. After the terminal signal nothing is retried, and nothing fails. `aborted` is never retried, nor is an error that
 *    is no `ModelStreamError`.
 * 5. The wait before a reconnect is the error's `retryAfterMs`, else what the service last said with `retry:`, else a random
 *    time up to a bound that starts at `initialDelayMs` and doubles with each reconnect in a row. One that exceeds
 *    `maxDelayMs` is not waited: the failure passes. Waiting never blocks unsubscription.
 * 6. `maxRetries` counts reconnects in a row that brought no payload nobody had; a restart never brings one.
 *    `maxTotalRetries` counts all.
 * 7. In a session only failures of the connection are answered; its responses end one by one.
 *
 * ```text
 * source    --a--b--#                       a, b = frames 1, 2; # = the connection fails
 * resume                 --b--c--|          opened after the wait, with the cursor behind frame 2
 * frames    --a--b-----------c--|           the repeated b is dropped
 *
 * source    --p--#    --q--a--|             p, q = preamble: the request may be sent again
 * frames    --p------r--q--a--|             r = { type: 'restart', attempt: 1, cause }
 * ```
 *
 * Fails as the source, the provider or a continuation failed last.
 *
 * A restart is a new request and is paid for again; so is what the lost attempt has written. See `withUsage`.
 *
 * @param provider - Whose frames they are; its `resume` says whether answers can go on.
 * @param options.resume - Opens the answer at a point. Default none: answers are only ever restarted.
 * @param options.restart - `before-content` (default), `always` or `never`.
 * @param options.maxRetries - Reconnects in a row without progress. Default 3.
 * @param options.maxTotalRetries - Reconnects of the whole stream. Default 20.
 * @param options.initialDelayMs - Bound of the first random wait, in milliseconds. Default 500.
 * @param options.maxDelayMs - The longest wait, in milliseconds. Default 60,000.
 * @param options.shouldRetry - Has the last word on whether to reconnect.
 * @param options.onRetry - Told before each wait.
 * @param options.cancel - Ends the run at the service when the consumer leaves before the ending.
 * @returns An operator that hands on frames, decoded.
 * @throws {RangeError} When an option is out of its range.
 *
 * @example The connection is lost before the first word
 * ```ts
 * import { concat, defer, of, throwError } from 'rxjs';
 * import { anthropic, ModelStreamError, retryWithResume, type Frame } from 'rx-model-stream';
 *
 * const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
 * const frame = (type: string): Frame => ({ type: 'json', value: { type } });
 * let requests = 0;
 * defer(() => ++requests === 1 ? concat(of(frame('message_start')), throwError(() => lost)) : of(frame('message_stop')))
 *   .pipe(retryWithResume(anthropic(), { initialDelayMs: 0 }))
 *   .subscribe((frame) => console.log(frame.type)); // json, restart, json
 * ```
 *
 * @see `fromModel`, whose `retry` opens the continuations itself
 */
export function retryWithResume(provider: Provider, options: ResumeOptions = {}): OperatorFunction<Frame, Frame> {
  const bounds = retryBoundsOf(options);
  return (source) =>
    defer(() => {
      const reconnection = createReconnection(provider, source, bounds, options);
      return defer(() => reconnection.open()).pipe(
        fromStage(() => reconnection.createReader()),
        retry({
          delay: (error) => {
            const delayMs = reconnection.takeDelayMs();
            return delayMs === undefined ? throwError(() => error as unknown) : timer(delayMs);
          },
        }),
        tap({
          unsubscribe() {
            const point = reconnection.cancelPoint();
            if (point && options.cancel) cancelled(point, options.cancel);
          },
        }),
      );
    });
}

/** Sends the cancellation off; the consumer has left and hears nothing of it. */
function cancelled(point: CancelPoint, cancel: NonNullable<ResumeOptions['cancel']>): void {
  defer(() => from(cancel(point)))
    .pipe(
      timeout(CANCEL_WITHIN_MS),
      catchError(() => EMPTY),
    )
    .subscribe();
}
