import { from, Observable, type ObservableInput, type ObservedValueOf, type OperatorFunction } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import { currentDemand, type Hold } from '../src/demand';
import { linked } from '../src/linked';
import { createQueue } from '../src/queue';

/**
 * Works on each value, and lets the source read on only when the work is done: `mergeMap` with a limit, but the source
 * waits instead of filling a buffer.
 *
 * 1. At most `concurrent` inner streams run at once; with 1 (the default) they run one after another, in order.
 * 2. Every value is held from its arrival to the completion of its work, so a source that pulls has at most one chunk's
 *    values waiting here. A source that pushes is buffered, as in `mergeMap`.
 * 3. Results are emitted under the hold of the value they come from: a further `pacedMap`, or a bridge out of RxJS, keeps
 *    the source held without a gap.
 * 4. When the source fails, what arrived before is worked off first, then the error is reported. A failure of `project`
 *    or of its stream is reported at once.
 *
 * ```text
 * source   --a--------b--|        read on when the work on a is done
 * work       ---(x|)    ---(y|)
 * result   -----x----------(y|)
 * ```
 *
 * Errors pass unchanged. An operator that emits asynchronously before this one (`delay`, `observeOn`) takes the pace
 * away: values are then buffered, never lost. Work that waits for a later value of the same source never ends.
 *
 * @param project - Starts the work on a value.
 * @param concurrent - How many inner streams run at once. Default 1.
 * @returns An operator that emits what the inner streams emit.
 * @throws {RangeError} When `concurrent` is not a positive number.
 *
 * @example A slow consumer
 * ```ts
 * import { map, of, timer } from 'rxjs';
 * import { pacedMap } from 'rx-model-stream';
 *
 * of('a', 'b').pipe(pacedMap((value) => timer(5).pipe(map(() => value)))).subscribe(console.log); // a, b
 * ```
 */
export function pacedMap<Value, Inner extends ObservableInput<unknown>>(
  project: (value: Value, index: number) => Inner,
  concurrent = 1,
): OperatorFunction<Value, ObservedValueOf<Inner>> {
  checkPositive('concurrent', concurrent);
  return (source) =>
    new Observable<ObservedValueOf<Inner>>((subscriber) => {
      const waiting = createQueue<{ readonly value: Value; readonly hold: Hold | undefined }>();
      const holds = new Set<Hold>();
      let active = 0;
      let index = 0;
      let isStarting = false;
      let finish: (() => void) | undefined; // what is to be said when all is worked off

      function startNext(): void {
        if (isStarting) return; // inner streams that complete synchronously are taken in this loop
        isStarting = true;
        while (active < concurrent && waiting.size > 0 && !subscriber.closed) {
          const { value, hold } = waiting.take();
          work(value, hold);
        }
        isStarting = false;
        if (active === 0 && waiting.size === 0) finish?.();
      }

      function work(value: Value, hold: Hold | undefined): void {
        active += 1;
        let inner: Observable<ObservedValueOf<Inner>>;
        try {
          inner = from(project(value, index) as ObservableInput<ObservedValueOf<Inner>>);
        } catch (error) {
          subscriber.error(error);
          return;
        }
        index += 1;
        linked(inner, subscriber, () => ({
          next(result) {
            if (hold === undefined) subscriber.next(result);
            else {
              hold.run(() => {
                subscriber.next(result);
              });
            }
          },
          error(error: unknown) {
            subscriber.error(error);
          },
          complete() {
            active -= 1;
            startNext();
            if (hold === undefined) return;
            holds.delete(hold);
            hold.release();
          },
        }));
      }

      linked(source, subscriber, () => ({
        next(value) {
          const hold = currentDemand()?.hold();
          if (hold) holds.add(hold);
          waiting.add({ value, hold });
          startNext();
        },
        error(error: unknown) {
          finish = () => {
            subscriber.error(error);
          };
          startNext();
        },
        complete() {
          finish = () => {
            subscriber.complete();
          };
          startNext();
        },
      }));
      // After the source was left, or the release would start one more read.
      subscriber.add(() => {
        for (const hold of holds) hold.release();
        holds.clear();
      });
    });
}
