import { lastNotAfter } from './lastNotAfter';

/** A text that grows and is looked up on the way. One string would be copied whole for every look at what was appended. */
export interface GrowingText {
  append(piece: string): void;
  /** What lies between two places, as far as it is there. */
  between(start: number, end: number): string;
}

export function createGrowingText(): GrowingText {
  const pieces: string[] = [];
  const starts: number[] = []; // of the pieces
  let length = 0;
  return {
    append(piece) {
      if (piece === '') return;
      pieces.push(piece);
      starts.push(length);
      length += piece.length;
    },
    between(start, end) {
      let found = '';
      for (let place = lastNotAfter(starts, start); place < pieces.length; place += 1) {
        const before = starts[place] ?? 0;
        if (before >= end) break;
        found += (pieces[place] ?? '').slice(Math.max(start - before, 0), end - before);
      }
      return found;
    },
  };
}
