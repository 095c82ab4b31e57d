import { map } from 'rxjs';
import { retryAfterMsOf } from '../../../src/sources/retryAfter';
import { marbles } from '../../support/marbles';

const waitOf = (headers: Record<string, string>): number | undefined => retryAfterMsOf(new Headers(headers));

describe('retryAfterMsOf()', () => {
  it('reads seconds', () => {
    expect(waitOf({ 'retry-after': '3' })).toBe(3000);
    expect(waitOf({ 'retry-after': '0' })).toBe(0);
    expect(waitOf({ 'retry-after': '1.5' })).toBe(1500);
  });

  it('reads milliseconds, which are more exact, first', () => {
    expect(waitOf({ 'retry-after-ms': '120', 'retry-after': '3' })).toBe(120);
    expect(waitOf({ 'retry-after-ms': 'soon', 'retry-after': '3' })).toBe(3000);
  });

  it(
    'reads a date, by the clock of RxJS',
    marbles(({ cold, expectObservable }) => {
      // Virtual time begins in 1970.
      const headers = cold('5s h', { h: new Headers({ 'retry-after': 'Thu, 01 Jan 1970 00:00:12 GMT' }) });
      const wait = '        5s w';
      expectObservable(headers.pipe(map(retryAfterMsOf))).toBe(wait, { w: 7000 });
    }),
  );

  it('says nothing of a date in the past: the clocks differ', () => {
    expect(waitOf({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBeUndefined();
  });

  it.each(['', 'soon', '-', '-5', '1e3', 'NaN', 'Infinity', '12 seconds', '0x10'])(
    'says nothing of %p, which is neither',
    (value) => {
      expect(waitOf({ 'retry-after': value })).toBeUndefined();
    },
  );

  it('says nothing where nothing is said', () => {
    expect(waitOf({})).toBeUndefined();
  });
});
