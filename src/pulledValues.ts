import { Subject, takeUntil, type Observable } from 'rxjs';
import { currentDemand, type Hold } from './demand';
import { createQueue } from './queue';

/** Hands the values of an Observable to a consumer that asks for them, one at a time: the half of a bridge out of RxJS. */
export interface PulledValues<T> {
  /**
   * The next value. The one taken before is done with: when nothing else is held, its source reads on. Rejects with the
   * failure of the source once everything that arrived before it was taken.
   */
  take(): Promise<IteratorResult<T, undefined>>;
  /** Unsubscribes and lets go of everything that waits. A pending `take` finds the end. */
  leave(): void;
}

/** Subscribes at the first `take`. Every value is held from its arrival until it is done with. */
export function pulledValues<T>(source: Observable<T>): PulledValues<T> {
  const waiting = createQueue<{ readonly value: T; readonly hold: Hold | undefined }>();
  const left = new Subject<void>();
  let isSubscribed = false;
  let taken: Hold | undefined;
  let end: (() => IteratorResult<T, undefined>) | undefined;
  let wake: (() => void) | undefined;
  let lastTake: Promise<unknown> = Promise.resolve(); // takes answer one after another, in the order of their calls

  function finish(how: () => IteratorResult<T, undefined>): void {
    end ??= how;
    wake?.();
  }

  function subscribe(): void {
    isSubscribed = true;
    source.pipe(takeUntil(left)).subscribe({
      next(value) {
        waiting.add({ value, hold: currentDemand()?.hold() });
        wake?.();
      },
      error(error: unknown) {
        finish(() => {
          throw error;
        });
      },
      complete() {
        finish(endOfValues);
      },
    });
  }

  async function takeNext(): Promise<IteratorResult<T, undefined>> {
    taken?.release();
    taken = undefined;
    if (waiting.size === 0 && !end) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (waiting.size === 0) return end?.() ?? endOfValues();
    const { value, hold } = waiting.take();
    taken = hold;
    return { done: false, value };
  }

  return {
    take() {
      if (!isSubscribed && !end) subscribe();
      const next = lastTake.then(takeNext, takeNext);
      lastTake = next;
      return next;
    },
    leave() {
      finish(endOfValues);
      left.next();
      taken?.release();
      while (waiting.size > 0) waiting.take().hold?.release();
    },
  };
}

function endOfValues(): IteratorResult<never, undefined> {
  return { done: true, value: undefined };
}
