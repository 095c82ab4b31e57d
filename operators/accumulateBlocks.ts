import type { OperatorFunction } from 'rxjs';
import { applyEvent, withStatus } from '../src/applyEvent';
import { isModelStreamError, withDetails } from '../src/errors';
import type { ModelEvent } from '../src/events';
import { fromStage } from '../src/fromStage';
import { emptySnapshot, type Snapshot } from '../src/snapshot';
import type { Stage } from '../src/stage';

/**
 * Folds events into immutable snapshots a view can draw: one snapshot for each event that changes something.
 *
 * 1. A snapshot never changes; a block that did not change is the same object in the next one.
 * 2. A snapshot costs nearly the same with 10 and with 100,000 blocks, as long as its `blocks` are not read.
 * 3. `response-start` begins a new snapshot, and in a session the next `ordinal`; `restart` begins the same one anew.
 * 4. When the source completes without an ending, as behind a `takeUntil`, a last snapshot says `stopped`.
 * 5. A failure is reported as a copy that carries the snapshot so far as `snapshot`: partial text and usage are never
 *    lost. Errors that are no `ModelStreamError` pass unchanged.
 *
 * ```text
 * events      --a--b--c--|     a = response-start, b = text-delta 'Hi', c = finish
 * snapshots   --x--y--z--|     x = streaming, y = streaming with 'Hi', z = complete
 * ```
 *
 * Fails with `malformed` when an event does not fit its block: the events of two models were merged. Accumulate each
 * first, then merge.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 * @returns An operator that emits snapshots as events arrive.
 *
 * @example From events to what a view shows
 * ```ts
 * import { of } from 'rxjs';
 * import { accumulateBlocks, textOf, type ModelEvent } from 'rx-model-stream';
 *
 * const events: ModelEvent[] = [
 *   { type: 'response-start', provider: 'demo' },
 *   { type: 'text-delta', index: 0, text: 'Hel' },
 *   { type: 'text-delta', index: 0, text: 'lo' },
 *   { type: 'finish', reason: 'stop' },
 * ];
 * of(...events).pipe(accumulateBlocks()).subscribe((snapshot) => console.log(snapshot.status, textOf(snapshot)));
 * // streaming, streaming Hel, streaming Hello, complete Hello
 * ```
 *
 * @see {@link applyEvent}, the fold itself
 */
export function accumulateBlocks<Turn>(): OperatorFunction<ModelEvent<Turn>, Snapshot<Turn>> {
  return fromStage<ModelEvent<Turn>, Snapshot<Turn>>(createAccumulator);
}

function createAccumulator<Turn>(): Stage<ModelEvent<Turn>, Snapshot<Turn>> {
  let snapshot: Snapshot<Turn> = emptySnapshot;

  /** Whether the response has its ending already: what fails afterwards is the session. */
  function isEnded(): boolean {
    return snapshot.status !== 'idle' && snapshot.status !== 'streaming';
  }

  function withSnapshot(error: unknown): unknown {
    if (!isModelStreamError(error)) return error;
    return withDetails(error, { snapshot: isEnded() ? snapshot : withStatus(snapshot, 'failed', error) });
  }

  return {
    push(event, emit) {
      let next: Snapshot<Turn>;
      try {
        next = applyEvent(snapshot, event);
      } catch (error) {
        throw withSnapshot(error);
      }
      if (next === snapshot) return;
      snapshot = next;
      emit(snapshot);
    },
    end(emit) {
      if (!isEnded()) emit(withStatus(snapshot, 'stopped'));
    },
    fail(error) {
      throw withSnapshot(error);
    },
  };
}
