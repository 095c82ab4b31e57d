import { ModelStreamError } from '../errors';
import type { JsonFrame } from '../frame';
import type { Stage } from '../stage';
import { textOfUtf8 } from '../utf8';
import type { FramingOptions } from './framing';
import { createHeldBytes } from './heldBytes';
import { DEFAULT_MAX_FRAME_BYTES } from './maxFrameBytes';

/** Reads a body that is one JSON text as one frame: an answer that is fetched whole instead of streamed. */
export function createJson({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: FramingOptions = {}): Stage<
  Uint8Array,
  JsonFrame
> {
  const held = createHeldBytes();

  return {
    push(chunk) {
      if (held.length + chunk.length > maxFrameBytes) {
        throw new ModelStreamError('too-large', `Cannot buffer answer: it exceeds ${maxFrameBytes} bytes`);
      }
      held.add(chunk);
    },
    end(emit) {
      emit({ type: 'json', value: valueOf(textOfUtf8(held.take())) });
    },
  };
}

/** What does not parse was most likely cut: fetching it again may help. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ModelStreamError('truncated', 'Cannot read the answer: it is not whole', { retryable: true, cause });
  }
}
