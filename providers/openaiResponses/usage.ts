import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, present, type WireObject } from '../../src/wire';

/** `response.usage`: input with its cached part, output with its reasoning part. Hosts leave the details out. */
export function usageOf(wire: WireObject): TokenUsage {
  const input = objectIn(wire, 'input_tokens_details');
  const output = objectIn(wire, 'output_tokens_details');
  return {
    ...present({
      inputTokens: numberIn(wire, 'input_tokens'),
      outputTokens: numberIn(wire, 'output_tokens'),
      reasoningTokens: numberIn(output, 'reasoning_tokens'),
      cachedInputTokens: numberIn(input, 'cached_tokens'),
      cacheWriteTokens: numberIn(input, 'cache_write_tokens'),
      totalTokens: numberIn(wire, 'total_tokens'),
      costUsd: numberIn(wire, 'cost'), // OpenRouter
    }),
    raw: wire,
  };
}
