import type { WireObject } from '../../src/wire';

/** The assistant message as it goes into `messages` of the next request. */
export interface CohereTurn {
  readonly role: 'assistant';
  /** `{ type: 'text', text }` and `{ type: 'thinking', thinking }`. */
  readonly content?: readonly WireObject[];
  readonly tool_plan?: string;
  readonly tool_calls?: readonly WireObject[];
  readonly citations?: readonly WireObject[];
}
