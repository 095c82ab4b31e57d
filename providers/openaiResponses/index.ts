/**
 * OpenAI Responses API, `POST /v1/responses` with `stream: true`, `GET /v1/responses/{id}?stream=true`, and a WebSocket at
 * `/v1/responses`; Azure, OpenRouter, LM Studio, DeepSeek, Copilot and Bedrock mantle speak the same events.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `type` (some hosts leave it out), LF line ends. `keepalive` events
 * keep alive, also before `response.created`. The terminal signal is exactly one of `response.completed`,
 * `response.incomplete`, `response.failed`; OpenRouter adds `[DONE]`. A failure after HTTP 200 is an `error` event, flat
 * or nested, which `response.failed` may follow. Over a WebSocket one event a message, many responses a connection, side by
 * side where they have a `stream_id`; an `error` ends the response that runs in its stream, or answers a request that gave
 * none.
 *
 * Source: types and runtime of openai 6.49.0 and 7.59.0; https://platform.openai.com/docs/api-reference/responses-streaming,
 * read 2026-11-29. Checked against captures of real streams; of the flat `error`, `keepalive`, `response.cancelled`,
 * shell calls and WebSockets there is none.
 */
import type { Provider, SessionOptions } from '../../src/provider';
import { callFactsOf } from './calls';
import { responsesLaneOf, responsesLifecycleOf } from './lifecycle';
import { createResponsesMapper } from './mapper';
import type { OpenAIResponsesToolOutput } from './toolOutput';
import { responsesToolResults } from './toolResults';
import { createResponsesTracker } from './tracker';
import type { OpenAIResponsesTurn } from './turn';
import { usageOf } from './usage';

const NAME = 'openai-responses';

export type { OpenAIResponsesToolOutput } from './toolOutput';
export type { OpenAIResponsesItem, OpenAIResponsesTurn, WireItem } from './turn';

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
 * 5. In a session every response has its own ending, a failed one `finish` with reason `error`; `laneOf` tells its streams
 *    apart.
 *
 * @param options - `session: true` for the messages of a WebSocket.
 *
 * @example
 * ```ts
 * import { openaiResponses } from 'rx-model-stream';
 *
 * console.log(openaiResponses().lifecycleOf({ value: { type: 'keepalive' } })); // { phase: 'idle' }
 * ```
 */
export function openaiResponses({ session = false }: SessionOptions = {}): Provider<
  OpenAIResponsesTurn,
  OpenAIResponsesToolOutput
> {
  return {
    name: NAME,
    session,
    laneOf: responsesLaneOf,
    ...(!session && { resume: { createTracker: createResponsesTracker, repeats: ['include'] } }),
    lifecycleOf: (payload) => responsesLifecycleOf(payload, NAME),
    createMapper: () => createResponsesMapper({ name: NAME, callFactsOf, usageOf }),
    toolResults: responsesToolResults,
  };
}
