import { sliceBytes } from 'rx-model-stream/testing';
import { createRandom } from '../../src/testing/createRandom';

/** The ways in which an input is cut: a result counts only when all of them give it. */

/** Cut at exactly these offsets; one given twice, or 0, gives an empty chunk. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const ends = [...offsets, bytes.length];
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
}

/** Cut after each byte with a probability, the same for the same seed. */
export function randomCuts(bytes: Uint8Array, seed: number, probability: number): Uint8Array[] {
  const random = createRandom(seed);
  const offsets: number[] = [];
  for (let offset = 1; offset < bytes.length; offset += 1) if (random() < probability) offsets.push(offset);
  return cutAt(bytes, offsets);
}

const SIZES = [1, 2, 3, 7, 13, 17, 29, 33, 41, 50, 64, 4096];
const PROBABILITIES = [0.5, 0.3, 0.15, 0.08, 0.03];

/** Every cut of the conformance suite, by name. */
export function allChunkings(bytes: Uint8Array, splits?: readonly number[]): [name: string, chunks: Uint8Array[]][] {
  const plain: [string, Uint8Array[]][] = [
    ['whole', [bytes]],
    ...SIZES.filter((size) => size < bytes.length).map((size): [string, Uint8Array[]] => [
      `${size}`,
      sliceBytes(bytes, size),
    ]),
    ...(splits ? [['splits', cutAt(bytes, splits)] satisfies [string, Uint8Array[]]] : []),
  ];
  const random = PROBABILITIES.map((probability, index): [string, Uint8Array[]] => [
    `random seed ${index + 1} probability ${probability}`,
    randomCuts(bytes, index + 1, probability),
  ]);
  const padded = plain
    .filter(([name]) => ['whole', '1', '7', 'splits'].includes(name))
    .map(([name, chunks]): [string, Uint8Array[]] => [`empty+${name}`, withEmptyChunks(chunks)]);
  return [...plain, ...random, ...padded];
}

function withEmptyChunks(chunks: readonly Uint8Array[]): Uint8Array[] {
  const empty = new Uint8Array(0);
  return [empty, ...chunks.flatMap((chunk) => [chunk, empty])];
}
