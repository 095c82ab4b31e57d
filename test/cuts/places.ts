import { Subject } from 'rxjs';
import { createRandom } from '../../src/testing/createRandom';
import { framingOf } from '../support/fixtures';
import type { Wire } from './readCut';

/** Up to this length a body is cut after every byte. */
export const SHORT_BYTES = 8 * 1024;
const RANDOM_PLACES = 200;

/** Where a stream is cut: everywhere, or, where it is long, around every frame border and at seeded places. */
export function placesOf(wire: Wire, seed: number): number[] {
  const { length } = wire;
  if (length < SHORT_BYTES) return Array.from({ length: length + 1 }, (_, place) => place);
  const random = createRandom(seed);
  const seeded = Array.from({ length: RANDOM_PLACES }, () => Math.floor(random() * length));
  const around = bordersOf(wire).flatMap((border) => [border - 1, border, border + 1]);
  const places = new Set([0, ...around, ...seeded, length]);
  return [...places].filter((place) => place >= 0 && place <= length).sort((a, b) => a - b);
}

/** The places behind each byte that completed a frame. */
function bordersOf({ sample }: Wire): number[] {
  const bytes = new Subject<Uint8Array>();
  const borders: number[] = [];
  let place = 0;
  bytes.pipe(framingOf(sample)()).subscribe({ next: () => borders.push(place), error: () => undefined });
  const body = sample.bytes();
  for (const start of body.keys()) {
    place = start + 1;
    bytes.next(body.subarray(start, place));
  }
  return borders;
}
