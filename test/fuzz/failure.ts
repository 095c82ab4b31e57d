import { kindOf, smallestCase } from './smallestCase';
import { faultsOf } from './faults';
import { fuzzCase, type FuzzCase } from './fuzzCase';
import type { Sample } from './samples';

/** A stream that its reader did not stand. */
export interface Failure {
  readonly sample: string;
  readonly seed: number;
  readonly fault: string;
  /** Who reads what, and the smallest such stream that was found. */
  readonly input: string;
}

/** The faults of one case, the smallest input for the first of a kind. */
export function failuresOf(sample: Sample, seed: number, isKnown: (kind: string) => boolean): Failure[] {
  const damaged = fuzzCase(sample, seed);
  return faultsOf(damaged).map((fault) => {
    const input = isKnown(kindOf(fault)) ? '' : inputOf(smallestCase(damaged, fault));
    return { sample: sample.name, seed, fault, input };
  });
}

const MAX_SHOWN_LENGTH = 2000;

function inputOf({ provider, framing, pieces, maxFrameBytes }: FuzzCase): string {
  const shown = pieces.map((piece) => JSON.stringify(Buffer.from(piece).toString('latin1'))).join(', ');
  const session = provider.session ? ', session' : '';
  const text = shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH)} …` : shown;
  return `${provider.name}${session}, ${framing}, maxFrameBytes ${maxFrameBytes}, bytes as Latin-1: ${text}`;
}
