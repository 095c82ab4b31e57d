/** Damages streams and has every provider read them. See CONTRIBUTING.md. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasCollection } from '../support/shared';
import type { Failure } from './failure';
import { createProgress } from '../support/progress';
import { kindOf } from './smallestCase';
import { allSamples } from './samples';
import type { Batch, Report } from './worker';

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '200000' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  },
});

const BATCH = 50;
/** No case takes a second on an idle machine. */
const HANG_MS = 120_000;

const samples = allSamples().filter(({ name }) => name.includes(options.only));
const batches = options.seed === undefined ? batchesOf(Number(options.cases)) : replayOf(Number(options.seed));
const total = batches.reduce((sum, { count }) => sum + count, 0);
const failures: Failure[] = [];
const progress = createProgress(process.stdout, total);
let done = 0;

/** The seeds from 0 on of each sample, the same number of each. */
function batchesOf(cases: number): Batch[] {
  const seeds = Math.ceil(cases / Math.max(1, samples.length));
  return Array.from({ length: Math.ceil(seeds / BATCH) }, (_, place) => place * BATCH).flatMap((firstSeed) =>
    samples.map(({ name }) => ({ sample: name, firstSeed, count: Math.min(BATCH, seeds - firstSeed) })),
  );
}

function replayOf(seed: number): Batch[] {
  return samples.map(({ name }) => ({ sample: name, firstSeed: seed, count: 1 }));
}

/** Has a process work off what is left, one batch at a time; a case that hangs is given up, and its process with it. */
async function work(): Promise<void> {
  let worker: ChildProcess | undefined;
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    worker ??= fork(resolve('test/fuzz/worker.ts'));
    const hungSeed = await run(worker, batch);
    const end = batch.firstSeed + batch.count;
    const next = hungSeed === undefined ? end : hungSeed + 1;
    if (hungSeed !== undefined) {
      worker.kill('SIGKILL');
      worker = undefined;
      failures.push({ sample: batch.sample, seed: hungSeed, fault: 'does not end, or ends its process', input: '' });
      if (next < end) batches.unshift({ sample: batch.sample, firstSeed: next, count: end - next });
    }
    done += next - batch.firstSeed;
    progress.show(done, failures.length);
  }
  worker?.disconnect();
}

/** The seed that hangs or ends the process; undefined when the batch was worked off. */
function run(worker: ChildProcess, batch: Batch): Promise<number | undefined> {
  return new Promise((settle) => {
    let seed = batch.firstSeed;
    let timer = setTimeout(hang, HANG_MS);
    function hang(): void {
      finish(seed);
    }
    function hear(report: Report): void {
      clearTimeout(timer);
      if ('failures' in report) {
        failures.push(...report.failures);
        finish(undefined);
      } else {
        seed = report.seed;
        timer = setTimeout(hang, HANG_MS);
      }
    }
    function finish(hungSeed: number | undefined): void {
      clearTimeout(timer);
      worker.off('message', hear).off('exit', hang);
      settle(hungSeed);
    }
    worker.on('message', hear).on('exit', hang);
    worker.send(batch);
  });
}

if (!hasCollection) console.log('The collection of recordings is not present: only fixtures are damaged.');
const start = performance.now();
await Promise.all(Array.from({ length: Number(options.workers) }, work));
progress.end();

const kinds = new Set(failures.map(({ fault }) => kindOf(fault)));
for (const kind of kinds) {
  const found = failures.filter(({ fault }) => kindOf(fault) === kind);
  const { sample, seed, fault, input } = found.find((failure) => failure.input !== '') ?? found[0]!;
  console.log(`\n${found.length} × ${kind}\n  ${fault}\n  npm run fuzz -- --seed ${seed} --only ${sample}\n  ${input}`);
}
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `${done} damaged streams of ${samples.length} samples in ${seconds} s, ${failures.length} faults of ${kinds.size} kinds`,
);
if (failures.length > 0) process.exitCode = 1;
