import type { TokenUsage } from '../../src/usage';
import { numberIn, present, type WireObject } from '../../src/wire';

/** What the last line counts; times are nanoseconds. A prompt that was read from the cache is not counted at all. */
const COUNTERS = [
  'total_duration',
  'load_duration',
  'prompt_eval_count',
  'prompt_eval_duration',
  'eval_count',
  'eval_duration',
] as const;

/** The usage that a line tells, thinking within the output. */
export function usageIn(line: WireObject): TokenUsage | undefined {
  const inputTokens = numberIn(line, 'prompt_eval_count');
  const outputTokens = numberIn(line, 'eval_count');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const totalTokens = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const raw = Object.fromEntries(
    COUNTERS.filter((counter) => counter in line).map((counter) => [counter, line[counter]]),
  );
  return { ...present({ inputTokens, outputTokens, totalTokens }), raw };
}
