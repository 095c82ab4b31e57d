/**
 * What a response cost in tokens. A number that the provider did not tell is absent, never 0, and no number is derived
 * from others by subtraction.
 */
export interface TokenUsage {
  /** Everything sent, cache reads and writes included. */
  readonly inputTokens?: number;
  /** Everything billed as output, reasoning included. */
  readonly outputTokens?: number;
  /** The part of the output that was reasoning. */
  readonly reasoningTokens?: number;
  /** The part of the input that was read from a cache. */
  readonly cachedInputTokens?: number;
  /** The part of the input that was written to a cache. */
  readonly cacheWriteTokens?: number;
  readonly totalTokens?: number;
  /** US dollars: the provider's own figure, or reckoned from a price table. */
  readonly costUsd?: number;
  /** Present when the stream ended early: more may have been used. */
  readonly partial?: true;
  /** What attempts used that were given up before this one. Not contained in the other numbers. */
  readonly abandoned?: readonly TokenUsage[];
  /** As the provider wrote it. */
  readonly raw?: unknown;
}
