import { lastValueFrom } from 'rxjs';
import { checkPositive } from '../checkOption';
import type { Provider } from '../provider';
import { contentTypeOf, contentTypesOf } from './contentTypes';
import { DEFAULT_MAX_ERROR_BYTES, errorBodyOf, type ErrorBodyOptions } from './errorBody';
import { httpError, type ErrorReader } from './httpError';

/** Statuses of an answer to a model request that can be a stream. */
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 201]);

/** What has to be known of a provider. */
type Answerer = ErrorReader & Pick<Provider, 'contentTypes'>;

/**
 * Lets a response through when it can be the stream that was asked for, and throws a clear error when it cannot.
 *
 * 1. The status is looked at first: 200 and 201 pass. An answer without content (204, 205) is none, and a redirection
 *    that was not followed is none.
 * 2. Then the content type: one that the provider answers in passes, with parameters and in any case of letters; without
 *    a provider, or where it names none, only an event stream does. JSON with status 200 is then a failure report; HTML
 *    comes from a proxy.
 * 3. At most `maxErrorBytes` of an error body are read, for at most 5 seconds, then the connection is closed. Its JSON is understood
 *    by the provider, where one is given, and plain text is a message; no other part of it gets into a message.
 * 4. `retryable` says what the service says in `x-should-retry`; else 408, 409, 425, 429, 5xx and what the provider knows
 *    may help, except after a code that says that nothing is left to spend.
 * 5. `retryAfterMs` is what the service says of this request, in this order: `retry-after-ms`, `retry-after`, the body. After
 *    429 it is otherwise the time until the limits of which nothing is left begin anew.
 *
 * A body that is empty passes: without a terminal signal `normalize` reports it as `truncated`.
 *
 * ```text
 * response   --r              r = 429, with a body that stalls
 * result     --5s #           a column after the name is a moment
 * ```
 *
 * @param provider - Understands the error body, and names the content types of its answers. Without it the usual
 *   `{ error: { message, code, type } }` is read.
 * @param options.maxErrorBytes - As much of an error body as is read, in bytes. Default 64 KiB.
 * @returns A function from a response to the same response. Its second argument, a signal, gives the error body up.
 * @throws {RangeError} When `maxErrorBytes` is not a positive number.
 * @throws {ModelStreamError} `http`, with `status`, `providerCode`, `retryable`, `retryAfterMs` and `requestId`.
 *
 * @example
 * ```ts
 * import { checkResponse } from 'rx-model-stream';
 *
 * const headers = { 'retry-after': '2' };
 * const response = new Response('{"error":{"message":"Slow down","code":"rate_limit"}}', { status: 429, headers });
 * await checkResponse()(response).catch((error) => console.log(error.providerCode, error.retryAfterMs)); // rate_limit 2000
 * ```
 *
 * @see {@link fromByteStream}, whose `open` may use it; `fromModel` does
 */
export function checkResponse(
  provider?: Answerer,
  options: ErrorBodyOptions = {},
): (response: Response, signal?: AbortSignal) => Promise<Response> {
  checkPositive('maxErrorBytes', options.maxErrorBytes ?? DEFAULT_MAX_ERROR_BYTES);
  return async (response, signal) => {
    const problem = problemOf(response, contentTypesOf(provider));
    if (problem === undefined) return response;
    throw httpError(response, await lastValueFrom(errorBodyOf(response, signal, options)), problem, provider);
  };
}

function problemOf(response: Response, contentTypes: readonly string[]): string | undefined {
  const problem = statusProblemOf(response) ?? contentTypeProblemOf(response, contentTypes);
  return problem !== undefined && response.redirected ? `${problem} after a redirection` : problem;
}

function statusProblemOf({ status, type }: Response): string | undefined {
  if (GOOD_STATUSES.has(status)) return undefined;
  if (type === 'opaqueredirect') return 'the service answered with a redirection, which was not followed';
  return status === 0 ? 'the answer must not be read' : `the service answered with status ${status}`;
}

function contentTypeProblemOf(response: Response, contentTypes: readonly string[]): string | undefined {
  if (response.body === null) return undefined;
  const contentType = contentTypeOf(response);
  if (contentTypes.includes(contentType)) return undefined;
  return `the service answered with ${contentType === '' ? 'no content type' : `content type "${contentType.slice(0, 100)}"`}`;
}
