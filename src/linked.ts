import { Subject, Subscription, takeUntil, type Observable, type Observer, type Subscriber } from 'rxjs';

/**
 * Subscribes to `source` on behalf of `subscriber`, so that the source is left as soon as the subscriber is, even while
 * `source.subscribe` is still running: a synchronous source stops when the consumer has enough.
 *
 * Plain `source.subscribe(observer)` cannot do that in a hand-written operator, since its Subscription is not there yet
 * when the first values arrive. Every operator of this library that subscribes to its source by hand uses this function.
 *
 * 1. Unsubscribing `subscriber` leaves the source at once.
 * 2. `leave()` does the same from inside; the observer hears nothing after it.
 * 3. When the source fails or completes, it is left before the observer is told, so that a retry finds it closed.
 *
 * @param source - The Observable to listen to.
 * @param subscriber - The consumer whose life bounds the subscription.
 * @param observe - Makes the observer; gets `leave`.
 */
export function linked<T>(
  source: Observable<T>,
  subscriber: Subscriber<never>,
  observe: (leave: () => void) => Observer<T>,
): void {
  const left = new Subject<void>();
  const link = new Subscription(() => {
    left.next();
  });
  subscriber.add(link);
  const observer = observe(() => {
    link.unsubscribe();
  });
  link.add(
    source.pipe(takeUntil(left)).subscribe({
      next: (value) => {
        observer.next(value);
      },
      error: (error: unknown) => {
        if (link.closed) return;
        link.unsubscribe();
        observer.error(error);
      },
      complete: () => {
        if (link.closed) return; // the completion that leaving itself brings about
        link.unsubscribe();
        observer.complete();
      },
    }),
  );
}
