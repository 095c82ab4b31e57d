import { isObservable, Observable, of } from 'rxjs';
import { createChunkReader, type ByteSource } from './chunkReader';

/**
 * What was opened, as an Observable. A source that a promise brings after the consumer has left is closed at once: the
 * connection does not stay open when whoever opens it ignores the abort signal.
 */
export function opened<Source extends ByteSource>(
  opening: Source | PromiseLike<Source> | Observable<Source>,
): Observable<Source> {
  if (isObservable(opening)) return opening;
  if (!('then' in opening)) return of(opening);
  return new Observable<Source>((subscriber) => {
    opening.then(
      (source) => {
        if (subscriber.closed) createChunkReader(source).cancel();
        subscriber.next(source);
        subscriber.complete();
      },
      (error: unknown) => {
        subscriber.error(error);
      },
    );
  });
}
