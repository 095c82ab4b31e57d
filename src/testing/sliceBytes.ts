import { checkChunkSizes, chunkLengths, type ChunkSizes } from './chunkSizes';

/**
 * Cuts bytes into chunks, as a network might: what reads them must give the same result for every cut.
 *
 * 1. The chunks one after another are the input. Text is encoded as UTF-8 first, and cut inside characters too.
 * 2. Each chunk is a copy with a buffer of its own: nothing is left of the input that a reader could see.
 * 3. A length 0 gives an empty chunk; lengths beyond the end are left out.
 *
 * @param input - The bytes, or text.
 * @param sizes - Bytes a chunk; or the lengths of the first chunks, the rest in one; or `{ seed, max }`: random sizes from 1
 *   to `max`, the same ones for the same seed.
 * @returns The chunks; none of an empty input.
 * @throws {RangeError} When a size is not a whole number from 1, or a length not one from 0.
 *
 * @example Every cut gives the same frames
 * ```ts
 * import { from } from 'rxjs';
 * import { parseSSE } from 'rx-model-stream';
 * import { sliceBytes } from 'rx-model-stream/testing';
 *
 * for (const sizes of [1, [4, 0, 2], { seed: 7, max: 5 }]) {
 *   const chunks = sliceBytes('data: é\n\n', sizes);
 *   from(chunks).pipe(parseSSE()).subscribe((frame) => console.log(chunks.length, frame));
 * }
 * // 10 { type: 'sse', data: 'é' }, 4 { type: 'sse', data: 'é' }, 4 { type: 'sse', data: 'é' }
 * ```
 *
 * @see {@link coldChunks}, which makes a marble stream of them
 */
export function sliceBytes(input: string | Uint8Array, sizes: ChunkSizes): Uint8Array<ArrayBuffer>[] {
  checkChunkSizes('chunk size', sizes);
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const lengths = chunkLengths(sizes);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + lengths.next().value;
    chunks.push(new Uint8Array(bytes.subarray(start, end)));
    start = end;
  }
  return chunks;
}
