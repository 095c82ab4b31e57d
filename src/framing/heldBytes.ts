const EMPTY = new Uint8Array(0);
const MIN_BUFFER_BYTES = 256;

/** The bytes of something that is not whole yet. */
export interface HeldBytes {
  /** How many are held. */
  readonly length: number;
  /** Holds a copy of the bytes: the source may use its own buffer again. */
  add(bytes: Uint8Array): void;
  /** Gives what is held with `rest` behind it, and holds nothing after. Where nothing was held it is `rest` itself. */
  take(rest?: Uint8Array): Uint8Array;
}

/** Holds bytes in a buffer that doubles as it fills: many thin chunks cost linear time. */
export function createHeldBytes(): HeldBytes {
  let buffer = EMPTY;
  let length = 0;

  function add(bytes: Uint8Array): void {
    const total = length + bytes.length;
    if (total > buffer.length) {
      const larger = new Uint8Array(Math.max(MIN_BUFFER_BYTES, 2 * total));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(bytes, length);
    length = total;
  }

  return {
    get length() {
      return length;
    },
    add,
    take(rest = EMPTY) {
      if (length === 0) return rest;
      add(rest);
      const whole = buffer.subarray(0, length);
      buffer = EMPTY;
      length = 0;
      return whole;
    },
  };
}
