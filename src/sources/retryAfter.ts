import { asyncScheduler } from 'rxjs';
import { durationMsOf, waitMsOf } from '../duration';
import { httpDateMsOf } from './httpDate';

/** Numbers from here on are no seconds from now: times of the clock, in seconds and in milliseconds. */
const FIRST_TIME = 1e9;
const FIRST_TIME_MS = 1e12;

/**
 * How long the service asks to wait, in whole milliseconds: `retry-after-ms`, else `retry-after` in seconds, with decimals
 * too, or as a date in any of its three forms. A date is compared with the `date` of the response, by the same clock, and
 * where there is none with the clock here. What is no time, or a date that is over, tells nothing.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#field.retry-after}
 */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const exact = numberOf(headers.get('retry-after-ms'));
  if (exact !== undefined) return waitMsOf(exact);
  const value = headers.get('retry-after');
  const seconds = numberOf(value);
  if (seconds !== undefined || value === null) return seconds === undefined ? undefined : waitMsOf(seconds * 1000);
  const now = nowOf(headers);
  const date = httpDateMsOf(value, now);
  return date === undefined ? undefined : waitMsOf(date - now);
}

/**
 * How long until every limit of which nothing is left begins anew, in whole milliseconds: a header that is named
 * `…ratelimit…remaining…` is 0, and the one that has `reset` in its place says when. It is a duration (OpenAI: `1m2.5s`),
 * a time (Anthropic: RFC 3339), seconds, or seconds or milliseconds since 1970. A limit that is not spent says nothing of
 * this failure; a reset that is over, or 0 as Azure has it, says nothing of the wait.
 */
export function resetMsOf(headers: Headers): number | undefined {
  const now = nowOf(headers);
  const waits = [...headers].flatMap(([name, value]) => {
    if (!/ratelimit.*remaining/.test(name) || numberOf(value) !== 0) return [];
    return untilReset(headers.get(name.replace('remaining', 'reset')) ?? '', now) ?? [];
  });
  const longest = Math.max(0, ...waits);
  return longest > 0 ? longest : undefined;
}

function untilReset(value: string, now: number): number | undefined {
  const count = numberOf(value);
  if (count !== undefined) {
    if (count >= FIRST_TIME_MS) return waitMsOf(count - now);
    return waitMsOf(count >= FIRST_TIME ? count * 1000 - now : count * 1000);
  }
  return /^\d{4}-\d\d-\d\dT/.test(value) ? waitMsOf(Date.parse(value) - now) : durationMsOf(value);
}

/** By the clock of the service where it says it: it need not agree with the one here. */
function nowOf(headers: Headers): number {
  const now = asyncScheduler.now();
  return httpDateMsOf(headers.get('date') ?? '', now) ?? now;
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,30}(\.\d{1,30})?\s*$/.test(value) ? Number(value) : undefined;
}
