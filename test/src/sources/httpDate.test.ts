import { httpDateMsOf } from '../../../src/sources/httpDate';

const NOW = Date.UTC(2026, 10, 30);
const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('httpDateMsOf()', () => {
  it.each([
    ['as it is written today', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['as RFC 850 has it', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['as asctime of C prints it', 'Sun Nov  6 08:49:37 1994'],
    ['in any case of letters', 'SUN, 06 nov 1994 08:49:37 gmt'],
    ['with the other name of the zone', 'Sun, 06 Nov 1994 08:49:37 UTC'],
    ['with spaces around it', ' Sun, 06 Nov 1994 08:49:37 GMT '],
  ])('reads a date %s', (_form, text) => {
    expect(httpDateMsOf(text, NOW)).toBe(MOMENT);
  });

  it('reads every month', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const dates = months.map((month) => httpDateMsOf(`Mon, 01 ${month} 2026 00:00:00 GMT`, NOW));
    expect(dates).toEqual(months.map((_month, index) => Date.UTC(2026, index, 1)));
  });

  it.each([
    ['26', 2026],
    ['00', 2000],
    ['76', 2076],
    ['77', 1977],
    ['99', 1999],
  ])('takes the year %s for %d: two digits are at most 50 years ahead', (year, full) => {
    expect(httpDateMsOf(`Monday, 01-Jan-${year} 00:00:00 GMT`, NOW)).toBe(Date.UTC(full, 0, 1));
  });

  it.each([
    '',
    'soon',
    '5',
    '2026-11-30T00:00:00Z',
    'Sun, 06 Nov 1994',
    'Sun, 06 Abc 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('%p is none', (text) => {
    expect(httpDateMsOf(text, NOW)).toBeUndefined();
  });
});
