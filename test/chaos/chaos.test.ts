import { isStall, planOf } from './plan';
import { playStreams } from './playStreams';

const STREAMS = 60;

/** Plans without silence: it takes its time, and `npm run chaos` has it. */
function* quickSeeds(): Generator<number> {
  for (let seed = 0; ; seed += 1) {
    if (!planOf(seed).mishaps.some(isStall)) yield seed;
  }
}

describe('many streams at once, over real connections', () => {
  it(`end as they should, and leave nothing behind: ${STREAMS} of them`, async () => {
    const seeds: number[] = [];
    for (const seed of quickSeeds()) if (seeds.push(seed) === STREAMS) break;
    const { streams, faults, left } = await playStreams(seeds, Infinity);
    expect(streams).toBe(STREAMS);
    expect(faults).toEqual([]);
    expect(left).toEqual({ connections: 0, readers: 0, listeners: 0, timers: 0 });
  }, 30_000);
});
