import { concat, defer, EMPTY, Observable, Subject } from 'rxjs';

/** Keeps a source from reading on while a value of it is kept for later. */
export interface Hold {
  /** Lets the source read on, once nothing else holds it. A second call does nothing. */
  release(): void;
  /**
   * Emits what became of the held value: whoever keeps that on takes a hold of his own first, so that the source stays
   * held without a gap.
   */
  run(act: () => void): void;
}

/** What paces one source: it reads on when nothing is held. */
export interface Demand {
  hold(): Hold;
  /** Whether nothing is held now. */
  readonly isIdle: boolean;
  /** Completes when nothing is held, at once if nothing is held now. */
  readonly idle: Observable<never>;
}

interface DemandSlot {
  current: Demand | undefined;
}

const SLOT = Symbol.for('rx-model-stream.demand');
let knownSlot: DemandSlot | undefined; // looking it up costs more than all the rest of an emission

/** One place for the whole program, so that two copies of this package pace each other. */
function slot(): DemandSlot {
  const realm = globalThis as { [SLOT]?: DemandSlot | undefined };
  return (knownSlot ??= realm[SLOT] ??= { current: undefined });
}

/**
 * The demand of the source whose value is being emitted right now, for authors of sinks and of operators that keep values
 * for later. Take a hold on it, inside the `next` call, for every value you keep; release it when you are done with the
 * value, and after you unsubscribed from the source, never before.
 *
 * @returns undefined when the value comes from a source that does not pull, or comes asynchronously.
 *
 * @example A sink that waits a turn for each value
 * ```ts
 * import { currentDemand, pullChunks } from 'rx-model-stream';
 *
 * let count = 0;
 * const read = () => Promise.resolve(count < 2 ? { done: false, value: count++ } : { done: true, value: undefined });
 * pullChunks(read).subscribe((value) => {
 *   const hold = currentDemand()?.hold();
 *   queueMicrotask(() => {
 *     console.log(value); // 0, 1
 *     hold?.release(); // the second is not read before this
 *   });
 * });
 * ```
 */
export function currentDemand(): Demand | undefined {
  return slot().current;
}

/** Makes `demand` the current one while `act` runs. */
export function runUnder(demand: Demand | undefined, act: () => void): void {
  const realm = slot();
  const outer = realm.current;
  realm.current = demand;
  try {
    act();
  } finally {
    realm.current = outer;
  }
}

/** Makes the demand of one subscription to a source. */
export function createDemand(): Demand {
  let held = 0;
  const released = new Subject<void>();
  const demand: Demand = {
    get isIdle() {
      return held === 0;
    },
    idle: new Observable<never>((subscriber) => {
      if (held === 0) subscriber.complete();
      else {
        subscriber.add(
          released.subscribe(() => {
            if (held === 0) subscriber.complete();
          }),
        );
      }
    }),
    hold() {
      held += 1;
      let isOpen = true;
      return {
        release() {
          if (!isOpen) return;
          isOpen = false;
          held -= 1;
          if (held === 0) released.next();
        },
        run(act) {
          const outer = currentDemand();
          runUnder(outer === undefined || outer === demand ? demand : both(outer, demand), act);
        },
      };
    },
  };
  return demand;
}

/** A value can have two producers: a model stream that was started for an event of another one. */
function both(first: Demand, second: Demand): Demand {
  const demand: Demand = {
    get isIdle() {
      return first.isIdle && second.isIdle;
    },
    idle: defer(() => (demand.isIdle ? EMPTY : concat(first.idle, second.idle, demand.idle))),
    hold() {
      const holds = [first.hold(), second.hold()] as const;
      return {
        release() {
          holds.forEach((hold) => {
            hold.release();
          });
        },
        run(act) {
          holds[0].run(() => {
            holds[1].run(act);
          });
        },
      };
    },
  };
  return demand;
}
