import { ModelStreamError } from '../errors';

/** What a source of this library fails with when its connection does. */
export function connectionLost(): ModelStreamError {
  return new ModelStreamError('network', 'Cannot read the body: the connection failed', { retryable: true });
}
