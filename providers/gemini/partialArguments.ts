import { numberIn, textIn, type WireObject } from '../../src/wire';
import { segmentsOf, type Segment } from './jsonPath';
import { createOrderedJson } from './orderedJson';

/** The arguments of a call that come in pieces, each with the JSON path of its place. */
export interface PartialArguments {
  /** Takes one piece: the JSON text that it adds at the end, or undefined when it has no place in the arguments. */
  read(piece: WireObject): string | undefined;
  /** The arguments as a whole JSON text; undefined when they end inside a string. */
  whole(): string | undefined;
}

/**
 * Writes the arguments of a call as JSON text, from pieces such as `{ jsonPath: '$.to', stringValue: 'Par',
 * willContinue: true }`.
 *
 * 1. Pieces come in the order of the text as a rule, as a model writes it; then the text grows with each.
 * 2. A string goes on while its pieces say that it will, and ends with the first that does not.
 * 3. After a piece for a place that lies behind, the text grows no more, and `whole` has everything in its place.
 */
export function createPartialArguments(): PartialArguments {
  const ordered = createOrderedJson();
  let text = '{';
  let tree: unknown; // takes the place of the text after a piece out of order
  const unended = new Set<string>(); // paths of strings that will continue
  let lastPath: string | undefined;

  function isInsideString(): boolean {
    return lastPath !== undefined && unended.has(lastPath);
  }

  /** A text to write at the end, for a piece in order. */
  function next(path: string, segments: readonly Segment[], value: unknown, willContinue: boolean): string | undefined {
    if (typeof value === 'string' && path === lastPath && unended.has(path)) {
      return escaped(value) + (willContinue ? '' : '"');
    }
    const json = value === undefined ? undefined : JSON.stringify(value);
    const placed = ordered.place(segments, typeof value === 'string' && willContinue ? json?.slice(0, -1) : json);
    return placed === undefined ? undefined : (isInsideString() ? '"' : '') + placed;
  }

  function textSoFar(): string {
    return text + (isInsideString() ? '"' : '') + ordered.closing();
  }

  return {
    read(piece) {
      const path = textIn(piece, 'jsonPath') ?? '';
      const segments = segmentsOf(path);
      const isUnended = unended.has(path);
      const value = valueIn(piece) ?? (isUnended ? '' : undefined);
      if (segments === undefined || (value === undefined && segments.at(-1) !== null)) return undefined;
      if (value === '' && path === lastPath && !isUnended) return ''; // ends a string that had ended
      const willContinue = typeof value === 'string' && piece['willContinue'] === true;
      let added = tree === undefined ? next(path, segments, value, willContinue) : undefined;
      if (added === undefined) {
        tree ??= JSON.parse(textSoFar());
        if (!putInto(tree, segments, value, isUnended)) return undefined;
        added = '';
      }
      text += added;
      lastPath = path;
      if (willContinue) unended.add(path);
      else unended.delete(path);
      return added;
    },
    whole() {
      if (isInsideString()) return undefined;
      return tree === undefined ? textSoFar() : JSON.stringify(tree);
    },
  };
}

/** The value of a piece; undefined where it has none, or one of a kind that is not known. */
function valueIn(piece: WireObject): string | number | boolean | null | undefined {
  if ('nullValue' in piece) return null;
  const flag = piece['boolValue'];
  return (
    textIn(piece, 'stringValue') ?? numberIn(piece, 'numberValue') ?? (typeof flag === 'boolean' ? flag : undefined)
  );
}

/** The characters of a JSON string, without its quotes. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function putInto(tree: unknown, segments: readonly Segment[], value: unknown, isContinued: boolean): boolean {
  if (value === undefined)
    return put(tree, segments.slice(0, -1), (before): unknown => (Array.isArray(before) ? before : []));
  return put(tree, segments, (before) =>
    isContinued && typeof before === 'string' && typeof value === 'string' ? before + value : value,
  );
}

/** Puts a value into a decoded JSON value, containers on the way included; false where it has no place. */
function put(root: unknown, segments: readonly Segment[], valueAfter: (before: unknown) => unknown): boolean {
  let container = root;
  for (const [place, segment] of segments.entries()) {
    const key = placeIn(container, segment);
    if (key === undefined || typeof container !== 'object' || container === null) return false;
    const before: unknown = Object.hasOwn(container, key) ? Reflect.get(container, key) : undefined;
    const inner = segments[place + 1];
    let value: unknown;
    if (inner === undefined) value = valueAfter(before);
    else value = before ?? (typeof inner === 'string' ? {} : []);
    Reflect.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    container = value;
  }
  return true;
}

/** The key under which the container has this place, or can get it. */
function placeIn(container: unknown, segment: Segment): string | number | undefined {
  if (!Array.isArray(container)) return typeof segment === 'string' ? segment : undefined;
  const { length } = container;
  const index = segment ?? length;
  return typeof index === 'number' && index <= length ? index : undefined;
}
