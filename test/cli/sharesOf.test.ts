import fc from 'fast-check';
import { sharesOf } from '../../src/cli/sharesOf';

describe('sharesOf', () => {
  const anyNeeds = fc.array(fc.nat(50), { minLength: 1, maxLength: 6 });

  it('gives each what it needs where there is enough', () => {
    fc.assert(
      fc.property(anyNeeds, (needs) => {
        const sum = needs.reduce((total, need) => total + need, 0);
        expect(sharesOf(needs, sum)).toEqual(needs);
        expect(sharesOf(needs, Infinity)).toEqual(needs);
      }),
    );
  });

  it('gives nobody less than its part unless it needs less, and no more in all than there is', () => {
    fc.assert(
      fc.property(anyNeeds, fc.nat(100), (needs, available) => {
        const shares = sharesOf(needs, available);
        expect(shares.reduce((total, share) => total + share, 0)).toBeLessThanOrEqual(available);
        const part = Math.floor(available / needs.length);
        for (const [index, share] of shares.entries())
          expect(share).toBeGreaterThanOrEqual(Math.min(part, needs[index]!));
      }),
    );
  });
});
