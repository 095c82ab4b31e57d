import { contentText, quotedId, type ToolResult } from '../../src/toolResults';
import { objectOf } from '../../src/wire';

/** The answer to one call, in Converse's own shape. */
export interface BedrockToolResult {
  readonly toolUseId: string;
  readonly content: ({ readonly text: string } | { readonly json: Readonly<Record<string, unknown>> })[];
  readonly status?: 'error';
}

/** The message that answers the calls of a turn: all of them, which the API demands. */
export interface BedrockToolResults {
  readonly role: 'user';
  readonly content: { readonly toolResult: BedrockToolResult }[];
}

export function converseToolResults(results: readonly ToolResult[]): BedrockToolResults[] {
  return [{ role: 'user', content: results.map((result) => ({ toolResult: toolResultOf(result) })) }];
}

/** Only an object may stand as JSON. */
function toolResultOf(result: ToolResult): BedrockToolResult {
  const json = objectOf(result.content);
  return {
    toolUseId: quotedId(result.call),
    content: [json ? { json } : { text: contentText(result) }],
    ...(result.isError && { status: 'error' }),
  };
}
