import type { ToolResult } from '../../src/toolResults';
import { functionResponseOf, type GeminiFunctionResponse } from '../google/functionResponse';

/** The content that answers the function calls of a turn, as it goes into `contents` of the next request. */
export interface GeminiToolResults {
  readonly role: 'user';
  readonly parts: { readonly functionResponse: GeminiFunctionResponse }[];
}

export function geminiToolResults(results: readonly ToolResult[]): GeminiToolResults[] {
  return [{ role: 'user', parts: results.map((result) => ({ functionResponse: functionResponseOf(result) })) }];
}
