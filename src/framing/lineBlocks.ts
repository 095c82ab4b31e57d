import { ModelStreamError } from '../errors';
import { createHeldBytes } from './heldBytes';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Cuts bytes into text that consists of whole lines. */
export interface LineBlocks {
  /** Takes the next bytes and hands on the lines they completed, as one text in which every line ends with a line feed. */
  push(chunk: Uint8Array, take: (lines: string) => void): void;
  /** Takes the end of input and hands on the line that was never ended, if there is one. */
  end(take: (lines: string) => void): void;
}

/**
 * Cuts UTF-8 bytes into text of whole lines. CR, LF and CR LF end a line, wherever the chunks are cut.
 *
 * 1. The same bytes give the same lines and the same failure for every chunking.
 * 2. A line that ended is handed on at once; a CR that ends a chunk has ended its line.
 * 3. Bad UTF-8 gives U+FFFD and never swallows a line end. A byte order mark is dropped at the very start only.
 * 4. Bytes of whole lines are decoded where they lie, once: a line end never lies inside a UTF-8 character, so that all whole
 *    lines of a chunk are decoded in one call, without the state of a streaming decoder.
 *
 * Fails with `too-large` when a line has more than `maxLineBytes` bytes, its end not counted; the lines before it are
 * handed on first.
 */
export function createLineBlocks(maxLineBytes: number): LineBlocks {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const held = createHeldBytes(); // the unfinished line
  let skipLineFeed = false; // the last byte was a CR: its LF may be the first byte of the next chunk
  let started = false;

  function decode(bytes: Uint8Array): string {
    let text = decoder.decode(bytes);
    if (!started) {
      started = true;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  function tooLarge(): ModelStreamError {
    return new ModelStreamError('too-large', `Cannot buffer line: it exceeds ${maxLineBytes} bytes`);
  }

  return {
    push(chunk, take) {
      if (chunk.length === 0) return;
      const bytes = skipLineFeed && chunk[0] === LINE_FEED ? chunk.subarray(1) : chunk;
      skipLineFeed = chunk[chunk.length - 1] === CARRIAGE_RETURN;
      const end = afterLastLineEnd(bytes);
      if (end > 0) {
        const lines = held.take(bytes.subarray(0, end));
        const start = lines.length > maxLineBytes ? startOfLongLine(lines, maxLineBytes) : undefined;
        if (start !== undefined) {
          if (start > 0) take(decode(lines.subarray(0, start)));
          throw tooLarge();
        }
        take(decode(lines));
      }
      held.add(bytes.subarray(end));
      if (held.length > maxLineBytes) throw tooLarge();
    },
    end(take) {
      if (held.length > 0) take(decode(held.take()) + '\n');
    },
  };
}

/** Where the unfinished line begins. */
function afterLastLineEnd(bytes: Uint8Array): number {
  const lineFeed = bytes.lastIndexOf(LINE_FEED);
  for (let index = bytes.length - 1; index > lineFeed; index -= 1) {
    if (bytes[index] === CARRIAGE_RETURN) return index + 1;
  }
  return lineFeed + 1;
}

/** Where the first line of more than `maxBytes` bytes begins, in bytes that end with a line end. */
function startOfLongLine(bytes: Uint8Array, maxBytes: number): number | undefined {
  let start = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== LINE_FEED && bytes[index] !== CARRIAGE_RETURN) continue;
    if (index - start > maxBytes) return start;
    start = index + 1;
  }
  return undefined;
}
