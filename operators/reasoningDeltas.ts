import type { OperatorFunction } from 'rxjs';
import type { ModelEvent } from '../src/events';
import { fromStage } from '../src/fromStage';
import { createSelection, type SelectionOptions } from '../src/selection';

/**
 * Picks what the model thinks, piece by piece.
 *
 * 1. Joined, the pieces are the reasoning blocks of one alternative in the order in which they grew.
 * 2. What was handed out cannot be taken back: after it a `restart` fails with its cause.
 *
 * ```text
 * events      --s--a--b--t--f|      a, b = reasoning-delta 'Let me', ' see', t = text-delta
 * reasoning   -----x--y------|      x = 'Let me', y = ' see'
 * ```
 *
 * @param options.choice - Which alternative. Default 0.
 * @returns An operator that emits pieces of reasoning.
 *
 * @example
 * ```ts
 * import { of } from 'rxjs';
 * import { reasoningDeltas, type ModelEvent } from 'rx-model-stream';
 *
 * const event: ModelEvent = { type: 'reasoning-delta', index: 0, text: 'Hm' };
 * of(event).pipe(reasoningDeltas()).subscribe(console.log); // Hm
 * ```
 */
export function reasoningDeltas(options: SelectionOptions = {}): OperatorFunction<ModelEvent, string> {
  return fromStage(() =>
    createSelection(options, (event) => (event.type === 'reasoning-delta' ? event.text : undefined)),
  );
}
