import { asyncScheduler } from 'rxjs';

/**
 * How long the service asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date. What
 * is no time tells nothing, nor does a date in the past: the clocks differ.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#field.retry-after}
 */
export function retryAfterMsOf(headers: Pick<Headers, 'get'>): number | undefined {
  const exact = timeOf(headers.get('retry-after-ms'), 1);
  if (exact !== undefined) return exact;
  const value = headers.get('retry-after');
  const seconds = timeOf(value, 1000);
  if (seconds !== undefined || value === null || !/^\s*[a-z]{3}/i.test(value)) return seconds; // a date begins with its day
  const wait = Date.parse(value) - asyncScheduler.now();
  return wait > 0 ? wait : undefined;
}

function timeOf(value: string | null, unitMs: number): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * unitMs : undefined;
}
