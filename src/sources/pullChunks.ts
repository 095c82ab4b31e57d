import { concatMap, defer, EMPTY, first, Observable, type ObservableInput } from 'rxjs';
import { createDemand, runUnder } from '../demand';

/**
 * Reads a source one chunk at a time, and the next one only when every consumer is done with the last.
 *
 * 1. `read` is called once for each chunk, never while a chunk is held. Whoever keeps a value for later holds it:
 *    `pacedMap`, `eachValueFrom`, `toReadableStream`, and sinks that use `currentDemand`. Without one of these the source
 *    is read as fast as it gives, as everywhere in RxJS.
 * 2. Of several consumers the slowest sets the pace; a source merged with others is held on its own.
 * 3. No read is started after the consumer has left or has enough.
 * 4. Reads that answer synchronously are taken in a loop: a million of them complete.
 * 5. The first answer of a read counts; a read without one fails with RxJS's `EmptyError`.
 *
 * ```text
 * read 1    --a|                            events of a take 3 frames each to work on
 * read 2              ^-b|                  subscribed when both are done
 * result    --(a)-------b…
 * ```
 *
 * A failed read is the error of the stream, unchanged.
 *
 * @typeParam Chunk - What a read gives.
 * @param read - Asks for the next chunk: like the `read` of a stream's reader or the `next` of an iterator, and it may
 *   return an Observable, which makes it testable with marbles.
 * @returns An Observable of the chunks.
 *
 * @example
 * ```ts
 * import { pullChunks } from 'rx-model-stream';
 *
 * const reader = new Blob(['hello']).stream().getReader();
 * pullChunks(() => reader.read()).subscribe((chunk) => console.log(new TextDecoder().decode(chunk))); // hello
 * ```
 */
export function pullChunks<Chunk>(read: () => ObservableInput<IteratorResult<Chunk, unknown>>): Observable<Chunk> {
  return new Observable<Chunk>((subscriber) => {
    const demand = createDemand();
    let isPulling = false;
    let isAgain = false;

    /** Emits what was read; completes when nothing holds it any more. */
    function emit(result: IteratorResult<Chunk, unknown>): Observable<never> {
      if (result.done) {
        subscriber.complete();
        return EMPTY;
      }
      runUnder(demand, () => {
        subscriber.next(result.value);
      });
      return demand.idle;
    }

    /** Reads on: in a loop, since RxJS's `repeat` recurses where reads answer synchronously, and stops near 13,000. */
    function pull(): void {
      isAgain = true;
      if (isPulling) return;
      isPulling = true;
      while (isAgain && !subscriber.closed) {
        isAgain = false;
        subscriber.add(chunk.subscribe({ error: fail, complete: pull }));
      }
      isPulling = false;
    }

    function fail(error: unknown): void {
      subscriber.error(error);
    }

    const chunk = defer(read).pipe(first(), concatMap(emit));
    pull();
  });
}
