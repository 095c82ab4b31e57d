import { durationMsOf, statedWaitMs, waitMsOf } from '../../src/duration';

const DAY_MS = 86_400_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

describe('durationMsOf()', () => {
  it.each([
    ['0s', 0],
    ['12ms', 12],
    ['1.5ms', 2],
    ['1s', 1000],
    ['34.074824224s', 34_075],
    ['6m0s', 360_000],
    ['1m2.5s', 62_500],
    ['2h47m56.584s', 10_076_584],
    ['24h0m0s', DAY_MS],
    ['1d', DAY_MS],
    ['1S', 1000],
    ['1 second', 1000],
    ['35 seconds', 35_000],
    ['2 minutes', 120_000],
    ['1 hour 5 mins', 3_900_000],
    ['20 milliseconds', 20],
  ])('%s', (text, ms) => {
    expect(durationMsOf(text)).toBe(ms);
  });

  it.each([
    '',
    '5',
    's',
    '-1s',
    '+1s',
    '1e3s',
    '1.s',
    '.5s',
    '1s later',
    'in 1s',
    '1mb',
    '1month',
    '1 s  2',
    'NaN',
    '∞s',
  ])('%p is none', (text) => {
    expect(durationMsOf(text)).toBeUndefined();
  });

  it('reads text of any length in linear time', () => {
    expect(durationMsOf('1'.repeat(1_000_000))).toBeUndefined();
    expect(durationMsOf(`${'1s'.repeat(500_000)}!`)).toBeUndefined();
    expect(durationMsOf(`${' '.repeat(1_000_000)}s`)).toBeUndefined();
  });
});

describe('statedWaitMs() reads in a message', () => {
  it.each([
    ['Rate limit reached for m. Please try again in 1.2s. See the documentation', 1200],
    ['Rate limit reached on tokens. Please try again in 350ms. See the documentation', 350],
    ['Rate limit reached on requests. Please try again in 1m2.5s.', 62_500],
    ['You exceeded your quota.\nPlease retry in 34.07s.', 34_070],
    ['Please retry in 2h47m56.584147483s.', 10_076_584],
    ['The token rate limit is exceeded. Please retry after 6 seconds.', 6000],
    ['Please retry after 1 second', 1000],
    ['RATE LIMIT EXCEEDED. TRY AGAIN IN 35 SECONDS.', 35_000],
    ['Retry after 57s, resets soon', 57_000],
  ])('%p', (message, ms) => {
    expect(statedWaitMs(message)).toBe(ms);
  });

  it.each([
    [undefined],
    [''],
    ['Slow down'],
    ['Please try again later'],
    ['Please try again in a moment'],
    ['Please retry after 2026-12-01'],
    ['Please retry in 5'],
    ['Please retry in -5s'],
    ['It took 3s. Please retry'],
    ['A retry in a 5s window'],
    ['country in 5s'],
    ['try again in 5mb'],
  ])('nothing in %p', (message) => {
    expect(statedWaitMs(message)).toBeUndefined();
  });

  it('in linear time', () => {
    expect(statedWaitMs('retry in '.repeat(200_000))).toBeUndefined();
    expect(statedWaitMs(`retry in ${'1s '.repeat(300_000)}`)).toBe(MAX_TIMER_MS < 3e8 ? MAX_TIMER_MS : 3e8);
  });
});

describe('waitMsOf()', () => {
  it('rounds to whole milliseconds', () => {
    expect([0, 0.4, 0.5, 1200.00001].map(waitMsOf)).toEqual([0, 0, 1, 1200]);
  });

  it('cuts what is longer than a timer can wait', () => {
    expect([MAX_TIMER_MS, MAX_TIMER_MS + 1, 1e300, Infinity].map(waitMsOf)).toEqual(Array(4).fill(MAX_TIMER_MS));
  });

  it('knows no wait that is negative or no number', () => {
    expect([-1, -0.001, -Infinity, NaN].map(waitMsOf)).toEqual(Array(4).fill(undefined));
  });
});
