import { contentText, quotedId, type ToolResult } from '../../src/toolResults';

/** The answer to one call, in Anthropic's own shape. */
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}

/** The message that answers the calls of a turn: all of them, which the API demands. */
export interface AnthropicToolResults {
  readonly role: 'user';
  readonly content: AnthropicToolResult[];
}

export function anthropicToolResults(results: readonly ToolResult[]): AnthropicToolResults[] {
  return [{ role: 'user', content: results.map(toolResultOf) }];
}

function toolResultOf(result: ToolResult): AnthropicToolResult {
  const { call, isError } = result;
  return {
    type: 'tool_result',
    tool_use_id: quotedId(call),
    content: contentText(result),
    ...(isError && { is_error: true }),
  };
}
