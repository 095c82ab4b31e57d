import { ModelStreamError } from '../errors';
import type { Provider } from '../provider';
import { objectIn, objectOf, present, textIn, wordIn } from '../wire';
import { createChunkReader } from './chunkReader';
import { contentTypeOf, contentTypesOf } from './contentTypes';
import { retryAfterMsOf } from './retryAfter';

/** As much of an error body as is read, in bytes. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
const MAX_MESSAGE_LENGTH = 500;

/** Statuses of an answer to a model request that can be a stream, or an empty one. */
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 201, 204, 205]);

/** Beside 5xx. Source: the retry rules of the openai and @anthropic-ai/sdk packages. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 409, 429]);

/** Codes that no waiting helps with, although their status says so. */
const SPENT_CODES: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_error', 'billing_hard_limit_reached']);

/** What has to be known of a provider. */
type Answerer = Pick<Provider, 'name' | 'lifecycleOf' | 'contentTypes'>;

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'];

/** Where Amazon names the failure whose message is in the body; a colon and more may follow. */
const ERROR_TYPE_HEADER = 'x-amzn-errortype';

/**
 * Lets a response through when it can be the stream that was asked for, and throws a clear error when it cannot.
 *
 * 1. The status is looked at first: 200, 201 and empty answers (204, 205) pass.
 * 2. Then the content type: one that the provider answers in passes, with parameters and in any case of letters; without
 *    a provider, or where it names none, only an event stream does. JSON with status 200 is then a failure report; HTML
 *    comes from a proxy.
 * 3. At most 64 KiB of an error body are read, then the connection is closed. Its JSON is understood by the provider,
 *    where one is given; no other part of it gets into a message.
 *
 * An empty body passes: without a terminal signal `normalize` reports it as `truncated`.
 *
 * @param provider - Understands the error body, and names the content types of its answers. Without it the usual
 *   `{ error: { message, code, type } }` is read.
 * @returns A function from a response to the same response. Its second argument, a signal, gives the error body up.
 * @throws {ModelStreamError} `http`, with `status`, `providerCode`, `retryable`, `retryAfterMs` and `requestId`.
 *
 * @example
 * ```ts
 * import { checkResponse } from 'rx-model-stream';
 *
 * const response = new Response('{"error":{"message":"Slow down","code":"rate_limit"}}', { status: 429 });
 * await checkResponse()(response).catch((error) => console.log(error.status, error.providerCode)); // 429 rate_limit
 * ```
 *
 * @see {@link fromByteStream}, whose `open` may use it; `fromModel` does
 */
export function checkResponse(provider?: Answerer): (response: Response, signal?: AbortSignal) => Promise<Response> {
  return async (response, signal) => {
    const problem = problemOf(response, contentTypesOf(provider));
    if (problem !== undefined) throw await httpError(response, problem, provider, signal);
    return response;
  };
}

function problemOf(response: Response, contentTypes: readonly string[]): string | undefined {
  const { status } = response;
  if (!GOOD_STATUSES.has(status)) return `the service answered with status ${status}`;
  if (response.body === null || status >= 204) return undefined;
  const contentType = contentTypeOf(response);
  if (contentTypes.includes(contentType)) return undefined;
  return `the service answered with ${contentType === '' ? 'no content type' : `content type "${contentType.slice(0, 100)}"`}`;
}

async function httpError(
  response: Response,
  problem: string,
  provider: Answerer | undefined,
  signal: AbortSignal | undefined,
): Promise<ModelStreamError> {
  const body = jsonOrNothing(await beginningOf(response, signal));
  const name = response.headers.get(ERROR_TYPE_HEADER)?.split(':', 1)[0];
  const failure = provider?.lifecycleOf({ value: body, ...present({ name }) }).error;
  const first: unknown = Array.isArray(body) ? body[0] : body; // Google also wraps it in an array
  const error = objectIn(objectOf(first), 'error') ?? objectOf(body);
  const providerCode = failure?.providerCode ?? wordIn(error, 'code') ?? wordIn(error, 'type') ?? name;
  const reported = failure?.message ?? wordIn(error, 'message') ?? textIn(objectOf(body), 'error');
  const message = reported === undefined ? problem : `${problem}: ${reported.slice(0, MAX_MESSAGE_LENGTH)}`;
  return new ModelStreamError('http', `Cannot stream: ${message}`, {
    provider: provider?.name,
    status: response.status,
    providerCode,
    retryable: isRetryable(response, providerCode, failure?.retryable ?? false),
    retryAfterMs: retryAfterMsOf(response.headers) ?? failure?.retryAfterMs,
    requestId: REQUEST_ID_HEADERS.map((name) => response.headers.get(name)).find((id) => id !== null) ?? undefined,
  });
}

/** The service's own word beats the status. */
function isRetryable(response: Response, providerCode: string | undefined, isRetryableFailure: boolean): boolean {
  const told = response.headers.get('x-should-retry');
  if (told === 'true' || told === 'false') return told === 'true';
  if (providerCode !== undefined && SPENT_CODES.has(providerCode)) return false;
  return isRetryableFailure || RETRYABLE_STATUSES.has(response.status) || response.status >= 500;
}

async function beginningOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const reader = createChunkReader(response);
  const giveUp = (): void => {
    reader.cancel();
  };
  signal?.addEventListener('abort', giveUp);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    while (bytes < MAX_ERROR_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // A body that breaks off still leaves the status to report.
  } finally {
    signal?.removeEventListener('abort', giveUp);
    giveUp();
  }
  return text;
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
