import type { Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { objectIn, objectOf } from '../../src/wire';
import { failureIn } from '../bedrock/failure';
import { isPadding } from '../bedrock/padding';

/**
 * What an event says of the life of the message. It stops before it is counted: the body may end in between, and only the
 * event with the usage ends it for good.
 */
export function converseLifecycleOf(payload: Payload, provider: string): Lifecycle {
  const error = failureIn(provider, payload);
  if (error) return { phase: 'content', error };
  const { name, value } = payload;
  switch (name) {
    case 'messageStart':
      return { phase: 'preamble' };
    case 'contentBlockStart':
    case 'contentBlockDelta':
    case 'contentBlockStop':
      return { phase: 'content' };
    case 'messageStop':
      return { phase: 'content', ending: 'possible' };
    case 'metadata':
      return objectIn(objectOf(value), 'usage') ? { phase: 'content', ending: 'final' } : { phase: 'content' };
    default:
      return { phase: isPadding(value) ? 'idle' : 'content' };
  }
}
