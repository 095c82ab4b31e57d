export const NAME = 'anthropic';
