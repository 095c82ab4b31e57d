import { applyEvent, emptySnapshot, type ModelEvent, type Snapshot } from 'rx-model-stream';

/** What the events build in the end, as plain data to compare. */
export function lastSnapshotOf(events: readonly ModelEvent[]): unknown {
  const last = events.reduce<Snapshot>(applyEvent, emptySnapshot);
  return JSON.parse(JSON.stringify({ ...last, blocks: last.blocks }));
}
