import { statedWaitMs } from './duration';
import { ModelStreamError, type ModelStreamErrorDetails } from './errors';

/**
 * A failure that a service reports in its own words. Where asking again may help, the wait that the message states is
 * known too: inside a stream no header can say it.
 */
export function providerFailure(message: string | undefined, details: ModelStreamErrorDetails): ModelStreamError {
  const stated = details.retryable === true ? statedWaitMs(message) : undefined;
  return new ModelStreamError('provider', message ?? 'The service reported a failure without a message', {
    ...details,
    retryAfterMs: details.retryAfterMs ?? stated,
  });
}
