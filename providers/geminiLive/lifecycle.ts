import type { Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf } from '../../src/wire';
import { failureIn } from '../google/failure';

/** Fields of a message that may come before anything is said. */
const PREAMBLE: ReadonlySet<string> = new Set(['setupComplete', 'sessionResumptionUpdate']);

/**
 * What a message says of the life of the turn. Usage without the end of a turn is that of a stretch of a translation, which
 * has no turns: closing the socket after it is an ending.
 */
export function liveLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  const error = failureIn(provider, value); // of a gateway
  if (error) return { phase: 'content', error };
  const message = objectOf(value);
  if (message === undefined) return { phase: 'content' };
  const content = objectIn(message, 'serverContent');
  if (content?.['turnComplete'] === true) return { phase: 'content', ending: 'final' };
  const fields = Object.keys(message);
  if (fields.every((field) => field === 'serverContent' && content && Object.keys(content).length === 0)) {
    return { phase: 'idle' };
  }
  if ('usageMetadata' in message) return { phase: 'content', ending: 'possible' };
  return { phase: fields.every((field) => PREAMBLE.has(field)) ? 'preamble' : 'content' };
}
