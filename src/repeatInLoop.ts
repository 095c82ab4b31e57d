import { Observable, type MonoTypeOperatorFunction } from 'rxjs';
import { linked } from './linked';

/**
 * Subscribes to the source again whenever it completes, without end: RxJS's `repeat()`, as a loop. RxJS's own recurses
 * when the source completes synchronously and stops without a word near 13,000 rounds.
 */
export function repeatInLoop<T>(): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable<T>((subscriber) => {
      let isSubscribing = false;
      let again = true;

      function cycle(): void {
        again = true;
        if (isSubscribing) return; // completed synchronously: the loop below takes the next round
        isSubscribing = true;
        while (again && !subscriber.closed) {
          again = false;
          linked(source, subscriber, () => ({
            next: (value) => {
              subscriber.next(value);
            },
            error: (error: unknown) => {
              subscriber.error(error);
            },
            complete: cycle,
          }));
        }
        isSubscribing = false;
      }

      cycle();
    });
}
