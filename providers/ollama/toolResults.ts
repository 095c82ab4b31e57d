import { outcomeText, type ToolResult } from '../../src/toolResults';

/** The answer to one call, as it goes into `messages` of the next request. */
export interface OllamaToolMessage {
  readonly role: 'tool';
  /** Ollama looks for the name of the tool, not for an id: calls of one tool are answered in their order. */
  readonly tool_name: string;
  readonly content: string;
}

export function ollamaToolResults(results: readonly ToolResult[]): OllamaToolMessage[] {
  return results.map((result) => ({ role: 'tool', tool_name: result.call.name, content: outcomeText(result) }));
}
