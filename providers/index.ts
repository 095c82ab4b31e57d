export { anthropic, type AnthropicContentBlock, type AnthropicTurn } from './anthropic';
export { gemini, type GeminiOptions, type GeminiPart, type GeminiTurn } from './gemini';
export { geminiInteractions, type GeminiInteractionsStep, type GeminiInteractionsTurn } from './geminiInteractions';
export { geminiLive } from './geminiLive';
export { lyria } from './lyria';
export { openaiChat, type OpenAIChatTurn } from './openaiChat';
export { openaiResponses, type OpenAIResponsesItem, type OpenAIResponsesTurn } from './openaiResponses';
export { xai, type XaiTurn } from './xai';
