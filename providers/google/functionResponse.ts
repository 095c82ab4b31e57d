import type { ToolResult } from '../../src/toolResults';
import { objectOf, type WireObject } from '../../src/wire';

/** The answer to one function call, in Google's own shape. Without an id the name and the order match it. */
export interface GeminiFunctionResponse {
  readonly id?: string;
  readonly name: string;
  readonly response: Record<string, unknown>;
}

export function functionResponseOf(result: ToolResult): GeminiFunctionResponse {
  const { id, name, syntheticId } = result.call;
  return { ...(!syntheticId && { id }), name, response: responseOf(result) };
}

/** An object it has to be; `output` and `error` are Google's words for what is none and for a failure. */
function responseOf({ content = null, isError }: ToolResult): WireObject {
  return isError ? { error: content } : (objectOf(content) ?? { output: content });
}
