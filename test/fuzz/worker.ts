/** Reads damaged streams in a process of its own, so that one that never ends can be given up. */
import { failuresOf, type Failure } from './failure';
import { kindOf } from './smallestCase';
import { allSamples } from './samples';

/** Seeds of one sample. */
export interface Batch {
  readonly sample: string;
  readonly firstSeed: number;
  readonly count: number;
}

/** Before each case its seed, and after the batch what was found. */
export type Report = { readonly seed: number } | { readonly failures: readonly Failure[] };

const samples = new Map(allSamples().map((sample) => [sample.name, sample]));
const known = new Set<string>();

process.on('message', ({ sample, firstSeed, count }: Batch) => {
  const failures: Failure[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    report({ seed });
    failures.push(...failuresOf(samples.get(sample)!, seed, (kind) => known.has(kind)));
    for (const { fault } of failures) known.add(kindOf(fault));
  }
  report({ failures });
});

function report(message: Report): void {
  process.send!(message);
}
