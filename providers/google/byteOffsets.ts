/** Every so many UTF-16 units it is noted how many bytes lie before. */
const STEP = 256;

/** Finds places in a growing text that are given in bytes of its UTF-8 form, as Google gives them. */
export interface ByteOffsets {
  /**
   * The place in UTF-16 units; undefined inside a character and beyond the end of the text.
   *
   * @param text - The text so far: that of the call before, or more.
   */
  unitAt(text: string, byteOffset: number): number | undefined;
}

export function createByteOffsets(): ByteOffsets {
  const bytesBefore: number[] = [0]; // at STEP, twice STEP … units
  return {
    unitAt(text, byteOffset) {
      while (bytesBefore.length * STEP < text.length) {
        // the unit after a step is known: it may belong to a pair
        const from = (bytesBefore.length - 1) * STEP;
        let bytes = bytesBefore[bytesBefore.length - 1] ?? 0;
        for (let unit = from; unit < from + STEP; unit += 1) bytes += bytesAt(text, unit);
        bytesBefore.push(bytes);
      }
      const step = lastNotAfter(bytesBefore, byteOffset);
      let bytes = bytesBefore[step] ?? 0;
      let unit = step * STEP;
      while (bytes < byteOffset && unit < text.length) {
        bytes += bytesAt(text, unit);
        unit += 1;
      }
      const isInside = bytes !== byteOffset || (isLow(text, unit) && isHigh(text, unit - 1));
      return isInside ? undefined : unit;
    },
  };
}

/** The bytes of one unit. A pair of surrogates has four, two on each; one without the other becomes U+FFFD, three bytes. */
function bytesAt(text: string, unit: number): number {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (isHigh(text, unit)) return isLow(text, unit + 1) ? 2 : 3;
  if (isLow(text, unit)) return isHigh(text, unit - 1) ? 2 : 3;
  return 3;
}

function isHigh(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xd800;
}

function isLow(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xdc00;
}

function lastNotAfter(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
