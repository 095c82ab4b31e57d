import type { Frame } from 'rx-model-stream';
import { payloadOf } from '../../src/payload';

/** One payload of a stream as text, whatever it is framed in. */
export interface WireRecord {
  readonly name?: string;
  readonly text: string;
}

/** The payloads of frames. What Amazon Bedrock wraps is taken out, and wrapped again by its framing. */
export function recordsOf(frames: readonly Frame[]): WireRecord[] {
  return frames.flatMap((frame): WireRecord[] => {
    switch (frame.type) {
      case 'sse':
        return [{ text: frame.data, ...named(frame.name) }];
      case 'json':
        return [{ text: JSON.stringify(payloadOf(frame)?.value), ...named(frame.name) }];
      case 'stray':
        return [{ text: frame.text }];
      default:
        return [];
    }
  });
}

function named(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name };
}
