/** One drawable piece of an answer. `kind` tells which; `choice` is absent for the first of several alternatives. */
export type Block = TextBlock | ReasoningBlock | ToolCallBlock | ToolResultBlock | MediaBlock;

interface BlockOfChoice {
  /** Which alternative the block belongs to where the request asked for several; absent means 0. */
  readonly choice?: number;
}

/** Text of the answer. Refusals and commentary are text too, marked as such. */
export interface TextBlock extends BlockOfChoice {
  readonly kind: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
  /** Present when the model refuses in these words. */
  readonly refusal?: true;
  /** What part of the turn this is, where the provider says so. */
  readonly phase?: 'commentary' | 'final';
}

/** What the model thought, or a summary of it. The opaque fields go back to the provider unchanged. */
export interface ReasoningBlock extends BlockOfChoice {
  readonly kind: 'reasoning';
  readonly text: string;
  /** Proves to the provider that the text is its own. */
  readonly signature?: string;
  /** The reasoning itself, readable by the provider only. */
  readonly encrypted?: string;
  /** Present when the provider withholds the text. */
  readonly redacted?: true;
}

/** A call of a tool, by the client or by the provider itself. */
export interface ToolCallBlock extends BlockOfChoice {
  readonly kind: 'tool-call';
  /** What the result must quote. */
  readonly id: string;
  /** Present when the provider gave no id and this one was made up: it must not be sent back. */
  readonly syntheticId?: true;
  readonly name: string;
  /** The arguments as text; `format` says of what kind. Parsed by whoever runs the call. */
  readonly arguments: string;
  /** `json`: a JSON text. `text`: free text for the tool. */
  readonly format: 'json' | 'text';
  /**
   * - `open`: more may come.
   * - `whole`: complete; JSON arguments parse.
   * - `cut`: ended before the arguments were a whole JSON text, by the token limit as a rule. Never run it.
   * - `cancelled`: taken back by the provider.
   */
  readonly state: 'open' | 'whole' | 'cut' | 'cancelled';
  /** Present when the provider runs the call itself: nothing is to be done about it. */
  readonly providerExecuted?: true;
  readonly signature?: string;
}

/** What a tool that the provider ran gave back. */
export interface ToolResultBlock extends BlockOfChoice {
  readonly kind: 'tool-result';
  readonly toolCallId?: string;
  readonly name?: string;
  /** In the provider's own shape. */
  readonly content: unknown;
  readonly isError?: true;
}

/** A picture or sound. */
export interface MediaBlock extends BlockOfChoice {
  readonly kind: 'media';
  readonly mimeType?: string;
  /** Base64 texts, each complete in itself: they are decoded one by one, not joined. */
  readonly parts: readonly string[];
  readonly url?: string;
  readonly transcript?: string;
  /** Present when the model made it while thinking: the answer has a better one. */
  readonly draft?: true;
}

/** Where a statement of the text comes from. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The provider's name for the source: a file id, a document. */
  readonly source?: string;
  /** The words cited. */
  readonly quote?: string;
  /** Where the cited statement begins in the text of its block, in UTF-16 units. */
  readonly start?: number;
  /** Where it ends, exclusive. */
  readonly end?: number;
  /** As the provider wrote it. */
  readonly raw: unknown;
}
