import { failuresOf } from './failure';
import { allSamples } from './samples';

/** Seeds of each sample: `npm run fuzz` has hundreds. */
const SEEDS = 1;

describe('damaged streams', () => {
  it.each(allSamples().map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    for (let seed = 0; seed < SEEDS; seed += 1) expect(failuresOf(sample, seed, () => false)).toEqual([]);
  });
});
