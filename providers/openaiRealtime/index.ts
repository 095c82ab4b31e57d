/**
 * OpenAI Realtime API over a WebSocket, at `/v1/realtime`; Azure, with its Voice Live, and xAI speak the same events.
 *
 * Wire: one JSON event a message, told by `type`. A response begins with `response.created` and ends with `response.done`,
 * whatever came of it; out of band several run at once, told apart by `response_id`. Nothing keeps alive but the socket, at
 * xAI `ping` events. An `error` event answers a message of the client and ends nothing. The names of the beta
 * (`response.text.delta`, `response.audio.delta`) are still spoken at Azure and, for text, at xAI. xAI gives every item of a
 * response the same `output_index`, counts usage beside the response, and as input only what is new. Nothing can be
 * continued: a new connection is a new session.
 *
 * OpenAI Live, at `/v1/live/sessions`, has no turns; what it delegates is a response of the Responses API, each event of it
 * wrapped in a `response.event`. Translations, at `/v1/realtime/translations`, have no responses at all.
 *
 * Source: types and runtime of openai 6.49.0 and 7.59.0, @ai-sdk/xai 5.0.12, read 2026-11-30. Checked against captures of
 * real sessions of OpenAI, a translation among them, of Azure and xAI; of an interruption, a failed or incomplete response,
 * MCP, responses out of band, telephony, WebRTC and OpenAI Live there is none.
 */
import type { Provider } from '../../src/provider';
import type { OpenAIResponsesTurn } from '../openaiResponses';
import { realtimeLaneOf, realtimeLifecycleOf } from './lifecycle';
import { createRealtimeSession } from './session';
import { realtimeToolResults, type OpenAIRealtimeToolMessage } from './toolResults';

export type { OpenAIRealtimeToolMessage } from './toolResults';

const NAME = 'openai-realtime';

/**
 * The provider for Realtime sessions, at OpenAI, Azure and xAI. There is nothing to configure: what differs is read off the
 * events.
 *
 * 1. A part of text is a text block; a part of sound is a media block with its transcript, a `media-delta` each piece. They
 *    end with their item. What a sound is, and the model, is told where the response or its session says it.
 * 2. Calls of functions and requests for approval wait for the client, calls of an MCP server are `providerExecuted`.
 * 3. The reason is `cancelled` after an interruption, `error` for a response that failed: the session goes on.
 * 4. What belongs to no response comes as `raw`: the session, the items of the conversation, what the user said, `error`.
 *    So do events of a response that began while another one ran, unless the caller parted them by `laneOf`.
 * 5. There is no `turn`: the service keeps the conversation. Only what a Live session delegates has one.
 * 6. The rest of a Live session, and a translation, comes as `raw`.
 *
 * @example
 * ```ts
 * import { openaiRealtime } from 'rx-model-stream';
 *
 * const done = { type: 'response.done', response: { id: 'resp_1', status: 'completed' } };
 * console.log(openaiRealtime().lifecycleOf({ value: done }).ending); // final
 * ```
 */
export function openaiRealtime(): Provider<OpenAIResponsesTurn, OpenAIRealtimeToolMessage> {
  return {
    name: NAME,
    session: true,
    laneOf: realtimeLaneOf,
    lifecycleOf: (payload) => realtimeLifecycleOf(payload, NAME),
    createMapper: () => createRealtimeSession(NAME).createMapper(),
    createSession: () => createRealtimeSession(NAME),
    toolResults: realtimeToolResults,
  };
}
