import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, present, type WireObject } from '../../src/wire';

/**
 * Anthropic counts cache reads and writes beside the input, and thinking within the output. Compaction and advisor runs
 * stand in `iterations` only and are left in `raw`.
 */
export function usageOf(wire: WireObject): TokenUsage {
  const uncached = numberIn(wire, 'input_tokens');
  const cachedInputTokens = numberIn(wire, 'cache_read_input_tokens');
  const cacheWriteTokens = numberIn(wire, 'cache_creation_input_tokens');
  const inputTokens =
    uncached === undefined ? undefined : uncached + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0);
  const outputTokens = numberIn(wire, 'output_tokens');
  return {
    ...present({
      inputTokens,
      outputTokens,
      reasoningTokens: numberIn(objectIn(wire, 'output_tokens_details'), 'thinking_tokens'),
      cachedInputTokens,
      cacheWriteTokens,
      totalTokens: inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens,
      costUsd: numberIn(wire, 'cost'), // OpenRouter
    }),
    raw: wire,
  };
}
