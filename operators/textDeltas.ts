import type { OperatorFunction } from 'rxjs';
import type { ModelEvent } from '../src/events';
import { fromStage } from '../src/fromStage';
import { createSelection, type SelectionOptions } from '../src/selection';

/**
 * Picks the text of the answer, piece by piece.
 *
 * 1. Joined, the pieces are the text blocks of one alternative in the order in which they grew.
 * 2. Text that was handed out cannot be taken back: after it a `restart` fails with its cause.
 *
 * ```text
 * events   --s--a--b--f|      a, b = text-delta 'Hel', 'lo'
 * text     -----x--y---|      x = 'Hel', y = 'lo'
 * ```
 *
 * @param options.choice - Which alternative. Default 0.
 * @returns An operator that emits pieces of text.
 *
 * @example Print as it arrives
 * ```ts
 * import { of } from 'rxjs';
 * import { textDeltas, type ModelEvent } from 'rx-model-stream';
 *
 * const event: ModelEvent = { type: 'text-delta', index: 0, text: 'Hi' };
 * of(event).pipe(textDeltas()).subscribe(console.log); // Hi
 * ```
 */
export function textDeltas(options: SelectionOptions = {}): OperatorFunction<ModelEvent, string> {
  return fromStage(() => createSelection(options, (event) => (event.type === 'text-delta' ? event.text : undefined)));
}
