import type { Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf, textIn, wordIn } from '../../src/wire';
import { failureOf } from '../openai/failure';
import { responsesLifecycleOf } from '../openaiResponses/lifecycle';
import { delegatedEventIn } from './delegated';

/** What an event says of the life of its response. */
export function realtimeLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  const event = objectOf(value);
  const delegated = delegatedEventIn(event);
  if (delegated) return responsesLifecycleOf({ value: delegated }, provider);
  switch (event?.['type']) {
    case 'ping': // xAI
      return { phase: 'idle' };
    case 'session.created':
    case 'session.started': // Live
    case 'session.updated':
    case 'transcription_session.updated': // of the beta
    case 'conversation.created':
    case 'response.created':
      return { phase: 'preamble' };
    case 'response.done': {
      const response = objectIn(event, 'response');
      if (textIn(response, 'status') !== 'failed') return { phase: 'content', ending: 'final' };
      return { phase: 'content', error: failureOf(provider, objectIn(objectIn(response, 'status_details'), 'error')) };
    }
    default: // an `error` answers a message of the client and ends nothing
      return { phase: 'content' };
  }
}

/** The response that an event belongs to; undefined for one of the session. */
export function realtimeLaneOf({ value }: Payload): string | undefined {
  const event = objectOf(value);
  if (delegatedEventIn(event)) return wordIn(event, 'delegation_id');
  return wordIn(event, 'response_id') ?? wordIn(objectIn(event, 'response'), 'id');
}
