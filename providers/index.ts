export { anthropic, type AnthropicContentBlock, type AnthropicTurn } from './anthropic';
export { gemini, type GeminiOptions, type GeminiPart, type GeminiTurn } from './gemini';
export { openaiChat, type OpenAIChatTurn } from './openaiChat';
export { openaiResponses, type OpenAIResponsesItem, type OpenAIResponsesTurn } from './openaiResponses';
export { xai, type XaiTurn } from './xai';
