import { outcomeText, quotedId, type ToolResult } from '../../src/toolResults';

/** What the client sends to answer calls: an item for each, then the request to go on. */
export type OpenAIRealtimeToolMessage =
  | {
      readonly type: 'conversation.item.create';
      readonly item: { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string };
    }
  | { readonly type: 'response.create' };

/**
 * The calls of a response are answered together: each `response.create` begins another response. A request for approval
 * looks like a call and is answered by an `mcp_approval_response`, which the client writes itself.
 */
export function realtimeToolResults(results: readonly ToolResult[]): OpenAIRealtimeToolMessage[] {
  return [...results.map(itemOf), { type: 'response.create' }];
}

function itemOf(result: ToolResult): OpenAIRealtimeToolMessage {
  const item = { type: 'function_call_output', call_id: quotedId(result.call), output: outcomeText(result) } as const;
  return { type: 'conversation.item.create', item };
}
