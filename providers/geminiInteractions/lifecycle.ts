import type { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf, wordIn, type WireObject } from '../../src/wire';
import { failureIn, failureOf } from '../google/failure';
import { eventTypeOf } from './eventTypes';

/** What an event says of the life of the interaction. */
export function interactionsLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (eventTypeOf(event)) {
    case 'interaction.created':
      return { phase: 'preamble', ending: 'open' }; // also of a further hop, after an ending that was possible
    case 'interaction.status_update':
    case 'interaction.in_progress':
    case 'interaction.requires_action':
      return { phase: 'preamble' };
    case 'interaction.completed':
      return completionOf(objectIn(event, 'interaction'), provider);
    case 'error':
      return isEmptyReport(event) ? { phase: 'content' } : withFailure(failureIn(provider, value));
    case undefined:
      return withFailure(failureIn(provider, value)); // bare, or in an array, in the middle of the body
    default:
      return { phase: 'content' };
  }
}

function completionOf(interaction: WireObject | undefined, provider: string): Lifecycle {
  switch (wordIn(interaction, 'status')) {
    case 'requires_continuation':
      return { phase: 'content', ending: 'possible' };
    case 'failed': {
      const error = objectIn(interaction, 'error') ?? { code: 'failed', message: 'The interaction failed' };
      return withFailure(failureOf(provider, error));
    }
    default:
      return { phase: 'content', ending: 'final' };
  }
}

/** Agents send `error` events without code and message between their steps, and go on. */
function isEmptyReport(event: WireObject | undefined): boolean {
  const error = objectIn(event, 'error');
  return error === undefined || Object.values(error).every((value) => value === null || value === '');
}

function withFailure(error: ModelStreamError | undefined): Lifecycle {
  return error ? { phase: 'content', error } : { phase: 'content' };
}
