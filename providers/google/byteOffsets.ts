import { lastNotAfter } from '../../src/lastNotAfter';

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
  /** The bytes before a place in UTF-16 units. */
  bytesBefore(text: string, unit: number): number;
}

export function createByteOffsets(): ByteOffsets {
  const noted: number[] = [0]; // bytes before STEP, twice STEP … units

  function note(text: string): void {
    while (noted.length * STEP < text.length) {
      const unit = (noted.length - 1) * STEP;
      noted.push((noted[noted.length - 1] ?? 0) + bytesBetween(text, unit, unit + STEP));
    }
  }

  return {
    unitAt(text, byteOffset) {
      note(text);
      const step = lastNotAfter(noted, byteOffset);
      let bytes = noted[step] ?? 0;
      let unit = step * STEP;
      while (bytes < byteOffset && unit < text.length) {
        bytes += bytesAt(text, unit);
        unit += 1;
      }
      const isInside = bytes !== byteOffset || (isLow(text, unit) && isHigh(text, unit - 1));
      return isInside ? undefined : unit;
    },
    bytesBefore(text, unit) {
      note(text);
      const step = Math.min(Math.floor(unit / STEP), noted.length - 1);
      return (noted[step] ?? 0) + bytesBetween(text, step * STEP, unit);
    },
  };
}

function bytesBetween(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let unit = from; unit < to; unit += 1) bytes += bytesAt(text, unit);
  return bytes;
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
