/**
 * OpenAI Responses API, `POST /v1/responses` with `stream: true` and `GET /v1/responses/{id}?stream=true`; Azure,
 * OpenRouter, LM Studio, DeepSeek, Copilot and Bedrock mantle speak the same events.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `type` (some hosts leave it out), LF line ends. `keepalive` events
 * keep alive, also before `response.created`. The terminal signal is exactly one of `response.completed`,
 * `response.incomplete`, `response.failed`; OpenRouter adds `[DONE]`. A failure after HTTP 200 is an `error` event, flat
 * or nested, which `response.failed` may follow.
 *
 * Source: types and runtime of openai 6.49.0 and 7.59.0; https://platform.openai.com/docs/api-reference/responses-streaming,
 * read 2026-11-29. Checked against captures of real streams; of the flat `error`, `keepalive`, `response.cancelled` and
 * shell calls there is none.
 */
import { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';
import { createResponsesMapper } from './mapper';
import { NAME } from './name';
import type { OpenAIResponsesTurn } from './turn';

export type { OpenAIResponsesItem, OpenAIResponsesTurn } from './turn';

/**
 * Failures after which the same request may succeed. The set of codes is open: beside the documented ones, words of
 * gateways for overload, time-out and too many requests are seen.
 */
const RETRYABLE =
  /^(server_error|rate_limit.*|too_many_requests|.*overloaded.*|.*timeout.*|service_unavailable|internal.*)$/;

/**
 * The provider for OpenAI Responses, on api.openai.com, Azure and hosts that imitate it.
 *
 * 1. Messages give a text block for each part, reasoning a block for each summary paragraph or text. The last block of an
 *    item ends with the item and carries what the item carries, such as encrypted reasoning.
 * 2. Calls the client has to answer and calls OpenAI runs itself are `tool-call` blocks, the latter `providerExecuted`.
 *    Built-in tools are named like their item type without `_call`; their arguments are the item's action as JSON.
 * 3. `turn` is the list of output items, as they are to be put into `input` of the next request.
 * 4. Offsets of citations are OpenAI's own; whether they count UTF-16 units beyond the Basic Multilingual Plane is not
 *    documented.
 *
 * @example
 * ```ts
 * import { openaiResponses } from 'rx-model-stream';
 *
 * console.log(openaiResponses().lifecycleOf({ value: { type: 'keepalive' } })); // { phase: 'idle' }
 * ```
 */
export function openaiResponses(): Provider<OpenAIResponsesTurn> {
  return { name: NAME, lifecycleOf, createMapper: createResponsesMapper };
}

function lifecycleOf({ value }: Payload): Lifecycle {
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'keepalive':
      return { phase: 'idle' };
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return { phase: 'preamble' };
    case 'response.completed':
    case 'response.incomplete':
    case 'response.cancelled': // not in the documented stream, accepted as the ending it says it is
      return { phase: 'content', ending: 'final' };
    case 'response.failed':
      return { phase: 'content', error: failureOf(objectIn(objectIn(event, 'response'), 'error')) };
    case 'error':
      return { phase: 'content', error: failureOf(objectIn(event, 'error') ?? event) };
    case undefined: {
      const error = objectIn(event, 'error'); // a bare error body
      return error ? { phase: 'content', error: failureOf(error) } : { phase: 'content' };
    }
    default:
      return { phase: 'content' };
  }
}

/** `{ code, message, param, type }`; the flat `error` event has its own type in that place. */
function failureOf(error: WireObject | undefined): ModelStreamError {
  const type = textIn(error, 'type');
  const providerCode = wordIn(error, 'code') ?? (type === 'error' ? undefined : type);
  return new ModelStreamError('provider', wordIn(error, 'message') ?? 'OpenAI reported a failure without a message', {
    provider: NAME,
    providerCode,
    retryable: providerCode !== undefined && RETRYABLE.test(providerCode),
  });
}
