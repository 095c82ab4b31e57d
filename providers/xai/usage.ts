import type { TokenUsage } from '../../src/usage';
import { present, type WireObject } from '../../src/wire';
import { usageOf as openaiUsageOf } from '../openaiResponses/usage';
import { costOfTicks, inputWithCached } from './counting';

/** The usage of a Responses stream, as OpenAI's but for what xAI counts in its own way. */
export function usageOf(wire: WireObject): TokenUsage {
  const usage = openaiUsageOf(wire);
  const inputTokens = inputWithCached(usage.inputTokens, usage.cachedInputTokens);
  return { ...usage, ...present({ inputTokens, costUsd: costOfTicks(wire) }) };
}
