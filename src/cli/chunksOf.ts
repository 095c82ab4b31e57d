/** Cuts a list into pieces of a size; the last one may be shorter. */
export function chunksOf<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}
