import type { WireObject } from '../../src/wire';

/** One content block of an assistant message, in Anthropic's own shape: its type says which fields it has. */
export interface AnthropicContentBlock {
  readonly type: string;
}

/** The same, whose fields are read one by one. */
export interface WireBlock extends AnthropicContentBlock, WireObject {
  readonly type: string;
}

/** The assistant message as it goes into `messages` of the next request: `turn as MessageParam`. */
export interface AnthropicTurn {
  readonly role: 'assistant';
  readonly content: readonly AnthropicContentBlock[];
}
