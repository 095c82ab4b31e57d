/** Tries the cuts of one stream after another, as the process that started this one asks for them. */
import { allSamples } from '../support/samples';
import { tryCuts, type CutOptions } from './tryCuts';

/** The cuts of one stream. */
export interface CutTask {
  readonly name: string;
  readonly options: CutOptions;
}

Error.stackTraceLimit = 0; // a million errors are made, and nobody reads their stacks

const samples = new Map(allSamples().map((sample) => [sample.name, sample]));

process.on('message', ({ name, options }: CutTask) => {
  process.send?.(tryCuts(samples.get(name)!, options));
});
