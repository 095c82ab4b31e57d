import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf, textIn } from '../../src/wire';
import { failureOf } from '../openai/failure';

/** Over a WebSocket responses run side by side, one at a time in each stream; those without a name share one. */
export function responsesLaneOf({ value }: Payload): string {
  return textIn(objectOf(value), 'stream_id') ?? '';
}

/** What an event says of the life of the response. */
export function responsesLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'keepalive':
      return { phase: 'idle' };
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return { phase: 'preamble' };
    case 'response.completed':
    case 'response.done': // xAI
    case 'response.incomplete':
    case 'response.cancelled': // not in the documented stream, accepted as the ending it says it is
      return { phase: 'content', ending: 'final' };
    case 'response.failed':
      return { phase: 'content', error: failureOf(provider, objectIn(objectIn(event, 'response'), 'error')) };
    case 'error':
      return { phase: 'content', error: failureOf(provider, objectIn(event, 'error') ?? event) };
    case undefined: {
      const error = objectIn(event, 'error'); // a bare error body
      return error ? { phase: 'content', error: failureOf(provider, error) } : { phase: 'content' };
    }
    default:
      return { phase: 'content' };
  }
}
