import { textOfUtf8 } from '../utf8';
import { byteAt, uint16At } from './bigEndian';

/** The type of a value that is text. */
const TEXT = 7;
/** Instead of a size: two bytes before the value count its bytes. */
const COUNTED = -1;

/** How many bytes a value has: true, false, 8, 16, 32 and 64 bits, bytes, text, a moment, a UUID. */
const SIZES: readonly number[] = [0, 0, 1, 2, 4, 8, COUNTED, COUNTED, 8, 16];

/**
 * The headers of a message whose values are texts. The others are passed over: none of them says what the message is.
 *
 * @returns Undefined when the bytes are no headers: a type that is unknown, a value that does not end within them.
 */
export function textHeadersOf(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  let start = 0;
  while (start < bytes.length) {
    const nameEnd = start + 1 + byteAt(bytes, start);
    const type = bytes[nameEnd];
    const size = type === undefined ? undefined : SIZES[type];
    if (size === undefined) return undefined;
    const valueStart = nameEnd + (size === COUNTED ? 3 : 1);
    const valueEnd = valueStart + (size === COUNTED ? uint16At(bytes, nameEnd + 1) : size);
    if (valueEnd > bytes.length) return undefined;
    if (type === TEXT) {
      headers.set(textOfUtf8(bytes.subarray(start + 1, nameEnd)), textOfUtf8(bytes.subarray(valueStart, valueEnd)));
    }
    start = valueEnd;
  }
  return headers;
}

/** Reads the headers of one message after another: most messages of an answer have those of the message before. */
export function createHeaderReader(): (bytes: Uint8Array) => ReadonlyMap<string, string> | undefined {
  let latest = new Uint8Array(0);
  let headers = textHeadersOf(latest);
  return (bytes) => {
    if (!isSame(bytes, latest)) {
      latest = bytes.slice();
      headers = textHeadersOf(latest);
    }
    return headers;
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let place = 0; place < a.length; place += 1) if (a[place] !== b[place]) return false;
  return true;
}
