import type { OperatorFunction } from 'rxjs';
import type { ModelStreamErrorCode } from '../../errors';
import type { Frame } from '../../frame';
import type { Provider } from '../../provider';
import { createRandom } from '../createRandom';
import { endingPlace } from './reading';

/** What one law is checked on: a provider and one of its streams. */
export interface Subject {
  readonly provider: Provider;
  readonly frames: readonly Frame[];
  /** The stream as bytes, where it is given as bytes. */
  readonly wire?: Wire;
  /** At how many places something is put in or cut off. */
  readonly maxPlaces: number;
  /** The code with which the stream fails; undefined where it is whole. */
  readonly fails: ModelStreamErrorCode | undefined;
}

/** Bytes, and what cuts them into frames. */
export interface Wire {
  readonly body: Uint8Array;
  readonly framing: OperatorFunction<Uint8Array, Frame>;
}

/** Something that every provider owes its caller. `check` throws an error that says what is wrong. */
export interface Law {
  readonly law: string;
  readonly check: (subject: Subject) => void;
}

/** The places before the frames of a stream up to the one that ends it, or up to the end of the body. */
export function placesIn({ provider, frames, maxPlaces }: Subject): number[] {
  const places = [...frames.keys(), frames.length].slice(0, (endingPlace(provider, frames) ?? frames.length) + 1);
  return sampled(places, maxPlaces);
}

/** All places; where there are too many the first one, the last one and some between, the same ones every time. */
export function sampled(places: readonly number[], maxPlaces: number): number[] {
  if (places.length <= maxPlaces) return [...places];
  const random = createRandom(places.length);
  const some = Array.from({ length: Math.max(0, maxPlaces - 2) }, () => Math.floor(random() * places.length));
  const chosen = new Set([0, places.length - 1, ...some]);
  return places.filter((_place, index) => chosen.has(index));
}
