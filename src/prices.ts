import type { TokenUsage } from './usage';

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Reasoning is billed as output. */
  readonly output: number;
  /** For input read from a cache; as `input` when absent. */
  readonly cachedInput?: number;
  /** For input written to a cache; as `input` when absent. */
  readonly cacheWrite?: number;
}

/**
 * Prices by the model id that the provider reports, to the letter: an id is not guessed from its beginning, since
 * `model-mini` begins with `model` and costs something else. A function may know better.
 */
export type PriceTable = Readonly<Record<string, ModelPrice>> | ((model: string) => ModelPrice | undefined);

/** The usage with its cost in US dollars, where it can be told: a cost that the provider reported itself stands. */
export function priced(usage: TokenUsage, model: string | undefined, prices: PriceTable | undefined): TokenUsage {
  if (usage.costUsd !== undefined || model === undefined || prices === undefined) return usage;
  const price = priceOf(model, prices);
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return usage;
  const uncachedTokens = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const dollarsPerMillion =
    uncachedTokens * price.input +
    cachedInputTokens * (price.cachedInput ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return { ...usage, costUsd: dollarsPerMillion / 1_000_000 };
}

function priceOf(model: string, prices: PriceTable): ModelPrice | undefined {
  if (typeof prices === 'function') return prices(model);
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}
