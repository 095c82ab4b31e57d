import type { Observable } from 'rxjs';
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
  let taken: Hold | undefined;
  let end: (() => IteratorResult<T, undefined>) | undefined;
  let sleepers: (() => void)[] = []; // calls of `take` that wait for a value or the end
  let leaveSource: (() => void) | undefined;

  function wake(): void {
    const woken = sleepers;
    sleepers = [];
    woken.forEach((resume) => {
      resume();
    });
  }

  function finish(how: () => IteratorResult<T, undefined>): void {
    end ??= how;
    wake();
  }

  function subscribe(): () => void {
    const subscription = source.subscribe({
      next(value) {
        waiting.add({ value, hold: currentDemand()?.hold() });
        wake();
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
    return () => {
      subscription.unsubscribe();
    };
  }

  return {
    async take() {
      if (!end) leaveSource ??= subscribe();
      taken?.release();
      taken = undefined;
      while (waiting.size === 0 && !end) {
        await new Promise<void>((resolve) => {
          sleepers.push(resolve);
        });
      }
      if (waiting.size === 0) return end?.() ?? endOfValues();
      const { value, hold } = waiting.take();
      taken = hold;
      return { done: false, value };
    },
    leave() {
      leaveSource?.();
      taken?.release();
      while (waiting.size > 0) waiting.take().hold?.release();
      finish(endOfValues);
    },
  };
}

function endOfValues(): IteratorResult<never, undefined> {
  return { done: true, value: undefined };
}
