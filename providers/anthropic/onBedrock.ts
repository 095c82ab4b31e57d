/**
 * Claude on Amazon Bedrock, `POST /model/{modelId}/invoke-with-response-stream` at bedrock-runtime.
 *
 * Wire: an AWS event stream. Each message is a `chunk` whose payload `{ bytes }` is base64 of one event of Anthropic
 * Messages, padded by a field `p`. Exceptions of Bedrock take the place of `error`, which is read too. `message_stop` carries
 * Bedrock's own counting, `amazon-bedrock-invocationMetrics`, or a chunk of its own does, after it.
 *
 * Source: runtime of @anthropic-ai/bedrock-sdk 1.1.3, read 2026-11-30. Checked against a capture of a tool call; of an
 * exception there is none.
 */
import type { Provider } from '../../src/provider';
import { anthropic } from './index';
import type { AnthropicToolResults } from './toolResults';
import type { AnthropicTurn } from './turn';

/**
 * The provider for Claude behind `InvokeModelWithResponseStream` of Amazon Bedrock: `anthropic()`, which knows Bedrock's
 * exceptions too, for answers that are an AWS event stream. What `ConverseStream` answers is read by `bedrockConverse()`.
 *
 * @example
 * ```ts
 * import { anthropicOnBedrock } from 'rx-model-stream';
 *
 * const exception = { name: 'throttlingException', value: { message: 'Too many tokens' } };
 * console.log(anthropicOnBedrock().lifecycleOf(exception).error?.retryable); // true
 * ```
 */
export function anthropicOnBedrock(): Provider<AnthropicTurn, AnthropicToolResults> {
  return { ...anthropic(), contentTypes: ['application/vnd.amazon.eventstream'] };
}
