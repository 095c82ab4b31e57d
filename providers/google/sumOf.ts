/** The sum of two counts; one that is not told counts nothing, as long as the other is. */
export function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
