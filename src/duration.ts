import { MAX_TIMER_MS } from './checkOption';

/** By the first letters of a unit, whatever follows them: `s`, `sec`, `seconds`. */
const UNITS_MS: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^(ms|mil)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];

const UNIT = '(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z])';
const COUNT = String.raw`\d{1,15}(?:\.\d{1,15})?`;
const PART = String.raw`${COUNT}\s?${UNIT}`;
const DURATION = String.raw`${PART}(?:\s?${PART})*`;

const WHOLE = new RegExp(`^${DURATION}$`, 'i');
const PARTS = new RegExp(String.raw`(${COUNT})\s?(${UNIT})`, 'gi');

/**
 * How services say in the message of a failure when to come back: `Please try again in 1m2.5s` (OpenAI, Groq),
 * `Please retry in 34.07s` (Google), `Please retry after 6 seconds` (Azure), as public reports quote them.
 */
const STATED_WAIT = new RegExp(String.raw`\b(?:try again|retry)\s(?:in|after)\s(${DURATION})`, 'i');

/** A duration such as `1m2.5s`, `350ms` or `6 seconds`, in milliseconds; undefined when it is none. */
export function durationMsOf(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(PARTS)) sum += Number(count) * unitMsOf(unit);
  return waitMsOf(sum);
}

/** The wait that the message of a failure states; undefined when it states none. */
export function statedWaitMs(message: string | undefined): number | undefined {
  const [, duration] = STATED_WAIT.exec(message ?? '') ?? [];
  return duration === undefined ? undefined : durationMsOf(duration);
}

/**
 * A wait in whole milliseconds. One that is longer than a timer can wait, some 24 days, is cut to that: a timer that is
 * told more fires at once. What is negative or no number is no wait.
 */
export function waitMsOf(ms: number): number | undefined {
  return ms >= 0 ? Math.min(Math.round(ms), MAX_TIMER_MS) : undefined;
}

function unitMsOf(unit: string): number {
  return UNITS_MS.find(([form]) => form.test(unit))?.[1] ?? 0;
}
