import { createRandom } from '../../src/testing/createRandom';

/** Chance that repeats itself: the same seed throws the same numbers. */
export interface Dice {
  /** A whole number from 0 to less than `bound`. */
  below(bound: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createDice(seed: number): Dice {
  const random = createRandom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)]!,
    chance: (probability) => random() < probability,
  };
}

/** A number for a text, so that streams of different names are damaged in different ways (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
}
