import { asyncScheduler, Observable, Subscription, timer } from 'rxjs';
import type { Demand } from './demand';

/** Rings when a wait for a source has lasted too long; only the time in which the source may read counts. */
export interface Alarm {
  /** Emits when the wait is over. The wait begins with the subscription, of which there is one. */
  readonly rings: Observable<void>;
  /** The source has answered: time stands still until it may read again. */
  pause(): void;
  /** The source may read again as soon as nothing is held. */
  resume(demand: Demand | undefined): void;
  /** The wait begins anew. To be called while time stands still, as `end`. */
  renew(): void;
  /** Nothing is awaited any more, until the wait begins anew. */
  end(): void;
}

/**
 * A timer that was set is left alone while values come, and set anew for the rest when it fires too early: setting one for
 * each value costs more than all that is done with the value.
 *
 * @param ms - How long a wait may last.
 */
export function createAlarm(ms: number): Alarm {
  let left = ms; // of the wait, when time last stood still; infinite where nothing is awaited
  let runsSince: number | undefined; // undefined while time stands still
  let demand: Demand | undefined;
  let held = Subscription.EMPTY;
  let timing = Subscription.EMPTY;
  let ring: () => void;

  function remaining(): number {
    const passed = runsSince === undefined ? 0 : asyncScheduler.now() - runsSince;
    return left - Math.max(0, passed); // a clock may be set back
  }

  function run(): void {
    runsSince = asyncScheduler.now();
    if (timing.closed) setTimer();
  }

  function setTimer(): void {
    timing = timer(remaining()).subscribe(fire);
  }

  function fire(): void {
    timing.unsubscribe();
    if (runsSince === undefined) return;
    if (demand?.isIdle === false)
      alarm.resume(demand); // held since: a source that cannot read is not silent
    else if (remaining() > 0) setTimer();
    else ring();
  }

  const alarm: Alarm = {
    rings: new Observable<void>((subscriber) => {
      ring = () => {
        subscriber.next();
      };
      run();
      return () => {
        held.unsubscribe();
        alarm.end(); // the source may be left inside an emission, after which time is to run again
      };
    }),
    pause() {
      left = remaining();
      runsSince = undefined;
      held.unsubscribe();
    },
    resume(current) {
      demand = current;
      runsSince = undefined;
      held.unsubscribe();
      if (left === Infinity) return;
      if (demand === undefined || demand.isIdle) run();
      else held = demand.idle.subscribe({ complete: run });
    },
    renew() {
      left = ms;
    },
    end() {
      left = Infinity;
      timing.unsubscribe();
    },
  };
  return alarm;
}
