import { of, toArray } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  errorAsEvent,
  normalize,
  withUsage,
  type Block,
  type Snapshot,
} from 'rx-model-stream';
import type { Answer } from '../../src/cli/answer';
import { services } from '../../src/cli/services';
import { fixturesOf, framingOf, type WireSample } from '../support/fixtures';

/** Everything that the hand-written streams let a model say, as it grows. */
export const growingAnswers: readonly { readonly name: string; readonly snapshots: readonly Snapshot[] }[] = [
  ...new Map(services.map(({ createProvider }) => [createProvider().name, createProvider()])),
].flatMap(([name, provider]) =>
  fixturesOf(name).map((sample) => ({
    name: `${name}/${sample.name}`,
    snapshots: snapshotsOf(sample, provider),
  })),
);

function snapshotsOf(sample: WireSample, provider: Parameters<typeof normalize>[0]): readonly Snapshot[] {
  let snapshots: readonly Snapshot[] = [];
  of(sample.bytes())
    .pipe(framingOf(sample)(), normalize(provider), withUsage(), errorAsEvent(), accumulateBlocks(), toArray())
    .subscribe((all) => {
      snapshots = all;
    });
  return snapshots;
}

/** A snapshot as it could have come, with only what a test is about. */
export function snapshotWith(fields: Partial<Snapshot>): Snapshot {
  return { ...emptySnapshot, status: 'streaming', ...fields };
}

export function answerWith(blocks: readonly Block[], fields: Partial<Answer> = {}): Answer {
  return { label: 'Model', snapshot: snapshotWith({ blocks }), askedAt: 0, ...fields };
}
