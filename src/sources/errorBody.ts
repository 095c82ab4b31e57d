import { catchError, defer, EMPTY, map, reduce, takeUntil, takeWhile, timer, type Observable } from 'rxjs';
import { fromByteStream } from './fromByteStream';

/** How an error body is read. */
export interface ErrorBodyOptions {
  /** As much of an error body as is read, in bytes. Default 64 KiB. */
  readonly maxErrorBytes?: number | undefined;
}

export const DEFAULT_MAX_ERROR_BYTES = 64 * 1024;

/** As long as an error body is read, in milliseconds: the status is known, and does not wait for more. */
const MAX_MS = 5000;

/**
 * The text of the body of a response that reports a failure, as far as it comes: it is bounded in bytes and in time, may
 * break off and may be aborted. Then the connection is closed. What is no UTF-8 comes out as U+FFFD.
 */
export function errorBodyOf(
  response: Response,
  signal: AbortSignal | undefined,
  { maxErrorBytes = DEFAULT_MAX_ERROR_BYTES }: ErrorBodyOptions = {},
): Observable<string> {
  return defer(() => {
    const decoder = new TextDecoder();
    let bytesLeft = maxErrorBytes;
    return fromByteStream(() => response, { signal }).pipe(
      map((chunk) => {
        const taken = chunk.subarray(0, bytesLeft);
        bytesLeft -= taken.length;
        return decoder.decode(taken, { stream: true });
      }),
      takeWhile(() => bytesLeft > 0, true),
      takeUntil(timer(MAX_MS)),
      catchError(() => EMPTY),
      reduce((text, piece) => text + piece, ''),
    );
  });
}
