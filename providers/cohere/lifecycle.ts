import type { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import { objectIn, objectOf, wordIn } from '../../src/wire';

/** The word of a generation that failed within the service: the same request may succeed. */
const FAILED = 'ERROR';

/** What an event says of the life of the message. */
export function cohereLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'message-start':
      return { phase: 'preamble' };
    case 'message-end': {
      const delta = objectIn(event, 'delta');
      const reason = wordIn(delta, 'finish_reason');
      const failure = wordIn(delta, 'error');
      if (reason !== FAILED && failure === undefined) return { phase: 'content', ending: 'final' };
      const message = failure ?? `The model stopped with "${FAILED}"`;
      return { phase: 'content', error: failureOf(provider, message, reason ?? FAILED, true) };
    }
    case undefined: {
      const message = wordIn(event, 'message'); // as it answers a request that it refuses
      return message === undefined
        ? { phase: 'content' }
        : { phase: 'content', error: failureOf(provider, message, undefined, false) };
    }
    default:
      return { phase: 'content' };
  }
}

function failureOf(
  provider: string,
  message: string,
  providerCode: string | undefined,
  retryable: boolean,
): ModelStreamError {
  return providerFailure(message, { provider, providerCode, retryable });
}
