import { durationMsOf } from '../../src/duration';
import type { ModelStreamError } from '../../src/errors';
import { providerFailure } from '../../src/providerFailure';
import { listIn, numberIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';

/** HTTP statuses of the codes of google.rpc: https://cloud.google.com/apis/design/errors, read 2026-11-30. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['ALREADY_EXISTS', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['DATA_LOSS', 500],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** Codes of Interactions, an open set of words and URIs, after which the same request may succeed. */
const RETRYABLE = /unavailable|internal|overloaded|rate_limit|too_many_requests|exhausted|deadline|timeout|aborted/i;

/**
 * The failure that a payload reports: `{ error: { code, message, status, details } }`, bare or in an array. Undefined when
 * it reports none.
 */
export function failureIn(provider: string, value: unknown): ModelStreamError | undefined {
  const report = objectOf(Array.isArray(value) ? value[0] : value);
  const error = objectIn(report, 'error');
  return error && failureOf(provider, error);
}

export function failureOf(provider: string, error: WireObject | undefined): ModelStreamError {
  const name = wordIn(error, 'status') ?? wordIn(error, 'code');
  const status = numberIn(error, 'code') ?? STATUSES.get(name ?? '');
  const providerCode = name ?? (status === undefined ? undefined : String(status));
  return providerFailure(wordIn(error, 'message'), {
    provider,
    status,
    providerCode,
    retryable: status === undefined ? RETRYABLE.test(providerCode ?? '') : isRetryable(status),
    retryAfterMs: retryDelayMsIn(error),
  });
}

function isRetryable(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A `google.protobuf.Duration` as JSON has no other unit. */
const SECONDS = /^[\d.]+s$/;

/** `{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12.5s" }` among the details. */
function retryDelayMsIn(error: WireObject | undefined): number | undefined {
  for (const value of listIn(error, 'details')) {
    const delay = textIn(objectOf(value), 'retryDelay') ?? '';
    if (SECONDS.test(delay)) return durationMsOf(delay);
  }
  return undefined;
}
