export { anthropic, type AnthropicContentBlock, type AnthropicTurn } from './anthropic';
export { anthropicOnBedrock } from './anthropic/onBedrock';
export { bedrockConverse, type BedrockContentBlock, type BedrockTurn } from './bedrockConverse';
export { gemini, type GeminiOptions, type GeminiPart, type GeminiTurn } from './gemini';
export { geminiLive } from './geminiLive';
export { lyria } from './lyria';
export { openaiChat, type OpenAIChatTurn } from './openaiChat';
export { openaiResponses, type OpenAIResponsesItem, type OpenAIResponsesTurn } from './openaiResponses';
export { xai, type XaiTurn } from './xai';
