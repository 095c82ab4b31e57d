/**
 * The pieces without those that do not matter, as far as so many attempts show: ever smaller runs of them are left out as long
 * as `isFaulty` holds of the rest.
 */
export function shrunk<Piece>(
  pieces: readonly Piece[],
  isFaulty: (pieces: readonly Piece[]) => boolean,
  attempts: number,
): readonly Piece[] {
  let kept = pieces;
  let left = attempts;
  for (let size = Math.ceil(kept.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length && left > 0; left -= 1) {
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (isFaulty(rest)) kept = rest;
      else start += size;
    }
  }
  return kept;
}
