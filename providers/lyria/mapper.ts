import type { ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { listIn, objectIn, objectOf, textIn, wordIn } from '../../src/wire';
import { createSound } from '../google/sound';

/** Translates the messages of one session. */
export function createLyriaMapper(name: string): Stage<Payload, ModelEvent<never>> {
  const writer = createResponseWriter<never>(name);
  const sound = createSound(writer, {});
  return {
    push({ value }, emit) {
      const message = objectOf(value);
      for (const piece of listIn(objectIn(message, 'serverContent'), 'audioChunks').map(objectOf)) {
        sound.attach(textIn(piece, 'data') ?? '', { mimeType: wordIn(piece, 'mimeType') }, emit);
      }
      const filteredPrompt = objectIn(message, 'filteredPrompt');
      if (filteredPrompt) emit({ type: 'raw', provider: name, event: { filteredPrompt } });
    },
    end(emit) {
      sound.end(emit);
      writer.finish({ reason: 'stop' }, emit);
    },
  };
}
