import { types } from 'node:util';
import { catchError, fromEvent, takeUntil, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  errorAsEvent,
  fromModel,
  isModelStreamError,
  ModelStreamError,
  withUsage,
  type Snapshot,
} from '../index';
import type { Question } from './services';

/**
 * Asks, and emits the answer as it grows. It completes after a failure too, which is then the last snapshot's.
 *
 * @param leave - Aborting it closes the connection; the last snapshot then says `stopped`.
 */
export function ask(question: Question, leave: AbortSignal): Observable<Snapshot> {
  const { service, key } = question;
  return fromModel(service.createProvider(), service.requestFor(question)).pipe(
    takeUntil(fromEvent(leave, 'abort')),
    withUsage(),
    explained(key),
    errorAsEvent(),
    accumulateBlocks(),
  );
}

/** Failures in words for a person: with what is behind them, and without the key, which a service may quote. */
function explained<T>(key: string): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => {
    if (!isModelStreamError(error)) throw error;
    throw new ModelStreamError(error.code, reasonOf(error).replaceAll(key, '[key]'), error);
  });
}

/** A failed connection says only in its innermost cause where it led. */
function reasonOf(error: Error): string {
  let innermost = error;
  while (types.isNativeError(innermost.cause)) innermost = innermost.cause;
  // A host with several addresses gives an error without a message of its own.
  const reason = innermost.message === '' && 'code' in innermost ? String(innermost.code) : innermost.message;
  return reason === error.message ? reason : `${error.message} (${reason})`;
}
