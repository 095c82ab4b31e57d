/**
 * Amazon Bedrock ConverseStream, `POST /model/{modelId}/converse-stream` at bedrock-runtime.
 *
 * Wire: an AWS event stream, one event a message. What an event is stands in its header `:event-type` and nowhere in its
 * payload. Payloads are padded by a field `p`; text and reasoning have no start event. `messageStop` says why the message
 * ended, `metadata` comes after it with the usage and is the terminal signal. A failure after HTTP 200 is an exception, which
 * may be the only message. There is no id of the response, and no way to continue a stream that was cut.
 *
 * Source: types of @aws-sdk/client-bedrock-runtime 3.1164.0, runtime of @ai-sdk/amazon-bedrock 5.0.101,
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html, read 2026-11-30. Checked against
 * captures of text, citations, thinking, server tools, a guardrail and an exception; of redacted reasoning, images, cached
 * input and a failure after content there is none.
 */
import type { Provider } from '../../src/provider';
import { converseLifecycleOf } from './lifecycle';
import { createConverseMapper } from './mapper';
import { converseToolResults, type BedrockToolResults } from './toolResults';
import type { BedrockTurn } from './turn';

export type { BedrockToolResult, BedrockToolResults } from './toolResults';
export type { BedrockContentBlock, BedrockTurn } from './turn';

const NAME = 'bedrock';

/**
 * The provider for ConverseStream of Amazon Bedrock, whichever model answers. Claude's own events, as
 * `InvokeModelWithResponseStream` passes them on, are read by `anthropicOnBedrock()`.
 *
 * 1. The frames must have names: `parseAwsEventStream` gives them, and `fromModel` chooses it.
 * 2. Calls of Bedrock's own tools are `providerExecuted`, followed by their results.
 * 3. Input tokens include cache reads and writes, which the wire counts apart.
 * 4. The response ends with `metadata`, or with the body once the message has stopped.
 * 5. `turn` is the assistant message as it is to be sent back: reasoning with its signature, redacted reasoning, server tools
 *    and their results, in order. Blank text, which Bedrock refuses, is left out.
 *
 * @example
 * ```ts
 * import { bedrockConverse } from 'rx-model-stream';
 *
 * const metadata = { name: 'metadata', value: { usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 } } };
 * console.log(bedrockConverse().lifecycleOf(metadata).ending); // final
 * ```
 */
export function bedrockConverse(): Provider<BedrockTurn, BedrockToolResults> {
  return {
    name: NAME,
    contentTypes: ['application/vnd.amazon.eventstream'],
    lifecycleOf: (payload) => converseLifecycleOf(payload, NAME),
    createMapper: () => createConverseMapper(NAME),
    toolResults: converseToolResults,
  };
}
