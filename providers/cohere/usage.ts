import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, present, type WireObject } from '../../src/wire';

/** `{ tokens, billed_units, cached_tokens }`: the input contains the cached tokens, the output the thinking. */
export function usageOf(wire: WireObject): TokenUsage {
  const tokens = objectIn(wire, 'tokens');
  const inputTokens = numberIn(tokens, 'input_tokens');
  const outputTokens = numberIn(tokens, 'output_tokens');
  return {
    ...present({
      inputTokens,
      outputTokens,
      reasoningTokens: numberIn(tokens, 'reasoning_tokens'),
      cachedInputTokens: numberIn(wire, 'cached_tokens'),
      totalTokens: inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens,
    }),
    raw: wire,
  };
}
