import type { ModelStreamError } from '../../src/errors';
import type { Payload } from '../../src/payload';
import { providerFailure } from '../../src/providerFailure';
import { numberIn, objectOf, wordIn } from '../../src/wire';

/**
 * Failures after which the same request may succeed, as exceptions and as the bare codes of errors. Source: error table of
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html, read 2026-11-30.
 */
const RETRYABLE = /^(internal|modelNotReady|modelStreamError|modelTimeout|serviceUnavailable|throttling)/i;

/**
 * The failure that a message reports: an exception, named by its type, or an error, which has its code in the payload. A
 * failure before the stream is read the same way. Undefined when it reports none.
 */
export function failureIn(provider: string, { value, name }: Payload): ModelStreamError | undefined {
  if (name === undefined || !isFailure(name)) return undefined;
  const wire = objectOf(value);
  const providerCode = name === 'error' ? wordIn(wire, 'code') : name;
  const message = wordIn(wire, 'message') ?? wordIn(wire, 'Message') ?? wordIn(wire, 'originalMessage');
  return providerFailure(message, {
    provider,
    status: numberIn(wire, 'originalStatusCode'),
    providerCode,
    retryable: providerCode !== undefined && RETRYABLE.test(providerCode),
  });
}

function isFailure(name: string): boolean {
  return name === 'error' || name.endsWith('Exception');
}
