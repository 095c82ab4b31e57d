import type { TokenUsage } from '../../src/usage';
import { numberIn, objectIn, overwritten, present, type WireObject } from '../../src/wire';
import { sumOf } from '../google/sumOf';
import { eventTypeOf } from './eventTypes';

/** Adds up what the hops of an answer used: each of them bills the input again. */
export interface UsageTotals {
  beginHop(): void;
  /** Takes a total of the running hop, which overwrites those before, and gives that of the answer, if it counts anything. */
  read(wire: WireObject): TokenUsage | undefined;
}

export function createUsageTotals(): UsageTotals {
  const hops: WireObject[] = []; // those that are over
  let before: Counts = {};
  let current: WireObject | undefined;
  return {
    beginHop() {
      if (!current) return;
      before = added(before, countsIn(current));
      hops.push(current);
      current = undefined;
    },
    read(wire) {
      current = overwritten(current ?? {}, wire);
      const counts = added(before, countsIn(current));
      if (Object.keys(counts).length === 0) return undefined;
      return { ...counts, raw: hops.length === 0 ? current : [...hops, current] };
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

function added(a: Counts, b: Counts): Counts {
  const sums: Counts = {};
  for (const count of COUNTS) {
    const sum = sumOf(a[count], b[count]);
    if (sum !== undefined) sums[count] = sum;
  }
  return sums;
}

/** Google counts what its tools read beside the input, and thoughts beside the output. */
function countsIn(wire: WireObject): Counts {
  const thoughts = numberIn(wire, 'total_thought_tokens');
  return present({
    inputTokens: sumOf(numberIn(wire, 'total_input_tokens'), numberIn(wire, 'total_tool_use_tokens')),
    outputTokens: sumOf(numberIn(wire, 'total_output_tokens'), thoughts),
    reasoningTokens: thoughts,
    cachedInputTokens: numberIn(wire, 'total_cached_tokens'),
    totalTokens: numberIn(wire, 'total_tokens'),
  });
}
