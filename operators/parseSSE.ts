import type { OperatorFunction } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { createSse, type SseOptions, type SseOutput } from '../src/framing/sse';
import { fromStage } from '../src/fromStage';

/**
 * Cuts the bytes of an event stream (`text/event-stream`) into frames.
 *
 * 1. The same bytes give the same frames and the same error for every chunking.
 * 2. Events are those of the HTML standard: CR, LF and CR LF end a line; data lines are joined; a comment, an unknown
 *    field and an event without data dispatch nothing. Always UTF-8; one byte order mark at the start is dropped.
 * 3. An event that is whole is emitted at once. Frames without an `event:` line have no `name`, where a browser says
 *    `message`.
 * 4. An id that was committed without an event, and a `retry:` line, come as `hint` frames.
 * 5. Bare JSON between events and the value of an `error:` line come as `stray` frames. They are no events: the results
 *    of the standard do not change.
 * 6. An event that the end of the body cut off is emitted and marked `incomplete`; with `flush: false` it is dropped, as
 *    the standard says. A source that fails flushes nothing.
 * 7. A resumed connection begins with the id given in `lastEventId`, as browsers do; read to the letter the standard
 *    would begin each body with none. A comment counts as a line for `maxFrameBytes`, although it need not be kept.
 *
 * ```text
 * bytes    --a-----b--c|     a = 'data: 1\n\nda', b = 'ta: 2\n', c = '\n'
 * frames   --x--------y|     x = { type: 'sse', data: '1' }, y = { type: 'sse', data: '2' }
 * ```
 *
 * Fails with `too-large` when a line, or the data of an event, exceeds `maxFrameBytes`; frames that were whole before it
 * are emitted first.
 *
 * @param options.maxFrameBytes - Bound on a line in bytes and on an event's data in UTF-16 units. Default 32 MiB.
 * @param options.flush - Whether an unfinished event at the end of the body is emitted. Default `true`.
 * @param options.lastEventId - The last event id to begin with. Default none.
 * @returns An operator that emits the frames of each chunk as the chunk arrives and completes with its source.
 * @throws {RangeError} When `maxFrameBytes` is not a positive number.
 *
 * @example Read the events of a body
 * ```ts
 * import { of } from 'rxjs';
 * import { parseSSE } from 'rx-model-stream';
 *
 * const bytes = new TextEncoder().encode('event: greeting\ndata: hello\n\n');
 * of(bytes.subarray(0, 9), bytes.subarray(9)).pipe(parseSSE()).subscribe(console.log);
 * // { type: 'sse', data: 'hello', name: 'greeting' }
 * ```
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation}
 */
export function parseSSE(options: SseOptions = {}): OperatorFunction<Uint8Array, SseOutput> {
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  return fromStage(() => createSse(options));
}
