import { defer, finalize, tap, throwError, timeout, type Observable } from 'rxjs';
import { checkMilliseconds } from '../checkOption';
import { ModelStreamError } from '../errors';
import { cancelBytes, type ByteSource } from './chunkReader';
import { opened, type Opening } from './opened';

/**
 * Bounds the time until the headers of a response are there: wraps the `open` of `fromByteStream`, or the function that
 * sends the request of `fromModel`.
 *
 * 1. When the time has passed, the signal given to `open` is aborted before the failure is reported.
 * 2. A response that comes all the same, since whoever sends ignores the signal, is cancelled.
 * 3. Once the headers are there the limit is out of the way: `idleWithin` watches the body.
 * 4. Leaving aborts the signal as ever; a normal end aborts nothing.
 *
 * ```text
 * open     ^-----------r     r = the response; the limit is 8
 * result   --------#         # = timeout
 * ```
 *
 * Fails with `timeout`, retryable. Failures of `open` pass unchanged.
 *
 * @typeParam Source - What is opened, such as a `Response`.
 * @param ms - How long the headers may take, in milliseconds. `Infinity` is no limit.
 * @param open - Sends the request; returns the response, a promise of it, or an Observable of it.
 * @returns A function that opens the same.
 * @throws {RangeError} When `ms` is negative, not a number, or more than a timer can wait.
 *
 * @example A service that accepts the request and says nothing
 * ```ts
 * import { fromByteStream, headersWithin } from 'rx-model-stream';
 *
 * const open = () => new Promise<Response>(() => {}); // or (signal) => fetch(url, { signal })
 * fromByteStream(headersWithin(20, open)).subscribe({ error: (error) => console.log(error.code) }); // timeout
 * ```
 *
 * @see {@link fromModel}, whose option `headersWithinMs` does this
 */
export function headersWithin<Source extends ByteSource>(
  ms: number,
  open: (signal: AbortSignal) => Opening<Source>,
): (signal: AbortSignal) => Observable<Source> {
  checkMilliseconds('ms', ms);
  if (ms === Infinity) return (signal) => defer(() => opened(open(signal), cancelBytes));
  const message = `Cannot open stream: no headers came within ${ms} ms`;
  const late = throwError(() => new ModelStreamError('timeout', message, { retryable: true }));
  return (signal) =>
    defer(() => {
      const controller = new AbortController();
      if (signal.aborted) controller.abort(signal.reason);
      signal.addEventListener('abort', () => {
        controller.abort(signal.reason); // heard until the body has ended; the signal of one connection goes with it
      });
      let isOpen = false;
      const source = defer(() => opened(open(controller.signal), cancelBytes)).pipe(
        tap(() => {
          isOpen = true;
        }),
        finalize(() => {
          if (!isOpen) controller.abort();
        }),
      );
      return source.pipe(timeout({ first: ms, with: () => late }));
    });
}
