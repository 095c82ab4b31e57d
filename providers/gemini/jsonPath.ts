/** A step of a path: the key of a member, the index of an element, or null at the end for an array itself (`[]`). */
export type Segment = string | number | null;

const SEGMENT = /\.([^.[\]]+)|\[(\d*)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;

/**
 * The steps of a path such as `$.stops[1].name` or `$['to go'][0]`; undefined when it is none, or leads nowhere.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9535}
 */
export function segmentsOf(path: string): readonly Segment[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const segments: Segment[] = [];
  const pattern = new RegExp(SEGMENT);
  pattern.lastIndex = 1;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (match === null) return undefined;
    const [, member, index, single, double] = match;
    const segment = member ?? (index === undefined ? unquoted(single ?? double ?? '') : indexOf(index));
    if (segment === undefined || segments.at(-1) === null) return undefined;
    segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments;
}

function indexOf(digits: string): number | null {
  return digits === '' ? null : Number(digits);
}

/** The escapes of a quoted name are those of JSON, and `\'`. */
function unquoted(name: string): string | undefined {
  try {
    const json = name.replace(/\\.|"/g, (mark) => (mark === '"' ? '\\"' : mark === "\\'" ? "'" : mark));
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return undefined;
  }
}
