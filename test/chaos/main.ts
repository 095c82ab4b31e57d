/** Streams many answers at once from a service that goes wrong in many ways. See CONTRIBUTING.md. */
import { parseArgs } from 'node:util';
import { createProgress } from '../support/progress';
import { planOf } from './plan';
import { playStreams, SILENCE_MS } from './playStreams';

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '500' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
});

const first = Number(options.seed ?? options.from);
const count = options.seed === undefined ? Number(options.streams) : 1;
const seeds = Array.from({ length: count }, (_, place) => first + place);
if (count === 1) console.log(JSON.stringify({ ...planOf(first), service: planOf(first).service.name }));

const progress = createProgress(process.stdout, seeds.length);
const start = performance.now();
const { streams, whole, failed, requests, restarts, faults, left } = await playStreams(seeds, SILENCE_MS, (done) => {
  progress.show(done, 0);
});
progress.end();

for (const { seed, fault, plan } of faults) console.log(`${fault}\n  ${plan}\n  npm run chaos -- --seed ${seed}`);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(`${streams} streams at once in ${seconds} s: ${requests} requests, ${restarts} restarts`);
console.log(`${whole} whole answers, ${failed} failures, ${faults.length} of them wrong`);
console.log(
  `left behind: ${Object.entries(left)
    .map(([kind, number]) => `${number} ${kind}`)
    .join(', ')}`,
);
if (faults.length > 0 || Object.values(left).some((number) => number > 0)) process.exitCode = 1;
