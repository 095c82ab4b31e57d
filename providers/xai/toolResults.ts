import type { ToolResult } from '../../src/toolResults';
import type { AnthropicToolResults } from '../anthropic';
import { anthropicToolResults } from '../anthropic/toolResults';
import type { OpenAIChatToolMessage } from '../openaiChat';
import { chatToolResults } from '../openaiChat/toolResults';
import type { OpenAIResponsesToolOutput, OpenAIResponsesTurn } from '../openaiResponses';
import { responsesToolResults } from '../openaiResponses/toolResults';
import type { XaiTurn } from './index';

/** The answer to tool calls of whichever API was asked. */
export type XaiToolMessage = OpenAIChatToolMessage | OpenAIResponsesToolOutput | AnthropicToolResults;

/** The turn shows the API; in a session it is Responses. */
export function xaiToolResults(
  results: readonly ToolResult[],
  turn: XaiTurn | undefined,
  session: boolean,
): XaiToolMessage[] {
  if (turn === undefined && !session) {
    throw new RangeError('Cannot write tool results for xai: without the turn of the calls its API is not known');
  }
  if (turn === undefined || isItems(turn)) return responsesToolResults(results, turn);
  return 'tool_calls' in turn ? chatToolResults(results, turn) : anthropicToolResults(results);
}

function isItems(turn: XaiTurn): turn is OpenAIResponsesTurn {
  return Array.isArray(turn);
}
