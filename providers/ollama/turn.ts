import type { WireObject } from '../../src/wire';

/** The assistant message as it goes into `messages` of the next request. */
export interface OllamaTurn {
  readonly role: 'assistant';
  readonly content: string;
  readonly thinking?: string;
  /** Base64. */
  readonly images?: readonly string[];
  readonly tool_calls?: readonly WireObject[];
  /** After generate: the conversation so far, as the next generate request takes it. */
  readonly context?: readonly unknown[];
}
