import type { Provider } from '../../provider';
import { differenceBetween, shown } from './difference';
import { brokenLaws, brokenSessionLaws } from './eventLaws';
import type { Reading } from './reading';

/** @throws {Error} When the two differ. */
export function demandSame(title: string, actual: unknown, expected: unknown): void {
  const difference = differenceBetween(actual, expected);
  if (difference !== undefined) throw new Error(`${title}: ${difference}`);
}

/** @throws {Error} When the events of a reading break a law of the vocabulary. */
export function demandLawful({ name, session }: Provider, { events, error }: Reading): void {
  const broken = session
    ? brokenSessionLaws(name, events, error !== undefined)
    : brokenLaws(name, events, error === undefined);
  if (broken.length > 0) throw new Error(`The events break laws: ${broken.join('; ')}`);
}

/** How a reading ended, in a message. */
export function outcome(error: unknown): string {
  return error === undefined ? 'completes' : `fails with ${shown(error)}`;
}
