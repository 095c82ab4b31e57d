import { statedWaitMs } from '../duration';
import { ModelStreamError } from '../errors';
import type { Provider } from '../provider';
import { objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../wire';
import { contentTypeOf } from './contentTypes';
import { resetMsOf, retryAfterMsOf } from './retryAfter';

/** Who understands the body of a response that reports a failure. */
export type ErrorReader = Pick<Provider, 'name' | 'lifecycleOf'>;

const MAX_MESSAGE_LENGTH = 500;

/** Beside 5xx. Source: the retry rules of the openai and @anthropic-ai/sdk packages; 425: RFC 8470. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The status of a limit that was exceeded. */
const TOO_MANY_REQUESTS = 429;

/** Codes that no waiting helps with, although their status says so. */
const SPENT_CODES: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_error', 'billing_hard_limit_reached']);

/** The last one has the id of what OpenRouter generated, which is what it is asked about. */
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-generation-id'];

/** Where Amazon names the failure whose message is in the body; a colon and more may follow. */
const ERROR_TYPE_HEADER = 'x-amzn-errortype';

/**
 * The failure that a response is.
 *
 * @param text - Its body, as much of it as came.
 * @param problem - What is wrong with the response itself.
 */
export function httpError(
  response: Response,
  text: string,
  problem: string,
  provider: ErrorReader | undefined,
): ModelStreamError {
  const { headers, status } = response;
  const body = jsonOrNothing(text);
  const name = headers.get(ERROR_TYPE_HEADER)?.split(':', 1)[0];
  const failure = provider?.lifecycleOf({ value: body, ...present({ name }) }).error;
  const error = errorIn(body);
  const providerCode = failure?.providerCode ?? wordIn(error, 'code') ?? wordIn(error, 'type') ?? name;
  const message =
    failure?.message ?? wordIn(error, 'message') ?? textIn(objectOf(body), 'error') ?? plain(response, text);
  const retryable = isRetryable(response, providerCode, failure?.retryable ?? false);
  const bodyWaitMs = failure?.retryAfterMs ?? (retryable ? statedWaitMs(message) : undefined);
  const limitWaitMs = status === TOO_MANY_REQUESTS ? resetMsOf(headers) : undefined;
  return new ModelStreamError(
    'http',
    `Cannot stream: ${problem}${message === undefined ? '' : `: ${shortened(message)}`}`,
    {
      provider: provider?.name,
      status: status === 0 ? undefined : status,
      providerCode,
      retryable,
      retryAfterMs: retryAfterMsOf(headers) ?? bodyWaitMs ?? limitWaitMs,
      requestId: requestIdIn(headers) ?? failure?.requestId,
    },
  );
}

/** `{ error: { … } }`, which Google also wraps in an array, or what has no envelope. */
function errorIn(body: unknown): WireObject | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  return objectIn(objectOf(first), 'error') ?? objectOf(body);
}

/** What a proxy says in plain text. */
function plain(response: Response, text: string): string | undefined {
  return contentTypeOf(response) === 'text/plain' && text.trim() !== '' ? text.trim() : undefined;
}

function shortened(message: string): string {
  return message.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
}

/** The service's own word beats the status. */
function isRetryable(response: Response, providerCode: string | undefined, isRetryableFailure: boolean): boolean {
  const told = response.headers.get('x-should-retry');
  if (told === 'true' || told === 'false') return told === 'true';
  if (providerCode !== undefined && SPENT_CODES.has(providerCode)) return false;
  return isRetryableFailure || RETRYABLE_STATUSES.has(response.status) || response.status >= 500;
}

function requestIdIn(headers: Headers): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headers.get(name)).find((id) => id !== null && id !== '') ?? undefined;
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
