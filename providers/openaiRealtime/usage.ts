import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, present, type WireObject } from '../../src/wire';

/** The usage of `response.done`: in its response, at xAI beside it. Undefined where neither counts anything. */
export function usageIn(event: WireObject): TokenUsage | undefined {
  const places = [objectIn(objectIn(event, 'response'), 'usage'), objectIn(event, 'usage')];
  const wire = places.find((usage) => usage && Object.keys(usage).length > 0);
  if (wire === undefined) return undefined;
  return {
    ...present({
      inputTokens: numberIn(wire, 'input_tokens'),
      outputTokens: numberIn(wire, 'output_tokens'),
      reasoningTokens: numberIn(objectIn(wire, 'output_token_details'), 'reasoning_tokens'), // Azure Voice Live
      cachedInputTokens: numberIn(objectIn(wire, 'input_token_details'), 'cached_tokens'),
      totalTokens: numberIn(wire, 'total_tokens'),
    }),
    raw: wire,
  };
}
