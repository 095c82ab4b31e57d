import { ModelStreamError } from '../errors';
import type { JsonFrame, StrayFrame } from '../frame';
import type { Stage } from '../stage';
import { createLineBlocks } from './lineBlocks';
import { DEFAULT_MAX_FRAME_BYTES } from './maxFrameBytes';

/** How lines of JSON are read. */
export interface NdjsonOptions {
  /**
   * Bound on one line, in bytes, its end not counted. Default 32 MiB, since pictures travel inline. Exceeding it fails
   * with `too-large`.
   */
  readonly maxFrameBytes?: number;
}

/** The machine behind `parseNdjson`: bytes to the values of lines of JSON. */
export function createNdjson<T = unknown>({ maxFrameBytes = DEFAULT_MAX_FRAME_BYTES }: NdjsonOptions = {}): Stage<
  Uint8Array,
  JsonFrame<T> | StrayFrame
> {
  const blocks = createLineBlocks(maxFrameBytes);

  return {
    push(chunk, emit) {
      blocks.push(chunk, (lines) => {
        for (const line of lines.split('\n')) {
          const frame = frameOf<T>(line);
          if (frame) emit(frame);
        }
      });
    },
    end(emit) {
      blocks.end((line) => {
        const frame = frameOf<T>(line);
        if (frame?.type === 'stray') throw cutLine();
        if (frame) emit(frame);
      });
    },
  };
}

/** A line that is blank has no frame. */
function frameOf<T>(line: string): JsonFrame<T> | StrayFrame | undefined {
  if (line === '') return undefined;
  try {
    return { type: 'json', value: JSON.parse(line) as T };
  } catch {
    return line.trim() === '' ? undefined : { type: 'stray', text: line };
  }
}

function cutLine(): ModelStreamError {
  return new ModelStreamError('truncated', 'Cannot read the last line: the body ends inside it', { retryable: true });
}
