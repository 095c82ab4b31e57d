import { lastNotAfter } from '../../src/lastNotAfter';

/** As much of the text lies between two places whose bytes are known, in UTF-16 units. */
const STEP = 256;

/** Finds places in a growing text that are given in bytes of its UTF-8 form, as Google gives them. */
export interface ByteOffsets {
  /** How long the text is, in UTF-16 units. */
  readonly units: number;
  /** How long its UTF-8 form is. */
  readonly bytes: number;
  append(piece: string): void;
  /** The place in UTF-16 units; undefined inside a character and beyond the end of the text. */
  unitAt(byteOffset: number): number | undefined;
  /** The bytes before a place in UTF-16 units. */
  bytesBefore(unit: number): number;
}

/** The text is kept in segments: one string would be copied whole for every look at what was appended. */
export function createByteOffsets(): ByteOffsets {
  const segments: string[] = [];
  const unitsBefore: number[] = [];
  const bytesBefore: number[] = [];
  let units = 0; // of the segments
  let bytes = 0;
  let half = ''; // the first half of a pair at the end of the text: the second may follow

  function add(segment: string): void {
    segments.push(segment);
    unitsBefore.push(units);
    bytesBefore.push(bytes);
    units += segment.length;
    bytes += bytesBetween(segment, 0, segment.length);
  }

  function allBytes(): number {
    return bytes + bytesBetween(half, 0, half.length);
  }

  return {
    get units() {
      return units + half.length;
    },
    get bytes() {
      return allBytes();
    },
    append(piece) {
      const text = half + piece;
      let start = 0;
      while (start < text.length) {
        const limit = Math.min(start + STEP, text.length);
        const end = isHigh(text, limit - 1) ? limit - 1 : limit;
        if (end === start) break;
        add(text.slice(start, end));
        start = end;
      }
      half = text.slice(start);
    },
    unitAt(byteOffset) {
      if (byteOffset === allBytes()) return units + half.length;
      const place = lastNotAfter(bytesBefore, byteOffset);
      const segment = segments[place] ?? '';
      let found = bytesBefore[place] ?? 0;
      let unit = 0;
      while (found < byteOffset && unit < segment.length) {
        found += bytesAt(segment, unit);
        unit += 1;
      }
      const isInside = found !== byteOffset || (isLow(segment, unit) && isHigh(segment, unit - 1));
      return isInside ? undefined : (unitsBefore[place] ?? 0) + unit;
    },
    bytesBefore(unit) {
      if (unit > units) return allBytes();
      const place = lastNotAfter(unitsBefore, unit);
      const before = bytesBefore[place] ?? 0;
      return before + bytesBetween(segments[place] ?? '', 0, unit - (unitsBefore[place] ?? 0));
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
