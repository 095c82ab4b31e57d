/**
 * Gemini Live, `BidiGenerateContent` over a WebSocket, on the Developer API and on Vertex AI.
 *
 * Wire: one JSON object a message, in text or binary frames; several fields may sit in one message, and nothing names its
 * type. Nothing keeps alive but the socket itself. A turn ends with `turnComplete`; a tool call does not end it. There is
 * no message for a failure: the service closes the socket, with 1007, 1008 or 1011. `goAway` comes before the end of the
 * connection, `sessionResumptionUpdate` has the handle with which the next one goes on.
 *
 * Source: types and runtime of @google/genai 3.3.0, @ai-sdk/google 4.0.121, https://ai.google.dev/api/live, read
 * 2026-11-30. Checked against captures of real sessions; of `goAway`, an interruption, a cancelled call, code execution and
 * reasons for the end of a turn there is none.
 */
import type { Provider } from '../../src/provider';
import type { GeminiTurn } from '../gemini/turn';
import { liveLifecycleOf } from './lifecycle';
import { createLiveMapper } from './mapper';
import { liveToolResults, type GeminiLiveToolResponse } from './toolResults';
import { liveResume } from './tracker';

export type { GeminiLiveToolResponse } from './toolResults';

const NAME = 'gemini-live';

/**
 * The provider for Gemini Live: a session, in which every turn of the model is a response with its own ending.
 *
 * 1. Sound is a media block, one `media-delta` a piece; what is said in it is its transcript, which may come first.
 * 2. Calls come whole, and the turn goes on: the client answers on its socket without waiting for an ending. A call that the
 *    service takes back becomes `cancelled`, by a `block-update`.
 * 3. The reason is `cancelled` after an interruption, `tool-calls` while the last thing said was a call that nobody took
 *    back, else `stop` or what `turnCompleteReason` says.
 * 4. What the caller has to act on comes as `raw`, one field a time: `{ goAway }`, `{ sessionResumptionUpdate }`,
 *    `{ serverContent: { interrupted } }`, what the user said, voice activity.
 * 5. Usage is that of the turn. A translation has no turns: there each count covers what came since the one before, and
 *    they are added; closing the socket is then an ending.
 * 6. There is no `turn`: the service keeps the conversation.
 *
 * @example
 * ```ts
 * import { geminiLive } from 'rx-model-stream';
 *
 * console.log(geminiLive().lifecycleOf({ value: { serverContent: { turnComplete: true } } }).ending); // final
 * ```
 */
export function geminiLive(): Provider<GeminiTurn, GeminiLiveToolResponse> {
  return {
    name: NAME,
    session: true,
    lifecycleOf: (payload) => liveLifecycleOf(payload, NAME),
    createMapper: () => createLiveMapper(NAME),
    resume: liveResume,
    toolResults: liveToolResults,
  };
}
