import type { WireObject } from '../../src/wire';

/** The assistant message as it goes into `messages` of the next request: `turn as ChatCompletionMessageParam`. */
export interface OpenAIChatTurn extends WireObject {
  readonly role: 'assistant';
  /** A text, or a list of parts where the service wrote one (Mistral), or null beside tool calls. */
  readonly content: string | readonly WireObject[] | null;
}
