/**
 * Reads fields of decoded JSON whose shape nobody vouches for: a field that is missing, null or of another type than
 * expected is absent.
 */
export type WireObject = Readonly<Record<string, unknown>>;

/** The value as an object, unless it is none; an array is none. */
export function objectOf(value: unknown): WireObject | undefined {
  return isObject(value) ? value : undefined;
}

export function objectIn(wire: WireObject | undefined, key: string): WireObject | undefined {
  return objectOf(wire?.[key]);
}

export function textIn(wire: WireObject | undefined, key: string): string | undefined {
  const value = wire?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** A text that says something: an id, a name. */
export function wordIn(wire: WireObject | undefined, key: string): string | undefined {
  const text = textIn(wire, key);
  return text === '' ? undefined : text;
}

/** A number that can be written down again: JSON may hold one that is too large, and it is then infinite. */
export function numberIn(wire: WireObject | undefined, key: string): number | undefined {
  const value = wire?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const NOTHING: readonly unknown[] = [];

export function listIn(wire: WireObject | undefined, key: string): readonly unknown[] {
  const value = wire?.[key];
  return Array.isArray(value) ? value : NOTHING;
}

/** The fields of `before`, each overwritten by what `after` tells of it: null tells nothing. */
export function overwritten(before: WireObject, after: WireObject): WireObject {
  const told = Object.entries(after).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries(told) };
}

/** All fields but these. */
export function without(wire: WireObject | undefined, ...keys: readonly string[]): WireObject {
  return Object.fromEntries(Object.entries(wire ?? {}).filter(([key]) => !keys.includes(key)));
}

/** The fields that are there, for an object whose optional fields are absent rather than undefined. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Partial<Fields> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as Present<Fields>;
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
