/** One piece of the arguments of a call, as Vertex streams them. */
export interface PartialArg {
  readonly jsonPath: string;
  readonly stringValue?: string;
  readonly numberValue?: number;
  readonly boolValue?: boolean;
  readonly nullValue?: 'NULL_VALUE';
  readonly willContinue?: true;
}

type Path = readonly (string | number)[];

/**
 * The pieces of an object in the order of its text. `cut` cuts a string; one that is cut ends with an empty piece, as all
 * that were seen. An array ends with a piece without a value. An empty object inside another has no piece.
 */
export function piecesOf(value: unknown, cut: (text: string) => readonly string[], path: Path = []): PartialArg[] {
  const jsonPath = normalizedPath(path);
  if (Array.isArray(value)) {
    const pieces = value.flatMap((entry, index) => piecesOf(entry, cut, [...path, index]));
    return [...pieces, { jsonPath: `${jsonPath}[]` }];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) => piecesOf(entry, cut, [...path, key]));
  }
  if (typeof value === 'number') return [{ jsonPath, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }];
  if (typeof value !== 'string') return [{ jsonPath, nullValue: 'NULL_VALUE' }];
  const parts = cut(value);
  if (parts.length === 1) return [{ jsonPath, stringValue: value }];
  const begun = parts.map((stringValue) => ({ jsonPath, stringValue, willContinue: true }) as const);
  return [...begun, { jsonPath, stringValue: '' }];
}

/** The path as RFC 9535 normalizes it. */
export function normalizedPath(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `['${quoted(step)}']`));
  return ['$', ...steps].join('');
}

function quoted(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
