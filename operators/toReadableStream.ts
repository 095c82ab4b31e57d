import type { Observable } from 'rxjs';
import { pulledValues } from '../src/pulledValues';

/**
 * The values of an Observable as a `ReadableStream`, with its pace: the source reads on when the reader asks for more.
 *
 * 1. Subscribes at the first read. A source that pulls has at most one chunk's values waiting here; the stream itself
 *    buffers nothing.
 * 2. Cancelling the stream unsubscribes at once.
 * 3. When the source fails, everything that came before is read first, then the stream errors.
 *
 * ```text
 * source   --a----b--|        b is read when the reader asks again
 * reads      --a--  --b--
 * ```
 *
 * @param source - What to read.
 * @returns A stream of its values.
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { toReadableStream } from 'rx-model-stream';
 *
 * const stream = toReadableStream(of(new TextEncoder().encode('data: hello\n\n')));
 * console.log(await new Response(stream).text()); // data: hello
 * ```
 */
export function toReadableStream<T>(source: Observable<T>): ReadableStream<T> {
  const values = pulledValues(source);
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const next = await values.take();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        values.leave();
      },
    },
    { highWaterMark: 0 },
  );
}
