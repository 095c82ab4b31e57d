import type { Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf, textIn, wordIn } from '../../src/wire';
import { failureOf } from '../openai/failure';

/** What an event says of the life of its response. */
export function realtimeLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'ping': // xAI
      return { phase: 'idle' };
    case 'session.created':
    case 'response.created':
      return { phase: 'preamble' };
    case 'response.done': {
      const response = objectIn(event, 'response');
      if (textIn(response, 'status') !== 'failed') return { phase: 'content', ending: 'final' };
      const details = objectIn(response, 'status_details');
      return { phase: 'content', error: failureOf(provider, objectIn(details, 'error') ?? details) };
    }
    default:
      return { phase: 'content' };
  }
}

/** The response that an event belongs to; undefined for one of the session. */
export function realtimeLaneOf({ value }: Payload): string | undefined {
  const event = objectOf(value);
  return wordIn(event, 'response_id') ?? wordIn(objectIn(event, 'response'), 'id');
}
