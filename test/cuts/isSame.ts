/** Equality of plain data and of errors, which are told by their own fields. Fast: it is asked for every event of every cut. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((entry, i) => isSame(entry, b[i]));
  if (a instanceof Error) return b instanceof Error && a.message === b.message && areFieldsSame(a, b);
  return !Array.isArray(b) && areFieldsSame(a, b);
}

function areFieldsSame(a: object, b: object): boolean {
  const fields = Object.entries(a);
  return fields.length === Object.keys(b).length && fields.every(([key, value]) => isSame(value, (b as never)[key]));
}
