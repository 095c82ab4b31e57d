import type { ToolCallBlock } from './blocks';
import type { Provider } from './provider';

/** What a tool of the client gave back for a call. */
export interface ToolResult {
  readonly call: ToolCallBlock;
  /** A text or a JSON value, in the shape of the tool; nothing counts as null. */
  readonly content?: unknown;
  /** Whether `content` says why the tool failed. */
  readonly isError?: boolean;
}

/**
 * Writes the results of tool calls in the provider's own shape, to be put behind `turn` in the next request.
 *
 * 1. The results keep their order: give them in the order of the calls, which `toolCallsOf` has. A provider that takes the
 *    results of a round in one message gets one; without results there is none.
 * 2. Each quotes the id of its call; Ollama matches names only. An id that was made up (`syntheticId`) never appears: Gemini
 *    and Chat Completions match the name then, the other APIs have nothing to match and it is refused.
 * 3. A text is written as it is. Another value goes as JSON where the API takes JSON, else as JSON text.
 * 4. A failure is marked the way of the API; where that has no mark the text is `{"error":…}`.
 * 5. Only a `whole` call takes a result. A call that was `cut` was never run: it takes a failure, so that the model may try
 *    again. A call that was taken back, that is still open or that the provider runs itself takes nothing.
 * 6. The messages are new plain objects, which the caller may add to: a picture, say.
 *
 * @param provider - The provider that the calls came from.
 * @param results - One for each call.
 * @param turn - The turn of the calls. It is needed where the calls do not tell how they are answered: at xAI, whose three
 *   APIs differ, for the built-in tools and approvals of OpenAI Responses, and for the legacy `function_call`. A session of
 *   Gemini Live has none.
 * @returns Messages, items or contents for the next request; in a session what to send, one after another.
 * @throws {RangeError} When a call takes no such result, or the provider has no answer to tool calls.
 *
 * @example
 * ```ts
 * import { anthropic, toolResultsFor, type ToolCallBlock } from 'rx-model-stream';
 *
 * const call: ToolCallBlock = {
 *   kind: 'tool-call', id: 'toolu_1', name: 'next_tide', arguments: '{"port":"Faro"}', format: 'json', state: 'whole',
 * };
 * const [message] = toolResultsFor(anthropic(), [{ call, content: { at: '18:40' } }]);
 * console.log(message?.role, message?.content[0]?.tool_use_id, message?.content[0]?.content); // user toolu_1 {"at":"18:40"}
 * ```
 */
export function toolResultsFor<Turn, ToolMessage>(
  provider: Provider<Turn, ToolMessage>,
  results: readonly ToolResult[],
  turn?: Turn,
): ToolMessage[] {
  if (!provider.toolResults) {
    throw new RangeError(`Cannot write tool results for ${provider.name}: the provider has no answer to tool calls`);
  }
  for (const result of results) checkAnswerable(result);
  return results.length === 0 ? [] : provider.toolResults(results, turn);
}

function checkAnswerable({ call, isError = false }: ToolResult): void {
  if (call.providerExecuted) throw unanswerable(call, 'the provider runs it itself');
  if (call.state === 'cancelled') throw unanswerable(call, 'it was taken back');
  if (call.state === 'open') throw unanswerable(call, 'it is not complete yet');
  if (call.state === 'cut' && !isError) throw unanswerable(call, 'it was cut, so that only an error answers it');
}

/** The mistake of answering a call that takes no such answer. */
export function unanswerable({ name, id }: ToolCallBlock, reason: string): RangeError {
  return new RangeError(`Cannot answer the call ${id} of ${name}: ${reason}`);
}

/** The id that the result quotes, for an API that has nothing else to match. */
export function quotedId(call: ToolCallBlock): string {
  if (call.syntheticId) throw unanswerable(call, 'the provider gave it no id');
  return call.id;
}

/** The content, for an API that takes text and marks failures beside it. */
export function contentText({ content }: ToolResult): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? null);
}

/** The content, for an API that takes text and has no mark for failures. */
export function outcomeText(result: ToolResult): string {
  return result.isError ? JSON.stringify({ error: result.content ?? null }) : contentText(result);
}
