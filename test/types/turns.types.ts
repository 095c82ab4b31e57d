import type Anthropic from '@anthropic-ai/sdk';
import type { Content, Interactions } from '@google/genai';
import type OpenAI from 'openai';
import type {
  AnthropicTurn,
  GeminiInteractionsTurn,
  GeminiTurn,
  OpenAIChatTurn,
  OpenAIResponsesTurn,
} from 'rx-model-stream';

declare const anthropic: AnthropicTurn;
declare const openaiResponses: OpenAIResponsesTurn;
declare const openaiChat: OpenAIChatTurn;
declare const gemini: GeminiTurn;
declare const geminiInteractions: GeminiInteractionsTurn;

// A turn goes into the next request as what the SDK calls it. That what is in it has the fields that the SDK demands is
// tested on all fixtures, in test/sdk/turns.test.ts.
export const messages: Anthropic.MessageParam[] = [anthropic as Anthropic.MessageParam];
export const betaMessages: Anthropic.Beta.BetaMessageParam[] = [anthropic as Anthropic.Beta.BetaMessageParam];
export const input: OpenAI.Responses.ResponseInput = [...(openaiResponses as OpenAI.Responses.ResponseInput)];
export const chatMessages: OpenAI.ChatCompletionMessageParam[] = [openaiChat as OpenAI.ChatCompletionMessageParam];
export const contents: Content[] = [gemini];
export const steps: Interactions.Step[] = [...(geminiInteractions as Interactions.Step[])];

// What an SDK gave without streaming is a turn as well.
declare const message: Anthropic.Message;
declare const betaMessage: Anthropic.Beta.BetaMessage;
declare const response: OpenAI.Responses.Response;
declare const interaction: Interactions.Interaction;
export const turns: [AnthropicTurn, AnthropicTurn, OpenAIResponsesTurn, GeminiInteractionsTurn] = [
  message,
  betaMessage,
  response.output,
  interaction.steps ?? [],
];
