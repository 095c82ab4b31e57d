import { ModelStreamError, type ModelStreamErrorDetails } from '../errors';
import type { JsonFrame, StrayFrame } from '../frame';
import type { Emit, Stage } from '../stage';
import { createHeldBytes } from './heldBytes';
import { createJsonValueEnd, isJsonSpace } from './jsonValueEnd';
import { DEFAULT_MAX_FRAME_BYTES } from './maxFrameBytes';

/** How a JSON array is read. */
export interface JsonArrayOptions {
  /**
   * Bound on one element, from its first to its last byte, and on text that is no array, in bytes. Default 32 MiB, since
   * pictures travel inline. Exceeding it fails with `too-large`.
   */
  readonly maxFrameBytes?: number;
  /**
   * How many levels of objects and arrays an element may have; an element that is an object is the first. Default 512.
   * Exceeding it fails with `too-large`.
   */
  readonly maxDepth?: number;
}

export const DEFAULT_MAX_DEPTH = 512;

const COMMA = 44;
const LEFT_BRACKET = 91;
const RIGHT_BRACKET = 93;
const LEFT_BRACE = 123;
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Where in the body the next byte stands. */
type Place =
  | 'mark' // in the byte order mark that may come first
  | 'before' // before the array
  | 'opened' // behind its opening bracket
  | 'value' // in an element
  | 'between' // behind an element
  | 'comma' // behind a comma
  | 'closed' // behind the array
  | 'instead' // in text that is no array
  | 'behind'; // in text behind the array

/** The machine behind `parseJsonArray`: bytes to the elements of one top-level JSON array, by RFC 8259. */
export function createJsonArray<T = unknown>({
  maxFrameBytes = DEFAULT_MAX_FRAME_BYTES,
  maxDepth = DEFAULT_MAX_DEPTH,
}: JsonArrayOptions = {}): Stage<Uint8Array, JsonFrame<T> | StrayFrame> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  const valueEnd = createJsonValueEnd(maxDepth);
  const held = createHeldBytes(); // the unfinished element, or the stray text
  let place: Place = 'mark';
  let markBytes = 0;
  let elements = 0;

  function readMark(chunk: Uint8Array, start: number): number {
    if (chunk[start] === BYTE_ORDER_MARK[markBytes]) {
      markBytes += 1;
      if (markBytes === BYTE_ORDER_MARK.length) place = 'before';
      return start + 1;
    }
    place = markBytes === 0 ? 'before' : 'instead';
    held.add(BYTE_ORDER_MARK.subarray(0, markBytes));
    return start;
  }

  function readBetween(chunk: Uint8Array, start: number): number {
    const byte = chunk[start];
    if (isJsonSpace(byte)) return start + 1;
    place = placeAfter(place, byte);
    return place === 'value' || place === 'instead' || place === 'behind' ? start : start + 1;
  }

  function readValue(chunk: Uint8Array, start: number, emit: Emit<JsonFrame<T>>): number {
    // One byte more than the bound: the byte that ends a number is no part of it.
    const limit = Math.min(chunk.length, start + maxFrameBytes - held.length + 1);
    const end = valueEnd.find(chunk, start, limit);
    const piece = chunk.subarray(start, end ?? limit);
    if (held.length + piece.length > maxFrameBytes) throw tooLarge('element');
    if (end === undefined) {
      held.add(piece);
      return limit;
    }
    const value = valueOf(held.take(piece));
    place = 'between';
    elements += 1;
    emit({ type: 'json', value });
    return end;
  }

  function valueOf(bytes: Uint8Array): T {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch (cause) {
      throw malformed(`its element ${elements} is not UTF-8`, { cause });
    }
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw malformed(`its element ${elements} is not JSON`, { cause });
    }
  }

  function readStray(chunk: Uint8Array, start: number): number {
    held.add(chunk.subarray(start));
    if (held.length > maxFrameBytes) throw tooLarge('text that is no array');
    return chunk.length;
  }

  function tooLarge(what: string): ModelStreamError {
    return new ModelStreamError('too-large', `Cannot buffer ${what}: it exceeds ${maxFrameBytes} bytes`);
  }

  return {
    push(chunk, emit) {
      let index = 0;
      while (index < chunk.length) {
        switch (place) {
          case 'mark':
            index = readMark(chunk, index);
            break;
          case 'value':
            index = readValue(chunk, index, emit);
            break;
          case 'instead':
          case 'behind':
            index = readStray(chunk, index);
            break;
          default:
            index = readBetween(chunk, index);
        }
      }
    },
    end(emit) {
      if (place === 'closed') return;
      if (place !== 'instead' && place !== 'behind') throw truncated();
      const bytes = held.take();
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      if (place === 'instead' && isCutObject(bytes)) {
        emit({ type: 'stray', text, incomplete: true });
        throw truncated();
      }
      emit({ type: 'stray', text });
      throw malformed(place === 'behind' ? 'there is text behind it' : 'the body does not begin with one');
    },
  };
}

/** Where a byte outside the elements leads to that is no space. */
function placeAfter(place: Place, byte: number | undefined): Place {
  switch (place) {
    case 'opened':
      return byte === RIGHT_BRACKET ? 'closed' : 'value';
    case 'comma':
      return 'value';
    case 'between':
      if (byte === COMMA) return 'comma';
      if (byte === RIGHT_BRACKET) return 'closed';
      throw malformed('neither a comma nor its end follows an element');
    case 'closed':
      return 'behind';
    default:
      return byte === LEFT_BRACKET ? 'opened' : 'instead';
  }
}

/** Whether the text is the beginning of an object, such as the report of a failure, and its end is missing. */
function isCutObject(bytes: Uint8Array): boolean {
  if (bytes[0] !== LEFT_BRACE) return false;
  return createJsonValueEnd(Infinity).find(bytes, 0, bytes.length) === undefined;
}

function malformed(reason: string, details?: ModelStreamErrorDetails): ModelStreamError {
  return new ModelStreamError('malformed', `Cannot read array: ${reason}`, details);
}

function truncated(): ModelStreamError {
  return new ModelStreamError('truncated', 'Cannot read array: the body ends before it does', { retryable: true });
}
