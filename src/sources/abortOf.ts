import { defer, fromEvent, map, of, share, type Observable } from 'rxjs';
import { ModelStreamError } from '../errors';

const events = new WeakMap<AbortSignal, Observable<unknown>>();

/**
 * Fails with `aborted` when the signal is aborted, its reason as cause. However many streams share a signal, one listener
 * is added to it, and removed with the last of them: Node warns of a leak at the eleventh.
 */
export function abortOf(signal: AbortSignal): Observable<never> {
  return defer(() => (signal.aborted ? of(undefined) : eventOf(signal))).pipe(
    map(() => {
      throw new ModelStreamError('aborted', 'Stream was aborted by its caller', { cause: signal.reason });
    }),
  );
}

function eventOf(signal: AbortSignal): Observable<unknown> {
  const event = events.get(signal) ?? fromEvent(signal, 'abort').pipe(share());
  events.set(signal, event);
  return event;
}
