import fc from 'fast-check';
import { gemini, type Citation, type TextBlock } from 'rx-model-stream';
import { framesOf, readFrames } from '../../support/frames';

const CODE = { executableCode: { language: 'PYTHON', code: '1' } };
const SOURCE = { web: { uri: 'https://a.example', title: 'A' } };

const anyText = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '月', '🌊', '👩‍🚀'), minLength: 1, maxLength: 8 });
/** An answer: texts as they come, code between some of them. */
const anyAnswer = fc.array(fc.oneof({ weight: 3, arbitrary: anyText }, fc.constant(CODE)), { minLength: 1 });

const partOf = (piece: unknown) => (typeof piece === 'string' ? { text: piece } : piece);
const chunk = (part: unknown, more: object = {}) => ({ candidates: [{ content: { parts: [part] }, ...more }] });

interface Segment {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text?: string;
}

const groundingOf = (...segments: readonly object[]) => ({
  groundingMetadata: {
    groundingChunks: [SOURCE],
    groundingSupports: segments.map((segment) => ({ segment, groundingChunkIndices: [0] })),
  },
});

/** The text blocks at the end of an answer, cited in its chunk at this place. */
function textBlocks(parts: readonly unknown[], place: number, grounding: object): readonly TextBlock[] {
  const chunks = parts.map((part, index) => chunk(part, index === place ? grounding : {}));
  const { events } = readFrames(gemini(), framesOf(...chunks, { candidates: [{ finishReason: 'STOP' }] }));
  const blocks = new Map(events.flatMap((event) => ('block' in event ? [[event.index, event.block]] : [])));
  return [...blocks.values()].filter((block) => block.kind === 'text');
}

/** What is cited: the words in each block, in order. */
function citedWords(blocks: readonly TextBlock[]): readonly string[] {
  return blocks.flatMap(({ text, citations = [] }) => citations.map(({ start, end }) => text.slice(start, end)));
}

describe('gemini() cites', () => {
  it('the words of the segment, wherever they stand, whichever chunk says so', () => {
    fc.assert(
      fc.property(anyAnswer, fc.nat(), fc.nat(), fc.nat(), fc.boolean(), (answer, from, length, at, hasWords) => {
        const texts = answer.filter((piece) => typeof piece === 'string');
        fc.pre(texts.length > 0);
        const characters = Array.from(texts.join(''));
        const start = from % characters.length;
        const words = characters.slice(start, start + 1 + (length % (characters.length - start))).join('');
        const startIndex = Buffer.byteLength(characters.slice(0, start).join(''));
        const segment: Segment = { startIndex, endIndex: startIndex + Buffer.byteLength(words) };
        const grounding = groundingOf(hasWords ? { ...segment, text: words } : segment);
        const cited = citedWords(textBlocks(answer.map(partOf), at % answer.length, grounding));
        expect(cited).toHaveLength(1);
        expect(words.startsWith(cited[0]!)).toBe(true); // where they go beyond a block, they end with it
        expect(cited[0]).not.toBe('');
      }),
    );
  });

  it('all of the words where there is one block', () => {
    const text = '🌊🌊 大潮は十五日です。 Perigee 👩‍🚀 is near.';
    const wordsOf = (words: string): Segment => {
      const startIndex = Buffer.byteLength(text.slice(0, text.indexOf(words)));
      return { startIndex, endIndex: startIndex + Buffer.byteLength(words) };
    };
    const words = ['大潮は十五日です。', 'Perigee 👩‍🚀', 'is near.', '🌊🌊', text];
    const cited = citedWords(textBlocks(Array.from(text).map(partOf), 0, groundingOf(...words.map(wordsOf))));
    expect(cited).toEqual(words);
  });

  it.each<[string, object]>([
    ['inside a character', { startIndex: 1, endIndex: 4 }],
    ['beyond the text', { startIndex: 0, endIndex: 99 }],
    ['that ends before it begins', { startIndex: 5, endIndex: 4 }],
    ['of other words', { startIndex: 0, endIndex: 4, text: 'none' }],
    ['without an end', { startIndex: 0 }],
    ['that is no object', []],
  ])('no words by a segment %s', (_what, segment) => {
    const [block] = textBlocks([{ text: '🌊 tide' }], 0, groundingOf(segment));
    expect(block?.citations).toEqual([expect.not.objectContaining({ start: expect.anything() as unknown })]);
    expect(block?.citations).toMatchObject([{ url: 'https://a.example', title: 'A' }]);
  });

  it('each source once, however often it is repeated', () => {
    const grounding = groundingOf({ endIndex: 1 }, { endIndex: 2 }, { endIndex: 1 });
    const chunks = ['ab', 'cd', 'ef'].map((text) => chunk({ text }, grounding));
    const { events } = readFrames(gemini(), framesOf(...chunks, { candidates: [{ finishReason: 'STOP' }] }));
    const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(cited.map(({ end }) => end)).toEqual([1, 2]);
  });

  it('a source again only where something new is said of it: of those told before, the supports name what they mean', () => {
    const others = { web: { uri: 'https://b.example' } };
    const late = { groundingSupports: [{ segment: { endIndex: 1 }, groundingChunkIndices: [1] }] };
    const { events } = readFrames(
      gemini(),
      framesOf(
        chunk({ text: 'One' }, { groundingMetadata: { groundingChunks: [SOURCE, others] } }),
        chunk({ text: 'two' }, { groundingMetadata: late, finishReason: 'STOP' }),
      ),
    );
    const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(cited.map(({ url, end }) => [url, end])).toEqual([
      ['https://a.example', undefined],
      ['https://b.example', undefined],
      ['https://b.example', 1],
    ]);
  });

  it.each<[string, object, Omit<Citation, 'raw'>]>([
    [
      'the web',
      { web: { uri: 'https://a.example', title: 'A', domain: 'a.example' } },
      { url: 'https://a.example', title: 'A' },
    ],
    [
      'a document',
      { retrievedContext: { documentName: 'd7', title: 'A', text: 'Words' } },
      { title: 'A', source: 'd7', quote: 'Words' },
    ],
    [
      'a place',
      { maps: { uri: 'https://m.example', placeId: 'p7', title: 'A' } },
      { url: 'https://m.example', title: 'A', source: 'p7' },
    ],
    [
      'a picture',
      { image: { sourceUri: 'https://i.example', imageUri: 'https://i.example/a.png' } },
      { url: 'https://i.example' },
    ],
    ['something unknown', { hologram: { uri: 'https://h.example' } }, { url: 'https://h.example' }],
    ['nothing', {}, {}],
  ])('%s', (_what, groundingChunk, facts) => {
    const grounding = { groundingMetadata: { groundingChunks: [groundingChunk] } };
    const [block] = textBlocks([{ text: 'Words' }], 0, grounding);
    expect(block?.citations).toEqual([{ ...facts, raw: { groundingChunk } }]);
  });
});
