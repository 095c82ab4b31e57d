import type { Citation } from '../../src/blocks';
import { numberIn, present, wordIn, type WireObject } from '../../src/wire';

/** Finds the place in the text that is given in bytes of its UTF-8 form; undefined where there is none, or none yet. */
export type UnitAt = (byteOffset: number) => number | undefined;

/** Annotations that name no source: when and by whom a word is spoken. */
const UNCITED: ReadonlySet<string> = new Set(['word_info', 'speech_metadata']);

export function isCitation(annotation: WireObject): boolean {
  return !UNCITED.has(wordIn(annotation, 'type') ?? '');
}

/** Where in its text a cited statement stands. */
export interface CitedRange {
  readonly start: number;
  readonly end: number;
}

/** `url_citation { url, title }`, `file_citation { document_uri, file_name, source }`, `place_citation { place_id, name, url }`. */
export function citationOf(annotation: WireObject, range: CitedRange | undefined): Citation {
  return {
    ...present({
      url: wordIn(annotation, 'url'),
      title: wordIn(annotation, 'title') ?? wordIn(annotation, 'file_name') ?? wordIn(annotation, 'name'),
      source: wordIn(annotation, 'document_uri') ?? wordIn(annotation, 'source') ?? wordIn(annotation, 'place_id'),
    }),
    ...range,
    raw: annotation,
  };
}

/** Where the annotated words end; 0 where the annotation is about no part of the text. */
export function endIndexOf(annotation: WireObject): number {
  return numberIn(annotation, 'end_index') ?? 0;
}

/** `start_index` and `end_index`, the latter exclusive; Google leaves out a number that is 0. */
export function rangeOf(annotation: WireObject, unitAt: UnitAt): CitedRange | undefined {
  const endIndex = endIndexOf(annotation);
  if (endIndex <= 0) return undefined;
  const start = unitAt(numberIn(annotation, 'start_index') ?? 0);
  const end = unitAt(endIndex);
  return start === undefined || end === undefined || start > end ? undefined : { start, end };
}
