/**
 * Ollama's own API, `POST /api/chat` and `POST /api/generate`, which stream unless `stream` is false; on a machine of one's
 * own or at https://ollama.com. Its endpoints below `/v1` imitate others and are read by `openaiChat()`, `openaiResponses()`
 * and `anthropic()`.
 *
 * Wire: one JSON object a line, LF line ends, `application/x-ndjson`. Nothing keeps alive. A line with `done: true` is the
 * terminal signal; it has the usage and repeats an empty text. A failure after HTTP 200 is a line with `error` and nothing
 * else, after which no line with `done` comes. A stream that was cut cannot be continued.
 *
 * Source: types and runtime of ollama 0.6.4, https://docs.ollama.com/api/errors and https://docs.ollama.com/api/streaming,
 * read 2026-11-30. Checked against captures of text by both endpoints, thinking, one tool call and two, and the token limit;
 * of a failure, an image and log probabilities there is none.
 */
import type { Provider } from '../../src/provider';
import { ollamaLifecycleOf } from './lifecycle';
import { createOllamaMapper } from './mapper';
import { ollamaToolResults, type OllamaToolMessage } from './toolResults';
import type { OllamaTurn } from './turn';

export type { OllamaToolMessage } from './toolResults';
export type { OllamaTurn } from './turn';

const NAME = 'ollama';

/**
 * The provider for Ollama's own API. Lines of chat and of generate are told apart by their fields.
 *
 * 1. Text, thinking and images are blocks, one after another; a block of another kind ends the one before.
 * 2. A call comes whole, its arguments as an object that is written back as JSON text. A call without an id gets one of ours
 *    (`syntheticId`).
 * 3. The reason is `tool-calls` whenever Ollama says `stop` after a call: it has no word of its own for that.
 * 4. `turn` is the assistant message as it is to be sent back, its calls as they came: ids that were made up are not in it.
 *    After generate, which knows no messages, its `context` is what the next request takes.
 * 5. A failure has no code. The words for a runner that broke down or is busy mean that asking again may help.
 *
 * @example
 * ```ts
 * import { ollama } from 'rx-model-stream';
 *
 * console.log(ollama().lifecycleOf({ value: { model: 'm', done: true, done_reason: 'stop' } }).ending); // final
 * ```
 */
export function ollama(): Provider<OllamaTurn, OllamaToolMessage> {
  return {
    name: NAME,
    contentTypes: ['application/x-ndjson'],
    lifecycleOf: (payload) => ollamaLifecycleOf(payload, NAME),
    createMapper: () => createOllamaMapper(NAME),
    toolResults: ollamaToolResults,
  };
}
