/**
 * Anthropic Messages API, `POST /v1/messages` with `stream: true`, version 2023-06-01; Vertex AI and hosts that imitate
 * it speak the same events. Amazon Bedrock wraps them: see `onBedrock.ts`.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `type`, LF line ends, JSON padded with spaces. `ping` keeps alive.
 * `message_stop` is the terminal signal; the blank line after it may be missing, and OpenRouter adds `[DONE]`. A failure
 * after HTTP 200 is an `error` event, which may be the first one. There is no way to continue a stream that was cut.
 *
 * Source: types and runtime of @anthropic-ai/sdk 1.14.0; https://platform.claude.com/docs/en/build-with-claude/streaming,
 * read 2026-11-29. Checked against captures of real streams; of `error`, `fallback` and `vertex_event` there is none.
 */
import type { Provider } from '../../src/provider';
import { anthropicLifecycleOf } from './lifecycle';
import { createAnthropicMapper } from './mapper';
import { anthropicToolResults, type AnthropicToolResults } from './toolResults';
import type { AnthropicTurn } from './turn';

const NAME = 'anthropic';

export type { AnthropicToolResult, AnthropicToolResults } from './toolResults';
export type { AnthropicContentBlock, AnthropicTurn } from './turn';

/**
 * The provider for Anthropic Messages, on api.anthropic.com, Vertex AI and hosts that imitate it.
 *
 * `turn` is the assistant message as it is to be sent back: thinking with its signature, redacted thinking, server tools
 * and their results, blocks this library has no word for, all in order.
 *
 * @example
 * ```ts
 * import { anthropic } from 'rx-model-stream';
 *
 * console.log(anthropic().lifecycleOf({ value: { type: 'ping' } })); // { phase: 'idle' }
 * ```
 */
export function anthropic(): Provider<AnthropicTurn, AnthropicToolResults> {
  return {
    name: NAME,
    lifecycleOf: (payload) => anthropicLifecycleOf(payload, NAME),
    createMapper: () => createAnthropicMapper(NAME),
    toolResults: anthropicToolResults,
  };
}
