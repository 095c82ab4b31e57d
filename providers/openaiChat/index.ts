/**
 * OpenAI Chat Completions, `POST /v1/chat/completions` with `stream: true`, and what speaks it: Azure, xAI, OpenRouter,
 * DeepSeek, Groq, Mistral, Together, vLLM, llama.cpp, Ollama, Cerebras, Perplexity, Copilot, Gemini's compatible endpoint
 * and more. The legacy `POST /v1/completions` is read as well: its chunks have `text` in place of a delta.
 *
 * Wire: SSE without `event:` lines, one JSON chunk a frame, LF line ends (Perplexity CRLF). Comments keep alive, at xAI
 * chunks with an empty delta. The terminal signal is `[DONE]`; where a service leaves it out, the end of the body once a
 * finish reason was given. A failure after HTTP 200 is a chunk with `error`, a named `error` event (Groq) or an `error:`
 * line (llama.cpp). There is no way to continue a stream that was cut.
 *
 * Source: types of openai 7.59.0, of the SDKs of Groq, Mistral and OpenRouter, and their documentation, read 2026-11-29.
 * Checked against captures of real streams of twenty services; of the Azure asynchronous filter, audio and images there is
 * none.
 */
import type { Provider } from '../../src/provider';
import { chatLifecycleOf } from './lifecycle';
import { createChatMapper } from './mapper';
import { chatToolResults, type OpenAIChatToolMessage } from './toolResults';
import type { OpenAIChatTurn } from './turn';

export type { OpenAIChatToolMessage } from './toolResults';
export type { OpenAIChatTurn } from './turn';

const NAME = 'openai-chat';

/**
 * The provider for Chat Completions, at OpenAI and at every service that imitates it. There is nothing to configure: what
 * differs is read off the stream.
 *
 * 1. Text, refusal and reasoning are blocks, one after another in each alternative; a block of another kind ends the one
 *    before. Tool calls end with the answer, since nothing on the wire says when one is whole.
 * 2. A call is found by its id, then its index, then its name. A call without an id gets one of ours (`syntheticId`).
 * 3. The reason is `tool-calls` whenever the service says `stop` after a call, and `content-filter` after a refusal. A
 *    failure after a finish reason is a failure.
 * 4. With several alternatives `finish` has the `choices`; its reason and `turn` are those of the first.
 * 5. `turn` is the assistant message as it is to be sent back, reasoning under the name the service gave it. Ids that were
 *    made up are not in it. After a legacy completion, which knows no messages, its `content` is the text.
 *
 * @example
 * ```ts
 * import { openaiChat } from 'rx-model-stream';
 *
 * console.log(openaiChat().lifecycleOf({ value: '[DONE]' }).ending); // final
 * ```
 */
export function openaiChat(): Provider<OpenAIChatTurn, OpenAIChatToolMessage> {
  return {
    name: NAME,
    lifecycleOf: (payload) => chatLifecycleOf(payload, NAME),
    createMapper: () => createChatMapper(NAME),
    toolResults: chatToolResults,
  };
}
