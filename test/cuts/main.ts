/** Cuts every stream there is at every place, and says what became of it. `--help` tells the options. */
import { parseArgs } from 'node:util';
import { inProcesses } from '../support/inProcesses';
import { createProgress } from '../support/progress';
import { hasCollection } from '../support/shared';
import { allSamples, type Sample } from '../support/samples';
import { wireOf, type Ending } from './readCut';
import { summaryOf } from './report';
import { countCuts, tryCuts, type CutOptions, type CutReport } from './tryCuts';
import type { CutTask } from './worker';

const HELP = `npm run cuts -- [--only <part of a name>] [--at <place>] [--ending <ending>] [--seed <number>]

  --only     streams whose file has this in its name; default all fixtures and recordings
  --at       one place: a number of bytes, or of messages of a socket; default everywhere
  --ending   eof, reset, or "close 1006" of a socket; default all of them
  --seed     of the places at which long bodies are cut; default 1`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      at: { type: 'string' },
      ending: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const samples = allSamples().filter(({ name }) => name.includes(values.only));
  if (samples.length === 0) throw new Error(`No stream has "${values.only}" in its name`);
  if (!hasCollection) console.log('The collection of recordings is not present: only fixtures are cut.');
  const options: CutOptions = { seed: Number(values.seed) };
  const reports =
    values.at === undefined
      ? await tryEverywhere(samples, options)
      : samples.map((sample) => tryAt(sample, options, Number(values.at), values.ending as Ending | undefined));
  console.log(summaryOf(reports, options.seed));
  if (reports.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

/** The largest first, so that no thread is left with one at the end. */
async function tryEverywhere(samples: readonly Sample[], options: CutOptions): Promise<CutReport[]> {
  const counted = samples.map((sample) => ({ name: sample.name, cuts: countCuts(sample, options) }));
  counted.sort((a, b) => b.cuts - a.cuts);
  const tasks = counted.map(({ name }): CutTask => ({ name, options }));
  const total = counted.reduce((sum, { cuts }) => sum + cuts, 0);
  const progress = createProgress(process.stdout, total);
  const reports: CutReport[] = [];
  let done = 0;
  let failures = 0;
  await inProcesses(new URL('./worker.ts', import.meta.url), tasks, (result) => {
    const report = result as CutReport;
    reports.push(report);
    failures += report.failures.length;
    done += report.cuts;
    progress.show(done, failures);
  });
  progress.end();
  return reports;
}

/** One place, in full: what was told, and how it ended. */
function tryAt(sample: Sample, options: CutOptions, at: number, ending: Ending | undefined): CutReport {
  const wire = wireOf(sample);
  for (const end of ending === undefined ? wire.endings : [ending]) {
    const { snapshot, error } = wire.read(at, end);
    console.log(sample.name, 'cut at', at, 'by', end);
    console.dir({ snapshot, error }, { depth: 6 });
  }
  return tryCuts(sample, { ...options, places: [at], ...(ending !== undefined && { ending }) });
}

await main();
