export { anthropic, type AnthropicContentBlock, type AnthropicTurn } from './anthropic';
export { openaiResponses, type OpenAIResponsesItem, type OpenAIResponsesTurn } from './openaiResponses';
