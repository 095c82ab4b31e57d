import type { TokenUsage } from '../../src/usage';
import { numberIn, present, type WireObject } from '../../src/wire';
import { sumOf } from '../google/sumOf';

/**
 * Gemini counts the prompts of tools beside the prompt, and thoughts beside the answer. Undefined when it counts nothing:
 * Vertex sends a traffic type alone before the last chunk.
 */
export function usageOf(wire: WireObject): TokenUsage | undefined {
  const counts = present({
    inputTokens: sumOf(numberIn(wire, 'promptTokenCount'), numberIn(wire, 'toolUsePromptTokenCount')),
    outputTokens: sumOf(numberIn(wire, 'candidatesTokenCount'), numberIn(wire, 'thoughtsTokenCount')),
    reasoningTokens: numberIn(wire, 'thoughtsTokenCount'),
    cachedInputTokens: numberIn(wire, 'cachedContentTokenCount'),
    totalTokens: numberIn(wire, 'totalTokenCount'),
  });
  return Object.keys(counts).length === 0 ? undefined : { ...counts, raw: wire };
}
