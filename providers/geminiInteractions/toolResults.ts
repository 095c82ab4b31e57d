import { contentText, quotedId, type ToolResult } from '../../src/toolResults';
import { objectOf } from '../../src/wire';

/** The step that answers one call, as it goes into `input` of the next request. */
export interface GeminiInteractionsToolResult {
  readonly type: 'function_result';
  readonly call_id: string;
  readonly name: string;
  readonly result: string | Readonly<Record<string, unknown>>;
  readonly is_error?: true;
}

export function interactionsToolResults(results: readonly ToolResult[]): GeminiInteractionsToolResult[] {
  return results.map((result) => ({
    type: 'function_result',
    call_id: quotedId(result.call),
    name: result.call.name,
    result: objectOf(result.content) ?? contentText(result), // a list would be taken for texts and pictures
    ...(result.isError && { is_error: true }),
  }));
}
