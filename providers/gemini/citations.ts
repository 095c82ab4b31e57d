import type { Citation } from '../../src/blocks';
import { createGrowingText } from '../../src/growingText';
import { lastNotAfter } from '../../src/lastNotAfter';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { createByteOffsets } from '../google/byteOffsets';
import type { EmitEvent } from './mapper';
import type { GeminiTurn } from './turn';

/** The citations of one candidate, and the text they are about. */
export interface Citations {
  /** A text block begins. */
  begin(written: WrittenBlock): void;
  /** It goes on. */
  append(delta: string): void;
  /** Cites what a candidate says of its sources, each once: later chunks repeat them. */
  read(candidate: WireObject, emit: EmitEvent): void;
  /** Cites what waited for its text. */
  end(provider: string, emit: EmitEvent): void;
}

/** A source, and which part of the text it stands behind. */
interface Source {
  readonly citation: Omit<Citation, 'start' | 'end'>;
  /** In bytes of the text, absent where the source stands behind no part of it. */
  readonly range?: { readonly start: number; readonly end: number; readonly text?: string };
}

/**
 * Offsets on the wire count bytes of the candidate's whole text, in a citation UTF-16 units of its block. Where the wire
 * repeats the words in question they decide: then offsets may also be those of the latest block.
 */
export function createCitations(writer: ResponseWriter<GeminiTurn>): Citations {
  const blocks: WrittenBlock[] = [];
  const starts: number[] = []; // of the blocks, in units of the text
  const text = createGrowingText(); // of all blocks
  const offsets = createByteOffsets(); // in it
  const cited = new Set<string>();
  let waiting: Source[] = [];
  let chunks: readonly unknown[] = []; // of the grounding: its supports name them by index, maybe later

  function cite(source: Source, emit: EmitEvent): void {
    const units = rangeOf(source);
    const index = units ? lastNotAfter(starts, units.start) : blocks.length - 1;
    const written = blocks[index];
    if (!written) return;
    const start = starts[index] ?? 0;
    const place = units && {
      start: units.start - start,
      end: Math.min(units.end - start, written.content.length),
    };
    writer.cite(written, { ...source.citation, ...place }, emit);
  }

  function rangeOf({ range }: Source): { readonly start: number; readonly end: number } | undefined {
    if (!range) return undefined;
    for (const base of [0, starts.at(-1) ?? 0]) {
      const bytesBefore = offsets.bytesBefore(base);
      const start = offsets.unitAt(bytesBefore + range.start);
      const end = offsets.unitAt(bytesBefore + range.end);
      if (start === undefined || end === undefined || start > end) continue;
      if (range.text === undefined || text.between(start, end) === range.text) return { start, end };
    }
    return undefined;
  }

  return {
    begin(written) {
      blocks.push(written);
      starts.push(offsets.units);
    },
    append(delta) {
      text.append(delta);
      offsets.append(delta);
    },
    read(candidate, emit) {
      const grounding = objectIn(candidate, 'groundingMetadata');
      const told = listIn(grounding, 'groundingChunks');
      if (told.length > 0) chunks = told;
      for (const source of [...recitedSources(candidate), ...groundingSources(grounding, chunks, told)]) {
        const { url, title, source: named } = source.citation;
        const identity = JSON.stringify([url, title, named, source.range?.start, source.range?.end]);
        if (cited.has(identity)) continue;
        cited.add(identity);
        const isAhead = blocks.length === 0 || (source.range?.end ?? 0) > offsets.bytes;
        if (isAhead) waiting.push(source);
        else cite(source, emit);
      }
    },
    end(provider, emit) {
      for (const source of waiting) {
        if (blocks.length > 0) cite(source, emit);
        else emit({ type: 'raw', provider, event: source.citation.raw });
      }
      waiting = [];
    },
  };
}

function recitedSources(candidate: WireObject): readonly Source[] {
  const metadata = objectIn(candidate, 'citationMetadata');
  const recited = [...listIn(metadata, 'citationSources'), ...listIn(metadata, 'citations')]; // Developer API, Vertex
  return recited.map(recitedSource);
}

/** `{ startIndex?, endIndex, uri?, title? }`: the answer repeats a text of others. */
function recitedSource(raw: unknown): Source {
  const wire = objectOf(raw);
  const citation = { ...present({ url: wordIn(wire, 'uri'), title: wordIn(wire, 'title') }), raw };
  return { citation, ...rangeIn(wire) };
}

/** Each support with each chunk it names, then of the chunks told here those that stand behind no part of the text. */
function groundingSources(
  grounding: WireObject | undefined,
  chunks: readonly unknown[],
  told: readonly unknown[],
): readonly Source[] {
  if (grounding === undefined) return [];
  const named = new Set<number>();
  const supported = listIn(grounding, 'groundingSupports').flatMap((groundingSupport): Source[] => {
    const support = objectOf(groundingSupport);
    const range = rangeIn(objectIn(support, 'segment'));
    const indices = listIn(support, 'groundingChunkIndices').filter((index) => typeof index === 'number');
    return indices.flatMap((index) => {
      const groundingChunk = chunks[index];
      if (groundingChunk === undefined) return [];
      named.add(index);
      return [{ citation: { ...factsOf(groundingChunk), raw: { groundingSupport, groundingChunk } }, ...range }];
    });
  });
  const others = told.flatMap((groundingChunk, index): Source[] =>
    named.has(index) ? [] : [{ citation: { ...factsOf(groundingChunk), raw: { groundingChunk } } }],
  );
  return [...supported, ...others];
}

/** The start is left out when it is 0. */
function rangeIn(wire: WireObject | undefined): Pick<Source, 'range'> {
  const end = numberIn(wire, 'endIndex');
  if (end === undefined) return {};
  return { range: { start: numberIn(wire, 'startIndex') ?? 0, end, ...present({ text: textIn(wire, 'text') }) } };
}

/** `{ web }`, `{ retrievedContext }`, `{ maps }`, `{ image }`: what is known of the source. */
function factsOf(groundingChunk: unknown): Omit<Citation, 'raw'> {
  const chunk = objectOf(groundingChunk) ?? {};
  const source = Object.values(chunk).map(objectOf).find(Boolean);
  return present({
    url: wordIn(source, 'uri') ?? wordIn(source, 'sourceUri'),
    title: wordIn(source, 'title'),
    source: wordIn(source, 'documentName') ?? wordIn(source, 'placeId'),
    quote: wordIn(source, 'text'),
  });
}
