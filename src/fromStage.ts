import { Observable, type OperatorFunction } from 'rxjs';
import { linked } from './linked';
import type { Stage } from './stage';

/**
 * Puts a {@link Stage} into a pipe.
 *
 * 1. `createStage` runs once a subscription; its throw reaches the error channel.
 * 2. At most one of `end` and `fail` is called, never after a throw, never once the stage is `done`, and never after the
 *    consumer left.
 * 3. What was emitted before a throw is delivered before the error; the source is left before the error is reported.
 * 4. After the consumer left, `emit` does nothing; the running `push` finishes its input, and a throw after that is
 *    dropped.
 * 5. A notification that arrives while a method of the stage runs, end and failure included, waits its turn; those that
 *    wait are taken in a loop, not by recursion.
 * 6. A synchronous source stops when the consumer has enough.
 * 7. A throw of the consumer's own `next` is reported by RxJS, later; the stage is not told.
 *
 * ```text
 * source   --a--b--|          the stage doubles letters and counts them at the end
 * result   --(aa)(bb)(2|)
 * ```
 *
 * @param createStage - Makes the stage of one subscription.
 * @returns An operator that feeds the stage and emits what it emits.
 *
 * @example A stage that pairs values
 * ```ts
 * import { of } from 'rxjs';
 * import { fromStage } from 'rx-model-stream';
 *
 * const pairs = fromStage<string, string>(() => {
 *   let first: string | undefined;
 *   return {
 *     push(value, emit) {
 *       if (first === undefined) first = value;
 *       else {
 *         emit(first + value);
 *         first = undefined;
 *       }
 *     },
 *     end(emit) {
 *       if (first !== undefined) emit(first);
 *     },
 *   };
 * });
 * of('a', 'b', 'c').pipe(pairs).subscribe(console.log); // ab, c
 * ```
 */
export function fromStage<In, Out>(createStage: () => Stage<In, Out>): OperatorFunction<In, Out> {
  return (source) =>
    new Observable<Out>((subscriber) => {
      const stage = createStage();
      const emit = (output: Out): void => {
        subscriber.next(output);
      };
      let busy = false;
      let waiting: (() => void)[] = []; // notifications that came from inside an emission

      linked(source, subscriber, (leave) => {
        function take(step: () => void): void {
          if (busy) {
            waiting.push(step);
            return;
          }
          busy = true;
          try {
            run(step);
            while (waiting.length > 0) {
              const steps = waiting;
              waiting = [];
              steps.forEach(run);
            }
          } catch (error) {
            leave();
            subscriber.error(error);
          } finally {
            busy = false;
          }
        }
        function run(step: () => void): void {
          if (subscriber.closed) return;
          step();
          if (stage.done) complete();
        }
        function complete(): void {
          leave();
          subscriber.complete();
        }
        return {
          next(input) {
            take(() => {
              stage.push(input, emit);
            });
          },
          error(error: unknown) {
            take(() => {
              if (!stage.fail) throw error;
              stage.fail(error, emit);
              complete();
            });
          },
          complete() {
            take(() => {
              stage.end(emit);
              complete();
            });
          },
        };
      });
    });
}
