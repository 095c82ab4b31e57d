import { withTold, type Step } from './step';
import type { WireStep } from './turn';

/** A step without a word here: its events come out as `raw`, and it has its place in the turn. */
export function createUnknownStep(wire: WireStep): Step {
  let step = wire;
  return {
    begin() {
      // nothing to say
    },
    read(delta) {
      if (delta['type'] === wire.type) step = withTold(step, delta);
    },
    complete(whole) {
      step = whole;
    },
    end() {
      // nothing was opened
    },
    turn() {
      return wire.type === 'user_input' ? undefined : step; // what the client said is told again to whoever asks for it
    },
  };
}
