import type { Citation } from '../../src/blocks';
import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { ContentBlock, ConverseWriter, EmitEvent } from './contentBlock';

/** Text, and the sources of its statements; they come before it. */
export function openText(writer: ConverseWriter, emit: EmitEvent): ContentBlock {
  const written = writer.open({ kind: 'text', text: '' }, emit);
  const citations: WireObject[] = [];
  return {
    written,
    read(delta, emit) {
      writer.append(written, textIn(delta, 'text') ?? '', emit);
      const citation = objectIn(delta, 'citation');
      if (citation === undefined) return;
      citations.push(citation);
      writer.cite(written, citationOf(citation), emit);
    },
    end(event, emit) {
      writer.end(written, {}, event, emit);
    },
    turn() {
      const text = written.content;
      if (text.trim() === '') return []; // Bedrock refuses blank text
      return [citations.length > 0 ? { citationsContent: { content: [{ text }], citations } } : { text }];
    },
  };
}

/** Places in the source are no places in the text: they stay in `raw`. */
function citationOf(wire: WireObject): Citation {
  const location = objectIn(wire, 'location');
  const [place] = Object.values(location ?? {}).map(objectOf);
  const number = numberIn(place, 'documentIndex') ?? numberIn(place, 'searchResultIndex');
  const quote = listIn(wire, 'sourceContent')
    .map((part) => textIn(objectOf(part), 'text') ?? '')
    .join('');
  return {
    ...present({
      url: wordIn(objectIn(location, 'web'), 'url'),
      title: wordIn(wire, 'title'),
      source: wordIn(wire, 'source') ?? number?.toString(),
      quote: quote === '' ? undefined : quote,
    }),
    raw: wire,
  };
}
