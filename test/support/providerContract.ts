import { isModelStreamError, type Provider } from 'rx-model-stream';
import { providerContract, type ContractStream, type UnknownPayloads } from 'rx-model-stream/testing';
import { framingOf, type WireSample } from './fixtures';
import { framesIn, readBody, readFrames } from './frames';
import { hasCollection } from './shared';
import { checkSnapshots } from './snapshotLaws';

/** What the suite has to know of a provider. */
export interface Contract {
  readonly create: () => Provider;
  /** Checked at every place. */
  readonly fixtures: readonly WireSample[];
  /** Checked at some places, the same ones every time: they are long. */
  readonly recordings?: readonly WireSample[];
  readonly keepAlives: readonly unknown[];
  readonly unknowns: readonly UnknownPayloads[];
}

/** At how many places of a recording something is put in or cut off. */
const SAMPLED_PLACES = 14;

/** The contract that is public, over all of a provider's samples, and what becomes of their events. */
export function describeProviderContract(name: string, contract: Contract): void {
  const { create, fixtures, recordings = [], keepAlives, unknowns } = contract;
  const streams = [
    ...fixtures.map((sample) => streamOf(create, sample)),
    ...recordings.map((sample) => streamOf(create, sample, SAMPLED_PLACES)),
  ];
  const tests = providerContract(create, { streams, keepAlives, unknowns });

  describe(`${name} keeps the provider contract`, () => {
    if (recordings.length === 0 && !hasCollection) it.skip('recordings skipped: none are there', () => {});

    describe.each([...new Set(tests.map(({ law }) => law))])('%s', (law) => {
      for (const { stream, check } of tests.filter((test) => test.law === law)) it(stream, check);
    });

    describe('folds into snapshots that say what the events say', () => {
      it.each([...fixtures, ...recordings].map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
        checkSnapshots(readFrames(create(), framesIn(framingOf(sample), sample.bytes())));
      });
    });
  });
}

/** The sample, read when it is checked. How it ends is what it is seen to: other tests say how it has to. */
function streamOf(create: () => Provider, sample: WireSample, maxPlaces = Infinity): ContractStream {
  const framing = framingOf(sample);
  return {
    name: sample.name,
    maxPlaces,
    framing: framing(),
    get body() {
      return sample.bytes();
    },
    get fails() {
      const { error } = readBody(create(), framing, [sample.bytes()]);
      return isModelStreamError(error) ? error.code : undefined;
    },
  };
}
