import type { OperatorFunction } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import type { JsonFrame, StrayFrame } from '../src/frame';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { createNdjson, type NdjsonOptions } from '../src/framing/ndjson';
import { fromStage } from '../src/fromStage';

/**
 * Cuts the bytes of lines of JSON (`application/x-ndjson`, JSON Lines) into a frame for each line.
 *
 * 1. The same bytes give the same frames and the same error for every chunking.
 * 2. A line is emitted when its end is there. LF and CR LF end a line; so does a CR alone, which the format allows nowhere
 *    else. Blank lines are skipped.
 * 3. Values may be of any type, and each is what `JSON.parse` makes of its line.
 * 4. A line that is not JSON comes as a `stray` frame: it may mean something to a provider, and the next line is as good as
 *    before.
 * 5. The last line may lack its end. A source that fails flushes nothing.
 * 6. Bad UTF-8 gives U+FFFD, as in an event stream. One byte order mark at the start is dropped.
 *
 * ```text
 * bytes    --a-----b--c|     a = '{"n":1}\n{"n', b = '":2}\n', c = '3'
 * frames   --x-----y--(z|)   x, y, z = { type: 'json', value: { n: 1 } }, … { n: 2 }, … 3
 * ```
 *
 * Fails with `truncated` (retryable) when the last line lacks its end and is not JSON, `too-large` when a line exceeds
 * `maxFrameBytes`; the lines before it are emitted first.
 *
 * @typeParam T - What the values are; they are not checked.
 * @param options.maxFrameBytes - Bound on one line, in bytes, its end not counted. Default 32 MiB.
 * @returns An operator that emits the lines that each chunk completes as the chunk arrives and completes with its source.
 * @throws {RangeError} When `maxFrameBytes` is not a positive number.
 *
 * @example Read values on lines
 * ```ts
 * import { of } from 'rxjs';
 * import { parseNdjson } from 'rx-model-stream';
 *
 * const bytes = new TextEncoder().encode('{"n":1}\nBad gateway\n{"n":2}');
 * of(bytes).pipe(parseNdjson()).subscribe(console.log);
 * // { type: 'json', value: { n: 1 } }, { type: 'stray', text: 'Bad gateway' }, { type: 'json', value: { n: 2 } }
 * ```
 *
 * @see {@link https://github.com/ndjson/ndjson-spec}, {@link parseJsonArray} for the elements of one array
 */
export function parseNdjson<T = unknown>(
  options: NdjsonOptions = {},
): OperatorFunction<Uint8Array, JsonFrame<T> | StrayFrame> {
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  return fromStage(() => createNdjson<T>(options));
}
