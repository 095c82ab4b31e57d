import fc from 'fast-check';
import { lastNotAfter } from '../../src/lastNotAfter';

describe('lastNotAfter', () => {
  it('is the place before the first that is greater', () => {
    const ascending = fc.array(fc.integer({ min: -20, max: 20 })).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(ascending, fc.integer({ min: -25, max: 25 }), (list, value) => {
        expect(lastNotAfter(list, value)).toBe(Math.max(0, list.filter((number) => number <= value).length - 1));
      }),
    );
  });

  it('is 0 in an empty list', () => {
    expect(lastNotAfter([], 1)).toBe(0);
  });
});
