import {
  catchError,
  concat,
  defer,
  exhaustMap,
  finalize,
  identity,
  of,
  takeUntil,
  takeWhile,
  tap,
  throwIfEmpty,
  type MonoTypeOperatorFunction,
  type Observable,
} from 'rxjs';
import { isModelStreamError, ModelStreamError } from '../errors';
import { abortOf } from './abortOf';
import { opened, type Opening } from './opened';

/** One kind of connection. */
export interface Connector<Source, Value> {
  /** Closes a connection that nobody reads. */
  readonly close: (source: Source) => void;
  /** What comes over the connection; leaving it closes the connection. */
  readonly read: (source: Source) => Observable<Value>;
}

const END = Symbol('end of input');

/**
 * What comes over a connection that is opened on each subscription.
 *
 * 1. Leaving it aborts the signal given to `open`, and so does a failure; a normal end aborts nothing.
 * 2. A connection that a promise brings after the consumer has left is closed at once.
 * 3. Of an Observable the first value counts; it is left when the connection has ended.
 *
 * Fails with `network` (retryable) when `open` fails with anything but a `ModelStreamError`, which passes unchanged; with
 * `aborted` when the caller's signal is aborted.
 */
export function connection<Source extends object, Value>(
  open: (signal: AbortSignal) => Opening<Source>,
  { close, read }: Connector<Source, Value>,
  signal: AbortSignal | undefined,
): Observable<Value> {
  const values = defer(() => {
    const controller = new AbortController();
    return defer(() => opened(open(controller.signal), close)).pipe(
      catchError((error: unknown) => {
        throw networkError('Cannot open stream: the connection failed', error);
      }),
      throwIfEmpty(() => new ModelStreamError('network', 'Cannot open stream: nothing was opened')),
      exhaustMap((source) => concat(read(source), of(END))),
      takeWhile((value): value is Value => value !== END),
      abortUnlessCompleted(controller),
    );
  });
  return values.pipe(abortedBy(signal));
}

/** Fails with `aborted` when the caller's signal is aborted; listens to it only while the source runs. */
export function abortedBy<T>(signal: AbortSignal | undefined): MonoTypeOperatorFunction<T> {
  return signal === undefined ? identity : takeUntil(abortOf(signal));
}

/** The failure of a connection; an error of this library stays what it is. */
export function networkError(message: string, cause: unknown): ModelStreamError {
  return isModelStreamError(cause) ? cause : new ModelStreamError('network', message, { retryable: true, cause });
}

function abortUnlessCompleted<T>(controller: AbortController): MonoTypeOperatorFunction<T> {
  return (source) =>
    defer(() => {
      let hasCompleted = false;
      return source.pipe(
        tap({
          complete: () => {
            hasCompleted = true;
          },
        }),
        finalize(() => {
          if (!hasCompleted) controller.abort();
        }),
      );
    });
}
