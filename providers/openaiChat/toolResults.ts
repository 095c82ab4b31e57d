import { outcomeText, type ToolResult } from '../../src/toolResults';
import { objectIn } from '../../src/wire';
import type { OpenAIChatTurn } from './turn';

/** The answer to one call, as it goes into `messages` of the next request. */
export type OpenAIChatToolMessage =
  | {
      readonly role: 'tool';
      /** Empty where the service gave none. */
      readonly tool_call_id: string;
      readonly content: string;
      /** Present where there is no id to match. */
      readonly name?: string;
    }
  /** The deprecated form, for a turn that has `function_call`. */
  | { readonly role: 'function'; readonly name: string; readonly content: string };

export function chatToolResults(
  results: readonly ToolResult[],
  turn: OpenAIChatTurn | undefined,
): OpenAIChatToolMessage[] {
  const isLegacy = objectIn(turn, 'function_call') !== undefined;
  return results.map((result) => {
    const { name } = result.call;
    const content = outcomeText(result);
    return isLegacy ? { role: 'function', name, content } : { role: 'tool', ...matchOf(result), content };
  });
}

/**
 * What the service finds the call by. One that gives no id still refuses a message without `tool_call_id`
 * (github.com/google/adk-python/issues/951), and Gemini's compatible endpoint then wants the name
 * (github.com/pydantic/pydantic-ai/issues/1879).
 */
function matchOf({ call }: ToolResult): { tool_call_id: string; name?: string } {
  return call.syntheticId ? { tool_call_id: '', name: call.name } : { tool_call_id: call.id };
}
