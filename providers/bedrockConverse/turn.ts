import type { WireObject } from '../../src/wire';

/**
 * One content block of an assistant message, in Converse's own shape: an object whose only field says what it is, such as
 * `{ text }` or `{ toolUse }`. Bytes are base64, as the JSON of a request has them.
 */
export type BedrockContentBlock = WireObject;

/** The assistant message as it goes into `messages` of the next request. */
export interface BedrockTurn {
  readonly role: 'assistant';
  readonly content: readonly BedrockContentBlock[];
}
