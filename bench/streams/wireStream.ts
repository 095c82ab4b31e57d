/** The wire APIs that are measured. */
export const APIS = ['openai-responses', 'openai-chat', 'anthropic'] as const;

export type Api = (typeof APIS)[number];

/** What a reader finds in a stream, as far as it looks. */
export interface Found {
  /** Events of the event stream. */
  readonly frames?: number;
  /** The text of the answer. */
  readonly text?: string;
  /** The arguments of all tool calls, one after the other. */
  readonly arguments?: string;
  /** What the folded answer consists of. */
  readonly blocks?: number;
}

/** One streamed answer as it arrives, and what is to be found in it. */
export interface WireStream {
  readonly api: Api;
  readonly bytes: Uint8Array;
  readonly chunks: readonly Uint8Array[];
  readonly frames: number;
  readonly expected: Found;
}
