import {
  anthropic,
  cohere,
  gemini,
  geminiLive,
  ollama,
  openaiChat,
  openaiResponses,
  toolResultsFor,
  type AnthropicToolResults,
  type AnthropicTurn,
  type CohereToolMessage,
  type GeminiInteractionsToolResult,
  type GeminiLiveToolResponse,
  type GeminiToolResults,
  type OllamaToolMessage,
  type OpenAIChatToolMessage,
  type OpenAIResponsesToolOutput,
  type Provider,
  type ToolResult,
} from 'rx-model-stream';
import { expectType } from './expectType';

declare const results: readonly ToolResult[];
declare const turn: AnthropicTurn | undefined;

// What answers the calls has the provider's own shape.
expectType<AnthropicToolResults[]>()(toolResultsFor(anthropic(), results));
expectType<CohereToolMessage[]>()(toolResultsFor(cohere(), results));
expectType<OllamaToolMessage[]>()(toolResultsFor(ollama(), results));
expectType<OpenAIChatToolMessage[]>()(toolResultsFor(openaiChat(), results));
expectType<OpenAIResponsesToolOutput[]>()(toolResultsFor(openaiResponses(), results));
expectType<(GeminiToolResults | GeminiInteractionsToolResult)[]>()(toolResultsFor(gemini(), results));
expectType<GeminiLiveToolResponse[]>()(toolResultsFor(geminiLive(), results));

// The turn may be missing, as in a snapshot that is not complete.
expectType<AnthropicToolResults[]>()(toolResultsFor(anthropic(), results, turn));

// A provider of one's own owes nothing; of one that says nothing of its answers they are unknown.
declare const mine: Pick<Provider<AnthropicTurn>, 'name' | 'lifecycleOf' | 'createMapper'>;
mine satisfies Provider;
expectType<unknown[]>()(toolResultsFor(mine, results));

// @ts-expect-error A turn of another provider is not the one of these calls.
toolResultsFor(openaiResponses(), results, turn);
// @ts-expect-error A result belongs to a call.
toolResultsFor(anthropic(), [{ content: 'text' }]);
