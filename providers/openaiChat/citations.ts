import type { Citation } from '../../src/blocks';
import { listIn, numberIn, objectIn, objectOf, present, wordIn, type WireObject } from '../../src/wire';

/** `{ type: 'url_citation', url_citation: { url, title, content, start_index, end_index } }`. */
export function annotationOf(raw: unknown): Citation {
  const annotation = objectOf(raw);
  const wire = objectIn(annotation, 'url_citation') ?? annotation;
  const end = numberIn(wire, 'end_index');
  return {
    ...present({
      url: wordIn(wire, 'url'),
      title: wordIn(wire, 'title'),
      quote: wordIn(wire, 'content'),
      ...(end !== undefined && end > 0 && { start: numberIn(wire, 'start_index'), end }),
    }),
    raw,
  };
}

/** The sources of a whole answer, as a list of URLs: xAI in the last chunk, Perplexity in every one with its results. */
export function sourcesIn(chunk: WireObject): readonly Citation[] {
  const urls = listIn(chunk, 'citations');
  if (urls.length === 0) return [];
  const results = listIn(chunk, 'search_results').map(objectOf);
  return urls.flatMap((url) => {
    if (typeof url !== 'string') return [];
    const result = results.find((candidate) => candidate?.['url'] === url);
    return [{ url, ...present({ title: wordIn(result, 'title') }), raw: result ?? url }];
  });
}
