import type { TokenUsage } from '../../src/usage';
import { numberIn, present, type WireObject } from '../../src/wire';
import { sumOf } from '../google/sumOf';

/**
 * As `streamGenerateContent`, but the answer is the response (Vertex: the candidates), and the total of the wire leaves
 * thoughts and tools out. Undefined when nothing is counted.
 */
export function usageOf(wire: WireObject): TokenUsage | undefined {
  const answer = numberIn(wire, 'responseTokenCount') ?? numberIn(wire, 'candidatesTokenCount');
  const inputTokens = sumOf(numberIn(wire, 'promptTokenCount'), numberIn(wire, 'toolUsePromptTokenCount'));
  const outputTokens = sumOf(answer, numberIn(wire, 'thoughtsTokenCount'));
  const counts = present({
    inputTokens,
    outputTokens,
    reasoningTokens: numberIn(wire, 'thoughtsTokenCount'),
    cachedInputTokens: numberIn(wire, 'cachedContentTokenCount'),
    totalTokens: sumOf(inputTokens, outputTokens),
  });
  return Object.keys(counts).length === 0 ? undefined : { ...counts, raw: wire };
}

/** The usage of two stretches together; a count that only one of them tells is that one. */
export function addedUsage(before: TokenUsage, after: TokenUsage): TokenUsage {
  return {
    ...present({
      inputTokens: sumOf(before.inputTokens, after.inputTokens),
      outputTokens: sumOf(before.outputTokens, after.outputTokens),
      reasoningTokens: sumOf(before.reasoningTokens, after.reasoningTokens),
      cachedInputTokens: sumOf(before.cachedInputTokens, after.cachedInputTokens),
      totalTokens: sumOf(before.totalTokens, after.totalTokens),
    }),
    raw: after.raw,
  };
}
