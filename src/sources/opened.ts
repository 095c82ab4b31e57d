import { isObservable, Observable, of } from 'rxjs';

/** What a caller opens: the source itself, a promise of it, or an Observable of it. */
export type Opening<Source> = Source | PromiseLike<Source> | Observable<Source>;

/**
 * What was opened, as an Observable. A source that a promise brings after the consumer has left is closed at once: the
 * connection does not stay open when whoever opens it ignores the abort signal.
 */
export function opened<Source extends object>(
  opening: Opening<Source>,
  close: (source: Source) => void,
): Observable<Source> {
  if (isObservable(opening)) return opening;
  if (!isPromise(opening)) return of(opening);
  return new Observable<Source>((subscriber) => {
    opening.then(
      (source) => {
        if (subscriber.closed) close(source);
        subscriber.next(source);
        subscriber.complete();
      },
      (error: unknown) => {
        subscriber.error(error);
      },
    );
  });
}

function isPromise<Source extends object>(opening: Source | PromiseLike<Source>): opening is PromiseLike<Source> {
  return 'then' in opening;
}
