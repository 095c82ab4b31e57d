import type { TokenUsage } from '../../src/usage';
import { numberIn, present, type WireObject } from '../../src/wire';

/** Bedrock counts cache reads and writes beside the input, and reasoning within the output, without saying how much. */
export function usageOf(wire: WireObject): TokenUsage {
  const uncached = numberIn(wire, 'inputTokens');
  const cachedInputTokens = numberIn(wire, 'cacheReadInputTokens');
  const cacheWriteTokens = numberIn(wire, 'cacheWriteInputTokens');
  const inputTokens =
    uncached === undefined ? undefined : uncached + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0);
  const outputTokens = numberIn(wire, 'outputTokens');
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  return {
    ...present({
      inputTokens,
      outputTokens,
      cachedInputTokens,
      cacheWriteTokens,
      totalTokens: isCounted ? inputTokens + outputTokens : numberIn(wire, 'totalTokens'),
    }),
    raw: wire,
  };
}
