import type { ToolResult } from '../../src/toolResults';
import { functionResponseOf, type GeminiFunctionResponse } from '../google/functionResponse';

/** The message that answers function calls of a session: any of them, at any time. */
export interface GeminiLiveToolResponse {
  readonly toolResponse: { readonly functionResponses: GeminiFunctionResponse[] };
}

export function liveToolResults(results: readonly ToolResult[]): GeminiLiveToolResponse[] {
  return [{ toolResponse: { functionResponses: results.map(functionResponseOf) } }];
}
