import { catchError, of, throwError, type OperatorFunction } from 'rxjs';
import { isModelStreamError } from '../src/errors';
import type { ModelEvent } from '../src/events';

/**
 * Turns the failure of a stream into a last `error` event, for those who merge many streams: one that fails does not end
 * the others. Put it before `accumulateBlocks`, whose last snapshot then says `failed`.
 *
 * 1. Only a `ModelStreamError` becomes an event; any other error is a mistake in the program and passes unchanged.
 *
 * ```text
 * events   --a--b--#
 * result   --a--b--(e|)      e = { type: 'error', error }
 * ```
 *
 * @returns An operator that completes after a failure.
 *
 * @example
 * ```ts
 * import { throwError } from 'rxjs';
 * import { accumulateBlocks, errorAsEvent, ModelStreamError } from 'rx-model-stream';
 *
 * throwError(() => new ModelStreamError('network', 'Connection lost'))
 *   .pipe(errorAsEvent(), accumulateBlocks())
 *   .subscribe((snapshot) => console.log(snapshot.status, snapshot.error?.code)); // failed network
 * ```
 */
export function errorAsEvent<Turn>(): OperatorFunction<ModelEvent<Turn>, ModelEvent<Turn>> {
  return catchError((error: unknown) =>
    isModelStreamError(error) ? of({ type: 'error', error } as const) : throwError(() => error),
  );
}
