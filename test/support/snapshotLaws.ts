import { Subject } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  isModelStreamError,
  ModelStreamError,
  type ModelEvent,
  type Snapshot,
} from 'rx-model-stream';
import { differenceBetween } from '../../src/testing/contract/difference';
import { responsesIn } from '../../src/testing/contract/eventLaws';
import { blocksOf } from './foldedBlocks';
import type { Reading } from './frames';

/** The fold keeps what did not change, changes no snapshot it gave out, and ends with what a plain loop says. */
export function checkSnapshots({ events, error }: Reading): void {
  const source = new Subject<ModelEvent>();
  const given: { readonly snapshot: Snapshot; readonly text: string }[] = [];
  let last: Snapshot = emptySnapshot;
  let failure: unknown;
  source.pipe(accumulateBlocks()).subscribe({
    next: (snapshot) => {
      last = snapshot;
    },
    error: (reported: unknown) => {
      failure = reported;
    },
  });
  for (const event of events) {
    const before = last;
    source.next(event);
    if (last === before) continue;
    given.push({ snapshot: last, text: JSON.stringify(last) });
    const touched = 'index' in event ? event.index : undefined;
    const kept = event.type === 'response-start' ? [] : before.blocks; // it begins a new snapshot
    const moved = kept.filter((block, index) => index !== touched && block !== last.blocks[index]);
    expect(moved).toEqual([]);
  }
  expect(given.filter(({ snapshot, text }) => JSON.stringify(snapshot) !== text)).toEqual([]);

  const responses = responsesIn(events).filter((said) => said.some(({ type }) => type === 'response-start'));
  const said = responses.at(-1) ?? [];
  const start = said.find((event) => event.type === 'response-start');
  const finish = said.find((event) => event.type === 'finish');
  const blocks = blocksOf(said);
  const ended = finish?.reason === 'error' ? 'failed' : 'complete';
  const ordinal = Math.max(0, responses.length - 1);
  expect(last).toMatchObject({ status: finish ? ended : start ? 'streaming' : 'idle', ordinal });
  expect(differenceBetween(last.blocks, blocks)).toBeUndefined();
  expect([last.provider, last.responseId, last.model]).toEqual([start?.provider, start?.responseId, start?.model]);
  expect([last.finishReason, last.rawFinishReason]).toEqual([finish?.reason, finish?.rawReason]);
  expect(last.turn).toBe(finish?.turn);
  expect(last.usage).toBe(said.filter((event) => event.type === 'usage').at(-1)?.usage);
  if (error === undefined) return;
  source.error(new ModelStreamError('network', 'Connection was reset'));
  expect(isModelStreamError(failure) && failure.snapshot).toMatchObject({ status: finish ? ended : 'failed' });
  expect(differenceBetween(isModelStreamError(failure) && failure.snapshot?.blocks, blocks)).toBeUndefined();
}
