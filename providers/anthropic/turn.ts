import type { WireObject } from '../../src/wire';

/** One content block of an assistant message, in Anthropic's own shape. */
export interface AnthropicContentBlock extends WireObject {
  readonly type: string;
}

/** The assistant message as it goes into `messages` of the next request. */
export interface AnthropicTurn {
  readonly role: 'assistant';
  readonly content: readonly AnthropicContentBlock[];
}
