import type { Observable } from 'rxjs';
import { pulledValues } from '../src/pulledValues';

/**
 * The values of an Observable for `for await`, with its pace: the source reads on when the loop body is done.
 *
 * 1. Subscribes at the first step. A source that pulls has at most one chunk's values waiting here.
 * 2. Leaving the loop by `break`, `return` or a throw unsubscribes at once, a pending read included.
 * 3. When the source fails, the loop gets everything that came before, then the failure is thrown.
 *
 * ```text
 * source   --a----b--|        b is read when the body is done with a
 * steps      --a--  --b--
 * ```
 *
 * @param source - What to iterate.
 * @returns An async iterator of its values.
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { eachValueFrom } from 'rx-model-stream';
 *
 * for await (const value of eachValueFrom(of('a', 'b'))) console.log(value); // a, b
 * ```
 */
export function eachValueFrom<T>(source: Observable<T>): AsyncIterableIterator<T, undefined> {
  const values = pulledValues(source);
  return {
    next: () => values.take(),
    return: () => {
      values.leave();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
