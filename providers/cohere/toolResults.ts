import { outcomeText, quotedId, type ToolResult } from '../../src/toolResults';

/** The answer to one call, as it goes into `messages` of the next request. */
export interface CohereToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

export function cohereToolResults(results: readonly ToolResult[]): CohereToolMessage[] {
  return results.map((result) => ({
    role: 'tool',
    tool_call_id: quotedId(result.call),
    content: outcomeText(result),
  }));
}
