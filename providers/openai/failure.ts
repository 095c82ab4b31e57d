import type { ModelStreamError } from '../../src/errors';
import { providerFailure } from '../../src/providerFailure';
import { textIn, wordIn, type WireObject } from '../../src/wire';

/**
 * Failures after which the same request may succeed. The set of codes is open: beside the documented ones, words of
 * gateways for overload, time-out and too many requests are seen, and HTTP statuses.
 */
const RETRYABLE =
  /^(server_error|rate_limit.*|too_many_requests|.*overloaded.*|.*timeout.*|.*unavailable.*|internal.*|api_error|insufficient_system_resource|websocket_.*_limit_reached|408|409|429|5\d\d)$/;

/** A failure as the APIs of OpenAI and those made after them report it: `{ code, message, param, type }`. */
export function failureOf(provider: string, error: WireObject | undefined): ModelStreamError {
  const type = textIn(error, 'type');
  const providerCode = codeIn(error) ?? (type === 'error' ? undefined : type); // a flat `error` event has its own type
  return providerFailure(wordIn(error, 'message') ?? wordIn(error, 'error'), {
    provider,
    providerCode,
    retryable: isRetryableCode(providerCode),
  });
}

export function isRetryableCode(code: string | undefined): boolean {
  return code !== undefined && RETRYABLE.test(code);
}

/** A word, or a number as some gateways have it. */
function codeIn(error: WireObject | undefined): string | undefined {
  const code = error?.['code'];
  return typeof code === 'number' ? String(code) : wordIn(error, 'code');
}
