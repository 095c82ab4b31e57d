import type { TokenUsage } from '../../src/usage';
import { numberIn, present, type WireObject } from '../../src/wire';
import { usageOf as openaiUsageOf } from '../openaiResponses/usage';

const TICKS_PER_DOLLAR = 1e10;

/** As OpenAI's, with the cost in ticks; the input may leave the cached part out, which then is larger than it. */
export function usageOf(wire: WireObject): TokenUsage {
  const usage = openaiUsageOf(wire);
  const { inputTokens, cachedInputTokens = 0 } = usage;
  const ticks = numberIn(wire, 'cost_in_usd_ticks');
  return {
    ...usage,
    ...present({
      inputTokens:
        inputTokens !== undefined && cachedInputTokens > inputTokens ? inputTokens + cachedInputTokens : inputTokens,
      costUsd: ticks === undefined ? undefined : ticks / TICKS_PER_DOLLAR,
    }),
  };
}
