import type { ModelEvent } from 'rx-model-stream';

/** The events of a sound in so many pieces, a word of its transcript after every fourth. */
export function* soundEvents(pieces: number): Generator<ModelEvent> {
  yield { type: 'response-start', provider: 'demo' };
  yield { type: 'block-start', index: 0, block: { kind: 'media', mimeType: 'audio/pcm', parts: [] } };
  for (let piece = 0; piece < pieces; piece += 1) {
    yield { type: 'media-delta', index: 0, data: 'AAAA' };
    if (piece % 4 === 3) yield { type: 'media-delta', index: 0, transcript: 'word ' };
  }
}
