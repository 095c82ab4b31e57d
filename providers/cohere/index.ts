/**
 * Cohere Chat, `POST https://api.cohere.com/v2/chat` with `stream: true`. Version 1 of the API has other events.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `type`, LF line ends. Nothing keeps alive. `message-end` is the terminal
 * signal, with the reason and the usage; `[DONE]` follows. A failure after HTTP 200 is a `message-end` whose reason is
 * `ERROR`. There is no way to continue a stream that was cut. The model is not named.
 *
 * Source: types of cohere-ai 8.1.0, https://docs.cohere.com/v2/docs/streaming, read 2026-11-30. Checked against captures of
 * thinking, a tool plan, one call and two, a call without arguments, citations and the token limit; of a failure, a time-out
 * and `debug` there is none.
 */
import type { Provider } from '../../src/provider';
import { cohereLifecycleOf } from './lifecycle';
import { createCohereMapper } from './mapper';
import { cohereToolResults, type CohereToolMessage } from './toolResults';
import type { CohereTurn } from './turn';

export type { CohereToolMessage } from './toolResults';
export type { CohereTurn } from './turn';

const NAME = 'cohere';

/**
 * The provider for Cohere Chat, version 2.
 *
 * 1. Text and thinking are blocks by their place in the content. The plan that comes before calls is reasoning.
 * 2. A citation comes once for each of its sources. Its `start` and `end` are there where they lead to the cited words.
 *    Citations of the thinking or of the plan come as `raw`.
 * 3. Tokens are those that the model read and wrote; what is billed, mostly less, stands in `raw`.
 * 4. `turn` is the assistant message as it is to be sent back: content, plan, calls and citations, as the API writes them.
 *
 * @example
 * ```ts
 * import { cohere } from 'rx-model-stream';
 *
 * const end = { type: 'message-end', delta: { finish_reason: 'COMPLETE' } };
 * console.log(cohere().lifecycleOf({ value: end }).ending); // final
 * ```
 */
export function cohere(): Provider<CohereTurn, CohereToolMessage> {
  return {
    name: NAME,
    lifecycleOf: (payload) => cohereLifecycleOf(payload, NAME),
    createMapper: () => createCohereMapper(NAME),
    toolResults: cohereToolResults,
  };
}
