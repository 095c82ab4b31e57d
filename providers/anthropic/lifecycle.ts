import type { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import { objectIn, objectOf, wordIn, type WireObject } from '../../src/wire';
import { failureIn } from '../bedrock/failure';
import { isPadding } from '../bedrock/padding';

/** Failures after which the same request may succeed: https://docs.anthropic.com/en/api/errors, read 2026-11-29. */
const RETRYABLE: ReadonlySet<string> = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']);

/** What an event says of the life of the message. */
export function anthropicLifecycleOf(payload: Payload, provider: string): Lifecycle {
  const { value } = payload;
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'ping':
      return { phase: 'idle' };
    case 'message_start':
      return { phase: 'preamble' };
    case 'message_stop':
      return { phase: 'content', ending: 'final' };
    case 'error':
      return { phase: 'content', error: failureOf(provider, event) };
    case undefined:
      return event ? untypedLifecycleOf(payload, event, provider) : { phase: 'content' };
    default:
      return { phase: 'content' };
  }
}

/** What proxies and Amazon Bedrock say in words of their own: a failure in another envelope, a keep-alive. */
function untypedLifecycleOf(payload: Payload, event: WireObject, provider: string): Lifecycle {
  if (objectIn(event, 'error')) return { phase: 'content', error: failureOf(provider, event) };
  const error = failureIn(provider, payload);
  if (error) return { phase: 'content', error };
  return { phase: isPadding(event) ? 'idle' : 'content' };
}

/** `{ type: 'error', error: { type, message }, request_id? }`; a proxy may leave the envelope out. */
function failureOf(provider: string, event: WireObject | undefined): ModelStreamError {
  const error = objectIn(event, 'error') ?? event;
  const providerCode = wordIn(error, 'type');
  return providerFailure(wordIn(error, 'message'), {
    provider,
    providerCode,
    retryable: providerCode !== undefined && RETRYABLE.has(providerCode),
    requestId: wordIn(event, 'request_id'),
  });
}
