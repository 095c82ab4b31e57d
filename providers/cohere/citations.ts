import type { Citation } from '../../src/blocks';
import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { GrowingText } from '../../src/growingText';

/** `{ start, end, text, sources, type, content_index }`: a citation for each source, or one where none is named. */
export function citationsOf(wire: WireObject, content: GrowingText): readonly Citation[] {
  const place = placeIn(wire, content);
  const sources = listIn(wire, 'sources');
  return sources.length === 0
    ? [{ ...place, raw: wire }]
    : sources.map((source) => ({ ...factsOf(objectOf(source)), ...place, raw: wire }));
}

/** What offsets count is documented nowhere: they are taken only where they lead to the words that the wire repeats. */
function placeIn(wire: WireObject, content: GrowingText): Pick<Citation, 'start' | 'end'> {
  const start = numberIn(wire, 'start');
  const end = numberIn(wire, 'end');
  const words = textIn(wire, 'text');
  if (start === undefined || end === undefined || words === undefined || start < 0 || end < start) return {};
  return content.between(start, end) === words ? { start, end } : {};
}

/** `{ type: 'document', id, document }` or `{ type: 'tool', id, tool_output }`; a document has whatever fields it was given. */
function factsOf(source: WireObject | undefined): Omit<Citation, 'raw'> {
  const document = objectIn(source, 'document');
  return present({ url: wordIn(document, 'url'), title: wordIn(document, 'title'), source: wordIn(source, 'id') });
}
