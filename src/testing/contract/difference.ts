/** As much of a value as a message shows, in characters. */
const MAX_SHOWN = 120;

/**
 * The first place where two values of plain data differ, as words; undefined where they are equal. A field that is
 * undefined differs from one that is missing. Errors are compared by their name, message and own fields.
 */
export function differenceBetween(actual: unknown, expected: unknown, path = ''): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const found = fieldsOf(actual);
  const wanted = fieldsOf(expected);
  if (!found || !wanted || Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) {
    return `${path === '' ? 'it' : path} is ${shown(actual)}, not ${shown(expected)}`;
  }
  for (const key of new Set([...found.keys(), ...wanted.keys()])) {
    const place = path === '' ? key : `${path}.${key}`;
    if (!found.has(key)) return `${place} is missing, which is ${shown(wanted.get(key))}`;
    if (!wanted.has(key)) return `${place} is too much, which is ${shown(found.get(key))}`;
    const difference = differenceBetween(found.get(key), wanted.get(key), place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  return value instanceof Error ? fields.set('name', value.name).set('message', value.message) : fields;
}

/** A value in a message. */
export function shown(value: unknown): string {
  const text = value instanceof Error ? String(value) : value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
