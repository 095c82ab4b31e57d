/** As many payloads as are remembered. Beyond them nobody can say any more what was handed on. */
const MAX_REMEMBERED = 4096;

/**
 * What was handed on behind the last place from which an answer can go on: a continuation sends it again.
 *
 * 1. It is known by what it says, in order; what is left out of it is not missed.
 * 2. At most 4096 payloads are remembered: when there are more, `isLost`.
 */
export interface SentAgain {
  /** Whether more was handed on than is remembered. */
  readonly isLost: boolean;
  /** Whether some of it is still to come. */
  readonly isExpecting: boolean;
  /** A new place was reached: nothing is behind it. */
  clear(): void;
  /** Something was handed on. */
  add(value: unknown): void;
  /** A continuation begins. */
  expect(): void;
  /** Whether this was handed on before. */
  take(value: unknown): boolean;
}

export function createSentAgain(): SentAgain {
  let values: unknown[] = [];
  let next = 0; // the first of them that is still to come
  let isLost = false;
  return {
    get isLost() {
      return isLost;
    },
    get isExpecting() {
      return next < values.length;
    },
    clear() {
      values = [];
      next = 0;
      isLost = false;
    },
    add(value) {
      if (isLost) return;
      const hasCaughtUp = next === values.length;
      isLost = values.length === MAX_REMEMBERED;
      if (isLost) values = [];
      else values.push(value);
      if (hasCaughtUp) next = values.length;
    },
    expect() {
      next = 0;
    },
    take(value) {
      const said = JSON.stringify(value);
      for (let place = next; place < values.length; place += 1) {
        if (JSON.stringify(values[place]) !== said) continue;
        next = place + 1;
        return true;
      }
      return false;
    },
  };
}
