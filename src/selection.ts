import type { ModelEvent } from './events';
import { choiceOf } from './reading';
import type { Stage } from './stage';

/** Which alternative to select from, where the request asked for several. */
export interface SelectionOptions {
  /** Default 0, the first. */
  readonly choice?: number;
}

/**
 * The machine behind the selecting operators: picks one value out of some events of one alternative.
 *
 * What was handed out cannot be taken back. So a `restart` is a failure with its own cause once anything was handed out,
 * and nothing before that.
 *
 * @param pick - The value of an event, or undefined to pass over it.
 */
export function createSelection<Value>(
  { choice = 0 }: SelectionOptions,
  pick: (event: ModelEvent) => Value | undefined,
): Stage<ModelEvent, Value> {
  const choices = new Map<number, number>(); // by block index
  let hasEmitted = false;

  return {
    push(event, emit) {
      if (event.type === 'response-start') choices.clear();
      if (event.type === 'restart') {
        if (hasEmitted) throw event.cause;
        choices.clear();
      }
      if ('block' in event) choices.set(event.index, choiceOf(event.block));
      if ('index' in event && (choices.get(event.index) ?? 0) !== choice) return;
      const value = pick(event);
      if (value === undefined) return;
      hasEmitted = true;
      emit(value);
    },
    end() {
      // nothing is held back
    },
  };
}
