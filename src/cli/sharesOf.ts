/** Shares out what there is: nobody gets more than it needs, and what it leaves goes to the others. */
export function sharesOf(needs: readonly number[], available: number): readonly number[] {
  const shares = needs.map(() => 0);
  let left = available;
  const byNeed = [...needs.entries()].sort(([, one], [, other]) => one - other);
  for (const [served, [index, need]] of byNeed.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - served)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
