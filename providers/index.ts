export {
  anthropic,
  type AnthropicContentBlock,
  type AnthropicToolResult,
  type AnthropicToolResults,
  type AnthropicTurn,
} from './anthropic';
export { anthropicOnBedrock } from './anthropic/onBedrock';
export {
  bedrockConverse,
  type BedrockContentBlock,
  type BedrockToolResult,
  type BedrockToolResults,
  type BedrockTurn,
} from './bedrockConverse';
export { cohere, type CohereToolMessage, type CohereTurn } from './cohere';
export {
  gemini,
  type GeminiFunctionResponse,
  type GeminiOptions,
  type GeminiPart,
  type GeminiToolResults,
  type GeminiTurn,
} from './gemini';
export {
  geminiInteractions,
  type GeminiInteractionsStep,
  type GeminiInteractionsToolResult,
  type GeminiInteractionsTurn,
} from './geminiInteractions';
export { geminiLive, type GeminiLiveToolResponse } from './geminiLive';
export { lyria } from './lyria';
export { ollama, type OllamaToolMessage, type OllamaTurn } from './ollama';
export { openaiChat, type OpenAIChatToolMessage, type OpenAIChatTurn } from './openaiChat';
export { openaiRealtime, type OpenAIRealtimeToolMessage } from './openaiRealtime';
export {
  openaiResponses,
  type OpenAIResponsesItem,
  type OpenAIResponsesToolOutput,
  type OpenAIResponsesTurn,
} from './openaiResponses';
export { replicate } from './replicate';
export { watsonxText } from './watsonxText';
export { writerCompletions } from './writerCompletions';
export { xai, type XaiToolMessage, type XaiTurn } from './xai';
