import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, overwritten, present, type WireObject } from '../../src/wire';
import { eventTypeOf } from './eventTypes';

/** Adds up what the hops of an answer used: each of them bills the input again. */
export interface UsageTotals {
  beginHop(): void;
  /** Takes a total of the running hop, which overwrites those before, and gives the total of the answer. */
  read(wire: WireObject): TokenUsage;
}

export function createUsageTotals(): UsageTotals {
  const hops: WireObject[] = []; // those that are over
  let before: Counts = {};
  let current: WireObject | undefined;
  return {
    beginHop() {
      if (!current) return;
      before = sumOf(before, countsIn(current));
      hops.push(current);
      current = undefined;
    },
    read(wire) {
      current = overwritten(current ?? {}, wire);
      return { ...sumOf(before, countsIn(current)), raw: hops.length === 0 ? current : [...hops, current] };
    },
  };
}

/**
 * The total that an event tells: of the interaction, of a status, or beside any event. The usage of a `step.stop` is that
 * of its step.
 */
export function totalIn(event: WireObject): WireObject | undefined {
  const metadata = objectIn(event, 'metadata');
  const beside = objectIn(metadata, 'total_usage') ?? objectIn(metadata, 'usage');
  if (!eventTypeOf(event)?.startsWith('interaction.')) return beside;
  return objectIn(objectIn(event, 'interaction'), 'usage') ?? objectIn(event, 'usage') ?? beside;
}

const COUNTS = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedInputTokens', 'totalTokens'] as const;

type Counts = Partial<Record<(typeof COUNTS)[number], number>>;

function sumOf(a: Counts, b: Counts): Counts {
  const sums = { ...a };
  for (const count of COUNTS) {
    const tokens = b[count];
    if (tokens !== undefined) sums[count] = (sums[count] ?? 0) + tokens;
  }
  return sums;
}

/** Google counts what its tools read beside the input, and thoughts beside the output. */
function countsIn(wire: WireObject): Counts {
  const input = numberIn(wire, 'total_input_tokens');
  const output = numberIn(wire, 'total_output_tokens');
  const thoughts = numberIn(wire, 'total_thought_tokens');
  return present({
    inputTokens: input === undefined ? undefined : input + (numberIn(wire, 'total_tool_use_tokens') ?? 0),
    outputTokens: output === undefined ? undefined : output + (thoughts ?? 0),
    reasoningTokens: thoughts,
    cachedInputTokens: numberIn(wire, 'total_cached_tokens'),
    totalTokens: numberIn(wire, 'total_tokens'),
  });
}
