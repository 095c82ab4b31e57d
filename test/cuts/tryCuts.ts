import type { Sample } from '../support/samples';
import { isOtherCall } from './growth';
import { uncutOf, type Outcome } from './judge';
import { placesOf } from './places';
import { wireOf, type Ending, type Wire } from './readCut';
import { undecidedBy } from './undecided';

/** One cut, enough to try it again. */
export interface Cut {
  readonly name: string;
  readonly at: number;
  readonly ending: Ending;
}

export interface Failure extends Cut {
  readonly outcome: 'silent' | 'wrong';
  readonly reason: string;
}

/** Which cuts are tried. */
export interface CutOptions {
  readonly seed: number;
  /** Only here. Default everywhere. */
  readonly places?: readonly number[];
  /** Only so. Default in every way. */
  readonly ending?: Ending;
}

/** What came of the cuts of one stream. */
export interface CutReport {
  readonly name: string;
  readonly cuts: number;
  readonly whole: number;
  readonly part: number;
  /** Where the wire does not tell an ending from a cut. */
  readonly undecided: number;
  readonly failures: readonly Failure[];
  /** How often the stream itself took back what it had said. */
  readonly rewritings: number;
}

export function tryCuts(sample: Sample, options: CutOptions): CutReport {
  const wire = wireOf(sample);
  const { name } = sample;
  const uncut = uncutOf(wire);
  const counts = { whole: 0, part: 0, undecided: 0 };
  const failures: Failure[] = [];
  let cuts = 0;
  for (const cut of cutsOf(wire, options)) {
    cuts += 1;
    const { outcome, reason = '' } = uncut.judge(wire.read(cut.at, cut.ending));
    const counted = countedAs(outcome, name);
    if (counted) counts[counted] += 1;
    else failures.push({ ...cut, outcome: outcome === 'ended' ? 'silent' : 'wrong', reason });
  }
  for (const { before } of uncut.rewritings.filter(isOtherCall)) {
    const reason = `call ${JSON.stringify(before)} was whole, and then another one`;
    failures.push({ name, at: wire.length, ending: wire.endings[0]!, outcome: 'wrong', reason });
  }
  return { name, cuts, ...counts, failures, rewritings: uncut.rewritings.length };
}

/** How many cuts would be tried. */
export function countCuts(sample: Sample, { seed }: CutOptions): number {
  const wire = wireOf(sample);
  return placesOf(wire, seed).length * wire.endings.length;
}

function* cutsOf(wire: Wire, { seed, places, ending }: CutOptions): Generator<Cut> {
  const endings = ending === undefined ? wire.endings : [ending];
  for (const at of places ?? placesOf(wire, seed)) {
    for (const end of endings) yield { name: wire.sample.name, at, ending: end };
  }
}

function countedAs(outcome: Outcome, name: string): 'whole' | 'part' | 'undecided' | undefined {
  if (outcome === 'whole' || outcome === 'part') return outcome;
  return outcome === 'ended' && undecidedBy(name) !== undefined ? 'undecided' : undefined;
}
