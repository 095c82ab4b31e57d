import type { Frame } from '../frame';
import type { Stage } from '../stage';
import { createAwsEventStream } from './awsEventStream';
import { createJsonArray } from './jsonArray';
import { createNdjson } from './ndjson';
import { createSse } from './sse';

/** What every framing can be told. */
export interface FramingOptions {
  /** Bound on one frame, in bytes. Default 32 MiB. Exceeding it fails with `too-large`. */
  readonly maxFrameBytes?: number;
}

type CreateFraming = (options: FramingOptions) => Stage<Uint8Array, Frame>;

/** The machine that reads a content type. */
const FRAMINGS: ReadonlyMap<string, CreateFraming> = new Map<string, CreateFraming>([
  ['text/event-stream', createSse],
  ['application/vnd.amazon.eventstream', createAwsEventStream],
  ['application/json', createJsonArray],
  ['application/x-ndjson', createNdjson],
  ['application/ndjson', createNdjson],
  ['application/jsonl', createNdjson],
  ['application/json-lines', createNdjson],
]);

/**
 * The machine for a content type that is known only when the first bytes come, or the end. What has none of its own is
 * read as an event stream: services call one by other names, and an empty answer has no content type.
 *
 * @param contentType - Tells the content type, in small letters and without parameters.
 */
export function createFraming(contentType: () => string, options: FramingOptions = {}): Stage<Uint8Array, Frame> {
  let chosen: Stage<Uint8Array, Frame> | undefined;

  function framing(): Stage<Uint8Array, Frame> {
    chosen ??= (FRAMINGS.get(contentType()) ?? createSse)(options);
    return chosen;
  }

  return {
    push(chunk, emit) {
      framing().push(chunk, emit);
    },
    end(emit) {
      framing().end(emit);
    },
  };
}
