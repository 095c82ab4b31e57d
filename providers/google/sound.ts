import type { ModelEvent } from '../../src/events';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import { present } from '../../src/wire';

/** As much base64 as one block holds: with it a session of hours needs no more memory than that. */
const MAX_BLOCK_LENGTH = 16 * 1024 * 1024;

/** What is heard: the pieces of one sound, and its transcript, are one block. */
export interface Sound<Turn> {
  attach(data: string, facts: SoundFacts, emit: Emit<ModelEvent<Turn>>): void;
  /** Adds what is said, which may come before it is heard. */
  transcribe(text: string, emit: Emit<ModelEvent<Turn>>): void;
  end(emit: Emit<ModelEvent<Turn>>): void;
}

/** What is known of a piece; one of another kind begins a block of its own. */
export interface SoundFacts {
  readonly mimeType: string | undefined;
  readonly draft?: true | undefined;
}

export function createSound<Turn>(writer: ResponseWriter<Turn>, choice: { readonly choice?: number }): Sound<Turn> {
  let written: WrittenBlock | undefined;
  let facts: SoundFacts | undefined; // absent while there is only a transcript
  let length = 0;

  function end(emit: Emit<ModelEvent<Turn>>): void {
    if (written) writer.end(written, {}, undefined, emit);
    written = undefined;
    facts = undefined;
    length = 0;
  }

  function begin(told: SoundFacts | undefined, emit: Emit<ModelEvent<Turn>>): WrittenBlock {
    facts = told;
    written = writer.open({ kind: 'media', parts: [], ...present(told ?? {}), ...choice }, emit);
    return written;
  }

  return {
    attach(data, told, emit) {
      const isOther = facts !== undefined && (facts.mimeType !== told.mimeType || facts.draft !== told.draft);
      if (isOther || length + data.length > MAX_BLOCK_LENGTH) end(emit);
      const block = written ?? begin(told, emit);
      facts = told;
      length += data.length;
      writer.attach(block, data, emit, told.mimeType);
    },
    transcribe(text, emit) {
      if (text !== '') writer.append(written ?? begin(undefined, emit), text, emit);
    },
    end,
  };
}
