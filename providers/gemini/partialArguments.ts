import { numberIn, textIn, type WireObject } from '../../src/wire';
import { segmentsOf, type Segment } from './jsonPath';
import { createOrderedJson } from './orderedJson';
import { createUnorderedJson, type JsonLeaf } from './unorderedJson';

/** The arguments of a call that come in pieces, each with the JSON path of its place. */
export interface PartialArguments {
  /** Takes one piece: the JSON text that it adds at the end, or undefined when it has no place in the arguments. */
  read(piece: WireObject): string | undefined;
  /** The arguments as a whole JSON text; undefined when they end inside a string, or an array lacks an element. */
  whole(): string | undefined;
}

/**
 * Writes the arguments of a call as JSON text, from pieces such as `{ jsonPath: '$.to', stringValue: 'Par',
 * willContinue: true }`.
 *
 * 1. Pieces come in the order of the text as a rule, as a model writes it; then the text grows with each.
 * 2. A string goes on while its pieces say that it will, and ends with the first that does not.
 * 3. After a piece for a place that lies behind or too far ahead, the text grows no more, and `whole` has everything in
 *    its place.
 */
export function createPartialArguments(): PartialArguments {
  const ordered = createOrderedJson();
  const unordered = createUnorderedJson();
  let text = '{';
  let isOrdered = true;
  const unended = new Set<string>(); // places of strings that will continue
  let latest: string | undefined; // place of the piece before

  function isInsideString(): boolean {
    return latest !== undefined && unended.has(latest);
  }

  function put(segments: readonly Segment[], value: JsonLeaf | undefined, isUnended: boolean): boolean {
    if (value === undefined) return unordered.putArray(segments);
    return isUnended && typeof value === 'string' ? unordered.append(segments, value) : unordered.put(segments, value);
  }

  /** A text to write at the end, for a piece in order. */
  function next(
    place: string,
    segments: readonly Segment[],
    value: JsonLeaf | undefined,
    willContinue: boolean,
  ): string | undefined {
    if (typeof value === 'string' && place === latest && unended.has(place)) {
      return escaped(value) + (willContinue ? '' : '"');
    }
    const json = value === undefined ? undefined : JSON.stringify(value);
    const placed = ordered.place(segments, willContinue ? json?.slice(0, -1) : json);
    return placed === undefined ? undefined : (isInsideString() ? '"' : '') + placed;
  }

  return {
    read(piece) {
      const segments = segmentsOf(textIn(piece, 'jsonPath') ?? '');
      if (segments === undefined) return undefined;
      const place = JSON.stringify(segments);
      const isArray = segments.at(-1) === null;
      const isUnended = unended.has(place);
      const told = valueIn(piece);
      const value = told === undefined && isUnended ? '' : told;
      if (isArray !== (value === undefined)) return undefined;
      if (value === '' && place === latest && !isUnended) return ''; // ends a string that had ended
      if (!put(segments, value, isUnended)) return undefined;
      const willContinue = typeof value === 'string' && piece['willContinue'] === true;
      const added = isOrdered ? next(place, segments, value, willContinue) : '';
      isOrdered = isOrdered && added !== undefined;
      text += added ?? '';
      latest = place;
      if (willContinue) unended.add(place);
      else unended.delete(place);
      return added ?? '';
    },
    whole() {
      if (isInsideString()) return undefined;
      return isOrdered ? text + ordered.closing() : unordered.text();
    },
  };
}

/** The value of a piece; undefined where it has none, or one of a kind that is not known. */
function valueIn(piece: WireObject): JsonLeaf | undefined {
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
