export const NAME = 'openai-responses';
