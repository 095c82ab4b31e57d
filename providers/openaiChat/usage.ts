import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, present, type WireObject } from '../../src/wire';
import { costOfTicks, inputWithCached } from '../xai/counting';

/** The usage of a chunk, where it tells anything: on the chunk itself, or where Groq has it. */
export function usageIn(chunk: WireObject): TokenUsage | undefined {
  const wire = objectIn(chunk, 'usage') ?? objectIn(objectIn(chunk, 'x_groq'), 'usage');
  if (wire === undefined) return undefined;
  const prompt = numberIn(wire, 'prompt_tokens');
  const completion = numberIn(wire, 'completion_tokens');
  const total = numberIn(wire, 'total_tokens');
  if (prompt === undefined && completion === undefined && total === undefined) return undefined;
  const cached = cachedTokensIn(wire);
  const details = objectIn(wire, 'prompt_tokens_details');
  const reasoning = numberIn(objectIn(wire, 'completion_tokens_details'), 'reasoning_tokens');
  return {
    ...present({
      inputTokens: inputWithCached(prompt, cached),
      outputTokens: outputTokensOf(prompt, completion, reasoning, total),
      reasoningTokens: reasoning,
      cachedInputTokens: cached,
      cacheWriteTokens: numberIn(details, 'cache_write_tokens'),
      totalTokens: total,
      costUsd: costIn(wire),
    }),
    raw: wire,
  };
}

/**
 * OpenAI's place; the same misspelt, and a place of its own, at Mistral; DeepSeek. Together and Databricks have others,
 * without a word whether the prompt contains them: those stay in `raw`.
 */
function cachedTokensIn(wire: WireObject): number | undefined {
  return (
    numberIn(objectIn(wire, 'prompt_tokens_details'), 'cached_tokens') ??
    numberIn(objectIn(wire, 'prompt_token_details'), 'cached_tokens') ??
    numberIn(wire, 'num_cached_tokens') ??
    numberIn(wire, 'prompt_cache_hit_tokens')
  );
}

/** xAI, and Grok at other hosts, leave reasoning out of the completion: the total then has it as a third part. */
function outputTokensOf(
  prompt: number | undefined,
  completion: number | undefined,
  reasoning = 0,
  total: number | undefined,
): number | undefined {
  if (prompt === undefined || completion === undefined) return completion;
  return total === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** OpenRouter and the Vercel AI Gateway tell dollars, Perplexity a sum of parts, xAI ticks. */
function costIn(wire: WireObject): number | undefined {
  return numberIn(wire, 'cost') ?? numberIn(objectIn(wire, 'cost'), 'total_cost') ?? costOfTicks(wire);
}
