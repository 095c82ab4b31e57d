import type { WireObject } from '../../src/wire';
import { createByteOffsets } from '../google/byteOffsets';
import { citationOf, hasRange, rangeOf, type CitedRange } from './citations';
import type { EmitEvent, Writer } from './step';

/** A text of the answer with its annotations. */
export interface CitedText {
  say(delta: string, emit: EmitEvent): void;
  /** Cites as soon as the words are there: one that comes before them waits for the end of the text. */
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

  function rangeIn(annotation: WireObject): CitedRange | undefined {
    return rangeOf(annotation, (byteOffset) => offsets.unitAt(written.content, byteOffset));
  }

  return {
    say(delta, emit) {
      writer.append(written, delta, emit);
    },
    annotate(annotation, emit) {
      annotations.push(annotation);
      const range = rangeIn(annotation);
      if (range === undefined && hasRange(annotation) && !written.ended) waiting.push(annotation);
      else writer.cite(written, citationOf(annotation, range), emit);
    },
    end(emit) {
      for (const annotation of waiting.splice(0))
        writer.cite(written, citationOf(annotation, rangeIn(annotation)), emit);
      writer.end(written, {}, undefined, emit);
    },
    content() {
      return { type: 'text', text: written.content, ...(annotations.length > 0 && { annotations }) };
    },
  };
}
