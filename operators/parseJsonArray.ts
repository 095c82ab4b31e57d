import type { OperatorFunction } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import type { JsonFrame, StrayFrame } from '../src/frame';
import { createJsonArray, DEFAULT_MAX_DEPTH, type JsonArrayOptions } from '../src/framing/jsonArray';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { fromStage } from '../src/fromStage';

/**
 * Cuts the bytes of one JSON array (`application/json`) into a frame for each of its elements, long before the array ends.
 *
 * 1. The same bytes give the same frames and the same error for every chunking.
 * 2. An object, an array or a string is emitted with its last byte, a number or a literal with the byte after it: a body
 *    that was cut never gives the beginning of a number.
 * 3. Elements may be of any type, and each is what `JSON.parse` makes of it: the last of two equal keys counts, `__proto__`
 *    is a key like any other, an escaped surrogate may stand alone, numbers are doubles.
 * 4. Else RFC 8259 is kept to the letter: no comma too many or too few, no comment, nothing behind the array but
 *    whitespace, UTF-8 only. A body without an array, an empty one too, is an array that was cut. One byte order mark at
 *    the start is dropped, as the RFC allows.
 * 5. A body that is no array, and text behind one, comes as one `stray` frame when the body ends, before the failure: it
 *    may be the report of an error, which `normalize` then tells.
 *
 * ```text
 * bytes    --a-----b--c|     a = '[{"n":1},{"n', b = '":2},3', c = ']'
 * frames   --x-----y--z|     x, y, z = { type: 'json', value: { n: 1 } }, … { n: 2 }, … 3
 * ```
 *
 * Fails, after the elements before it, with `malformed` when the body is not such an array, `truncated` (retryable) when it
 * ends inside the array, `too-large` when a bound is exceeded.
 *
 * @typeParam T - What the elements are; they are not checked.
 * @param options.maxFrameBytes - Bound on one element, and on text that is no array, in bytes. Default 32 MiB.
 * @param options.maxDepth - Bound on the levels of one element; an object is level 1, what it holds level 2. Default 512.
 * @returns An operator that emits the elements that each chunk completes as the chunk arrives and completes with its source.
 * @throws {RangeError} When an option is not a positive number.
 *
 * @example Read elements while the array arrives
 * ```ts
 * import { of } from 'rxjs';
 * import { parseJsonArray } from 'rx-model-stream';
 *
 * const bytes = new TextEncoder().encode('[{"n":1},{"n":2}]');
 * of(bytes.subarray(0, 12), bytes.subarray(12)).pipe(parseJsonArray()).subscribe(console.log);
 * // { type: 'json', value: { n: 1 } }, { type: 'json', value: { n: 2 } }
 * ```
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8259}, {@link parseNdjson} for values on lines
 */
export function parseJsonArray<T = unknown>(
  options: JsonArrayOptions = {},
): OperatorFunction<Uint8Array, JsonFrame<T> | StrayFrame> {
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  checkPositive('maxDepth', options.maxDepth ?? DEFAULT_MAX_DEPTH);
  return fromStage(() => createJsonArray<T>(options));
}
