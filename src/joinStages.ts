import type { Emit, Stage } from './stage';

/**
 * Makes one stage of two, with a function call between them where two operators would have an Observable.
 *
 * 1. `fromStage(() => joinStages(a(), b()))` says the same as `pipe(fromStage(a), fromStage(b))`, errors included.
 * 2. A throw of `first` is the failure of the source for `second`.
 * 3. A throw of `second` ends both: it is not a failure of `first`, which finishes its input unheard.
 *
 * @param first - Takes the inputs.
 * @param second - Takes the outputs of `first`.
 * @returns A stage from the inputs of `first` to the outputs of `second`.
 *
 * @example Two stages in one operator
 * ```ts
 * import { of } from 'rxjs';
 * import { fromStage, joinStages, type Stage } from 'rx-model-stream';
 *
 * const words = (): Stage<string, string> => ({ push: (line, emit) => line.split(' ').forEach(emit), end: () => {} });
 * const lengths = (): Stage<string, number> => ({ push: (word, emit) => emit(word.length), end: () => {} });
 * of('one two', 'three').pipe(fromStage(() => joinStages(words(), lengths()))).subscribe(console.log); // 3, 3, 5
 * ```
 */
export function joinStages<A, B, C>(first: Stage<A, B>, second: Stage<B, C>): Stage<A, C> {
  let over = false; // `second` has completed or thrown: nothing goes through any more
  let failureOfSecond: { readonly error: unknown } | undefined;

  function into(emit: Emit<C>): Emit<B> {
    return (value) => {
      if (over) return;
      try {
        second.push(value, emit);
      } catch (error) {
        failureOfSecond = { error };
        over = true;
        return; // `first` finishes its input, as it would in an operator of its own
      }
      if (second.done) over = true;
    };
  }

  /** Lets `first` act, and gives its throw to `second` as the failure of the source. */
  function through(act: (emit: Emit<B>) => void, emit: Emit<C>): void {
    try {
      act(into(emit));
    } catch (error) {
      if (!over) failed(error, emit);
    }
    if (failureOfSecond) throw failureOfSecond.error;
  }

  function failed(error: unknown, emit: Emit<C>): void {
    over = true;
    if (!second.fail) failureOfSecond = { error };
    else {
      try {
        second.fail(error, emit);
      } catch (reported) {
        failureOfSecond = { error: reported };
      }
    }
  }

  function ended(emit: Emit<C>): void {
    if (over) return;
    over = true;
    second.end(emit);
  }

  return {
    push(input, emit) {
      through((toSecond) => {
        first.push(input, toSecond);
      }, emit);
      if (first.done) ended(emit);
    },
    end(emit) {
      through((toSecond) => {
        first.end(toSecond);
      }, emit);
      ended(emit);
    },
    fail(error, emit) {
      through((toSecond) => {
        if (!first.fail) throw error;
        first.fail(error, toSecond);
      }, emit);
      ended(emit);
    },
    get done() {
      return over;
    },
  };
}
