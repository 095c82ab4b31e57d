import { map } from 'rxjs';
import { resetMsOf, retryAfterMsOf } from '../../../src/sources/retryAfter';
import { marbles } from '../../support/marbles';

type Fields = Readonly<Record<string, string>>;

const waitOf = (fields: Fields): number | undefined => retryAfterMsOf(new Headers(fields));
const resetOf = (fields: Fields): number | undefined => resetMsOf(new Headers(fields));

/** What the service takes for now. */
const DATE = { date: 'Mon, 30 Nov 2026 08:00:00 GMT' };
const MAX_TIMER_MS = 2 ** 31 - 1;

describe('retryAfterMsOf()', () => {
  it('reads seconds', () => {
    expect(waitOf({ 'retry-after': '3' })).toBe(3000);
    expect(waitOf({ 'retry-after': '0' })).toBe(0);
    expect(waitOf({ 'retry-after': '1.5' })).toBe(1500);
    expect(waitOf({ 'retry-after': ' 2 ' })).toBe(2000);
  });

  it('reads milliseconds, which are more exact, first', () => {
    expect(waitOf({ 'retry-after-ms': '120', 'retry-after': '3' })).toBe(120);
    expect(waitOf({ 'retry-after-ms': '120.6' })).toBe(121);
    expect(waitOf({ 'retry-after-ms': '0', 'retry-after': '3' })).toBe(0);
    expect(waitOf({ 'retry-after-ms': 'soon', 'retry-after': '3' })).toBe(3000);
    expect(waitOf({ 'retry-after-ms': '-1', 'retry-after': '3' })).toBe(3000);
  });

  it.each(['Mon, 30 Nov 2026 08:00:12 GMT', 'Monday, 30-Nov-26 08:00:12 GMT', 'Mon Nov 30 08:00:12 2026'])(
    'reads a date, by the clock of the service: %s',
    (date) => {
      expect(waitOf({ ...DATE, 'retry-after': date })).toBe(12_000);
    },
  );

  it.each<[string, Fields]>([
    ['the service does not say its time', {}],
    ['the service says nothing that is a time', { date: 'today' }],
  ])('reads a date, by the clock of RxJS where %s', (_what, fields) => {
    marbles(({ cold, expectObservable }) => {
      // Virtual time begins in 1970.
      const headers = cold('5s h', { h: new Headers({ ...fields, 'retry-after': 'Thu, 01 Jan 1970 00:00:12 GMT' }) });
      const wait = '        5s w';
      expectObservable(headers.pipe(map(retryAfterMsOf))).toBe(wait, { w: 7000 });
    })();
  });

  it('says nothing of a date in the past', () => {
    expect(waitOf({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBeUndefined();
    expect(waitOf({ ...DATE, 'retry-after': 'Mon, 30 Nov 2026 07:59:59 GMT' })).toBeUndefined();
  });

  it('knows that a date which is now needs no wait', () => {
    expect(waitOf({ ...DATE, 'retry-after': DATE.date })).toBe(0);
  });

  it('cuts what is longer than a timer can wait', () => {
    expect(waitOf({ 'retry-after': '9999999999' })).toBe(MAX_TIMER_MS);
    expect(waitOf({ 'retry-after': '9'.repeat(30) })).toBe(MAX_TIMER_MS);
    expect(waitOf({ 'retry-after-ms': '1'.repeat(20) })).toBe(MAX_TIMER_MS);
    expect(waitOf({ ...DATE, 'retry-after': 'Fri, 30 Nov 2096 08:00:00 GMT' })).toBe(MAX_TIMER_MS);
  });

  it.each(['', 'soon', '-', '-5', '+5', '1e3', 'NaN', 'Infinity', '12 seconds', '0x10', '5, 5', '9'.repeat(400)])(
    'says nothing of %p, which is neither',
    (value) => {
      expect(waitOf({ 'retry-after': value })).toBeUndefined();
      expect(waitOf({ 'retry-after-ms': value })).toBeUndefined();
    },
  );

  it('says nothing where nothing is said', () => {
    expect(waitOf({})).toBeUndefined();
  });
});

describe('resetMsOf()', () => {
  it.each<[string, Fields, number]>([
    ['a duration', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m2.5s' }, 62_500],
    ['a short duration', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '12ms' }, 12],
    [
      'a time of RFC 3339',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-30T08:00:07Z',
      },
      7000,
    ],
    ['a number of seconds', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '11.38' }, 11_380],
    ['seconds since 1970', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796025605' }, 5000],
    ['milliseconds since 1970', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796025605250' }, 5250],
    ['a limit of the draft', { 'ratelimit-remaining': '0', 'ratelimit-reset': '3' }, 3000],
  ])('reads %s', (_form, fields, ms) => {
    expect(resetOf({ ...DATE, ...fields })).toBe(ms);
  });

  it('looks only at limits of which nothing is left', () => {
    const requests = { 'x-ratelimit-remaining-requests': '7', 'x-ratelimit-reset-requests': '1h' };
    const tokens = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '2s' };
    expect(resetOf(requests)).toBeUndefined();
    expect(resetOf({ ...requests, ...tokens })).toBe(2000);
  });

  it('takes the longest of several: the request needs all of them', () => {
    const requests = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' };
    const tokens = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '2s' };
    expect(resetOf({ ...requests, ...tokens })).toBe(360_000);
  });

  it.each<[string, Fields]>([
    ['no reset', { 'x-ratelimit-remaining': '0' }],
    ['a reset that is over', { ...DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796025599' }],
    ['a reset of 0', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }],
    ['a reset that is none', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }],
    ['a date that is none', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-99-99T99:99:99Z' }],
    ['a negative reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '-1' }],
    ['a remainder of -1', { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '5' }],
    ['no remainder', { 'x-ratelimit-reset': '5' }],
    ['another header that is 0', { 'content-length': '0', 'x-ratelimit-limit': '0', 'x-ratelimit-reset': '5' }],
    ['nothing', {}],
  ])('says nothing where there is %s', (_what, fields) => {
    expect(resetOf(fields)).toBeUndefined();
  });

  it('cuts what is longer than a timer can wait', () => {
    expect(resetOf({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9'.repeat(20) })).toBe(MAX_TIMER_MS);
  });
});
