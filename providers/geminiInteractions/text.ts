import type { WireObject } from '../../src/wire';
import { createByteOffsets } from '../google/byteOffsets';
import { citationOf, endIndexOf, isCitation, rangeOf } from './citations';
import type { EmitEvent, Writer } from './step';

/** A text of the answer with its annotations. */
export interface CitedText {
  say(delta: string, emit: EmitEvent): void;
  /** Cites as soon as the words are there: a citation that comes before them waits for the end of the text. */
  annotate(annotation: WireObject, emit: EmitEvent): void;
  end(emit: EmitEvent): void;
  /** As the next request echoes it. */
  content(): WireObject;
}

export function createCitedText(writer: Writer, emit: EmitEvent): CitedText {
  const written = writer.open({ kind: 'text', text: '' }, emit);
  const offsets = createByteOffsets();
  const annotations: WireObject[] = [];
  const waiting: WireObject[] = [];

  function cite(annotation: WireObject, emit: EmitEvent): void {
    const range = rangeOf(annotation, (byteOffset) => offsets.unitAt(byteOffset));
    writer.cite(written, citationOf(annotation, range), emit);
  }

  return {
    say(delta, emit) {
      writer.append(written, delta, emit);
      offsets.append(delta);
    },
    annotate(annotation, emit) {
      annotations.push(annotation);
      if (!isCitation(annotation)) return;
      const isAhead = endIndexOf(annotation) > offsets.bytes;
      if (isAhead && !written.ended) waiting.push(annotation);
      else cite(annotation, emit);
    },
    end(emit) {
      for (const annotation of waiting.splice(0)) cite(annotation, emit);
      writer.end(written, {}, undefined, emit);
    },
    content() {
      return { type: 'text', text: written.content, ...(annotations.length > 0 && { annotations }) };
    },
  };
}
