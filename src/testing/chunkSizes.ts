import { createRandom } from './createRandom';

/**
 * Where bytes are cut, in bytes: every so many, after each of these lengths with the rest in one, or at random sizes from
 * 1 to `max`, the same ones for the same seed.
 */
export type ChunkSizes = number | readonly number[] | RandomChunkSizes;

/** Sizes that look like those of a network and come again with the same seed. */
export interface RandomChunkSizes {
  readonly seed: number;
  /** The largest size, in bytes. */
  readonly max: number;
}

/**
 * @throws {RangeError} When a size is not a whole number from 1, or a length of a list not one from 0.
 */
export function checkChunkSizes(name: string, sizes: ChunkSizes): void {
  if (typeof sizes === 'number') checkWhole(name, sizes, 1);
  else if ('seed' in sizes) checkWhole(`${name} with max`, sizes.max, 1);
  else for (const length of sizes) checkWhole(`${name} with length`, length, 0);
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`Cannot use ${name} ${value}: expected a whole number from ${least}`);
}

/** The lengths of the chunks, without end. */
export function* chunkLengths(sizes: ChunkSizes): Generator<number, never> {
  if (typeof sizes === 'number') for (;;) yield sizes;
  if ('seed' in sizes) {
    const random = createRandom(sizes.seed);
    for (;;) yield 1 + Math.floor(random() * sizes.max);
  }
  yield* sizes;
  for (;;) yield Infinity;
}
