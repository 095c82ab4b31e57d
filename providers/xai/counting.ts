import { numberIn, type WireObject } from '../../src/wire';

/** https://docs.x.ai/docs/models, read 2026-11-29. */
const TICKS_PER_DOLLAR = 1e10;

/** What xAI charges, in US dollars, where it tells. */
export function costOfTicks(usage: WireObject): number | undefined {
  const ticks = numberIn(usage, 'cost_in_usd_ticks');
  return ticks === undefined ? undefined : ticks / TICKS_PER_DOLLAR;
}

/** xAI may leave the cached tokens out of the input: then there are more of them than it has. */
export function inputWithCached(input: number | undefined, cached = 0): number | undefined {
  return input !== undefined && cached > input ? input + cached : input;
}
