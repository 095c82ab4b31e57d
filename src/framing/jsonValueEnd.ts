import { ModelStreamError } from '../errors';

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const LEFT_BRACKET = 91;
const BACKSLASH = 92;
const RIGHT_BRACKET = 93;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;

/** Finds where JSON values end, one after the other. */
export interface JsonValueEnd {
  /**
   * Looks at the bytes from `start` up to `limit`, which go on where the last call stopped, or begin the next value.
   *
   * @returns The place behind the last byte of the value, or `undefined` when the value goes on.
   */
  find(bytes: Uint8Array, start: number, limit: number): number | undefined;
}

/**
 * Finds the end of JSON values without reading them: brackets are counted where they stand outside strings. Whether such
 * a piece is JSON is for `JSON.parse` to say, once. Bytes will do, since all of structure is ASCII, whose bytes are never
 * part of a longer UTF-8 character.
 *
 * An object, an array or a string ends with its last byte; a number or a literal ends before the byte that follows it.
 *
 * Fails with `too-large` at the bracket that opens level `maxDepth + 1`.
 */
export function createJsonValueEnd(maxDepth: number): JsonValueEnd {
  let depth = 0;
  let isInString = false;
  let isInScalar = false; // in a number or a literal that is the whole value
  let skipped = 0; // 1 when the bytes ended with a backslash in a string: the next byte is escaped

  function ended(place: number): number {
    depth = 0;
    isInScalar = false;
    skipped = 0;
    return place;
  }

  function findInScalar(bytes: Uint8Array, start: number, limit: number): number | undefined {
    for (let index = start; index < limit; index += 1) if (endsScalar(bytes[index])) return ended(index);
    return undefined;
  }

  return {
    find(bytes, start, limit) {
      if (isInScalar) return findInScalar(bytes, start, limit);
      let index = start + skipped;
      while (index < limit) {
        if (isInString) {
          index = quoteFrom(bytes, index, limit);
          if (index >= limit) break;
          index += 1;
          isInString = false;
          if (depth === 0) return ended(index);
          continue;
        }
        switch (bytes[index]) {
          case QUOTE:
            isInString = true;
            break;
          case LEFT_BRACE:
          case LEFT_BRACKET:
            depth += 1;
            if (depth > maxDepth) throw tooDeep(maxDepth);
            break;
          case RIGHT_BRACE:
          case RIGHT_BRACKET:
            depth -= 1;
            if (depth <= 0) return ended(index + 1); // below 0: a bracket where a value has to begin
            break;
          default:
            if (depth === 0) {
              isInScalar = true;
              return findInScalar(bytes, index, limit);
            }
        }
        index += 1;
      }
      skipped = index - limit;
      return undefined;
    },
  };
}

/** The place of the quote that closes a string; without one `limit`, or one more when the byte at `limit` is escaped. */
function quoteFrom(bytes: Uint8Array, start: number, limit: number): number {
  let index = start;
  while (index < limit) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    index += byte === BACKSLASH ? 2 : 1;
  }
  return index;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === RIGHT_BRACKET || isJsonSpace(byte);
}

export function isJsonSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

function tooDeep(maxDepth: number): ModelStreamError {
  return new ModelStreamError('too-large', `Cannot read element: it is nested deeper than ${maxDepth} levels`);
}
