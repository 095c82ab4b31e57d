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
  const results = new Map<unknown, WireObject>();
  for (const value of listIn(chunk, 'search_results')) {
    const result = objectOf(value);
    if (result && !results.has(result['url'])) results.set(result['url'], result);
  }
  return urls.flatMap((url) => {
    if (typeof url !== 'string') return [];
    const result = results.get(url);
    return [{ url, ...present({ title: wordIn(result, 'title') }), raw: result ?? url }];
  });
}
