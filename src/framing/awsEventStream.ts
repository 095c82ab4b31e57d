import { ModelStreamError } from '../errors';
import type { JsonFrame, StrayFrame } from '../frame';
import type { Stage } from '../stage';
import { textOfUtf8 } from '../utf8';
import { present } from '../wire';
import { createHeaderReader } from './awsHeaders';
import { uint32At } from './bigEndian';
import { crc32 } from './crc32';
import { createHeldBytes } from './heldBytes';
import { DEFAULT_MAX_FRAME_BYTES } from './maxFrameBytes';

/** How an AWS event stream is read. */
export interface AwsEventStreamOptions {
  /**
   * Bound on one message, headers and checksums included, in bytes. Default 32 MiB, since pictures travel inline.
   * Exceeding it fails with `too-large`, as soon as the message says how long it will be.
   */
  readonly maxFrameBytes?: number;
}

/** The length of the message, the length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/** What is known of a message from its prelude. */
interface Prelude {
  readonly headersBytes: number;
  /** How many bytes come after the prelude. */
  readonly restBytes: number;
  /** Of the prelude whole; that of the message goes on from it. */
  readonly checksum: number;
}

/** The machine behind `parseAwsEventStream`: bytes to the messages of `application/vnd.amazon.eventstream`. */
export function createAwsEventStream({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: AwsEventStreamOptions = {}): Stage<
  Uint8Array,
  JsonFrame | StrayFrame
> {
  const held = createHeldBytes(); // of a prelude, or of the rest of its message
  let prelude: Prelude | undefined; // of the message whose rest is awaited
  const headersOf = createHeaderReader();
  let messages = 0;

  function preludeOf(bytes: Uint8Array): Prelude {
    const length = uint32At(bytes, 0);
    const headersBytes = uint32At(bytes, 4);
    if (uint32At(bytes, 8) !== crc32(bytes.subarray(0, 8))) throw malformed('the checksum of its lengths is wrong');
    if (length > maxFrameBytes) {
      throw new ModelStreamError('too-large', `Cannot buffer message: it exceeds ${maxFrameBytes} bytes`);
    }
    const restBytes = length - PRELUDE_BYTES;
    if (restBytes < headersBytes + CHECKSUM_BYTES) throw malformed('it is shorter than its parts');
    return { headersBytes, restBytes, checksum: crc32(bytes) };
  }

  function frameOf({ headersBytes, checksum }: Prelude, rest: Uint8Array): JsonFrame | StrayFrame | undefined {
    const end = rest.length - CHECKSUM_BYTES;
    if (uint32At(rest, end) !== crc32(rest.subarray(0, end), checksum)) throw malformed('its checksum is wrong');
    const headers = headersOf(rest.subarray(0, headersBytes));
    if (headers === undefined) throw malformed('its headers are not what the format allows');
    return frameIn(headers, rest.subarray(headersBytes, end));
  }

  function malformed(reason: string): ModelStreamError {
    return new ModelStreamError('malformed', `Cannot read message ${messages}: ${reason}`);
  }

  return {
    push(chunk, emit) {
      let start = 0;
      while (start < chunk.length) {
        const wanted = prelude?.restBytes ?? PRELUDE_BYTES;
        const piece = chunk.subarray(start, start + wanted - held.length);
        start += piece.length;
        if (held.length + piece.length < wanted) {
          held.add(piece);
          return;
        }
        const bytes = held.take(piece);
        if (prelude === undefined) {
          prelude = preludeOf(bytes);
        } else {
          const frame = frameOf(prelude, bytes);
          prelude = undefined;
          messages += 1;
          if (frame) emit(frame);
        }
      }
    },
    end() {
      if (prelude === undefined && held.length === 0) return;
      throw new ModelStreamError('truncated', 'Cannot read the last message: the body ends inside it', {
        retryable: true,
      });
    },
  };
}

/** A message that is sound, as a frame; one that says nothing is none. */
function frameIn(headers: ReadonlyMap<string, string>, payload: Uint8Array): JsonFrame | StrayFrame | undefined {
  if (headers.get(':message-type') === 'error') return jsonFrame('error', errorIn(headers));
  const exception = headers.get(':exception-type');
  const name = exception ?? headers.get(':event-type');
  if (payload.length === 0) return name === undefined ? undefined : jsonFrame(name, {}); // a structure without members
  const text = textOfUtf8(payload);
  try {
    return jsonFrame(name, JSON.parse(text) as unknown);
  } catch {
    return exception === undefined ? { type: 'stray', text } : jsonFrame(exception, { message: text });
  }
}

function jsonFrame(name: string | undefined, value: unknown): JsonFrame {
  return name === undefined ? { type: 'json', value } : { type: 'json', value, name };
}

/** An error that the service has no type for stands in the headers alone. */
function errorIn(headers: ReadonlyMap<string, string>): object {
  return present({ code: headers.get(':error-code'), message: headers.get(':error-message') });
}
