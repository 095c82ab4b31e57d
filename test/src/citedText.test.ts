import fc from 'fast-check';
import type { Citation, TextBlock } from 'rx-model-stream';
import { citedText, retold } from '../../src/citedText';

const citations = fc.record({ url: fc.webUrl(), raw: fc.constant(null) });
const blocks = fc.record(
  {
    kind: fc.constant('text' as const),
    text: fc.string(),
    citations: fc.array(citations, { maxLength: 70 }),
    refusal: fc.constant(true as const),
  },
  { requiredKeys: ['kind', 'text'] },
);
/** Citations and further texts, as they come. */
const changes = fc.array(fc.oneof(citations, fc.string()), { maxLength: 100 });

function changed(block: TextBlock, change: Citation | string): TextBlock {
  return typeof change === 'string' ? retold(citedText(block, CITATION), change) : citedText(block, change);
}

/** What the block would be, made anew from all of its citations. */
function plainlyChanged(block: TextBlock, change: Citation | string): TextBlock {
  const cited = { ...block, citations: [...(block.citations ?? []), typeof change === 'string' ? CITATION : change] };
  return typeof change === 'string' ? { ...cited, text: change } : cited;
}

const CITATION: Citation = { url: 'https://a.example', raw: null };

function cited(count: number): TextBlock {
  let block: TextBlock = { kind: 'text', text: 'Words' };
  for (let place = 0; place < count; place += 1) block = citedText(block, { start: place, raw: null });
  return block;
}

describe('citedText() and retold()', () => {
  it('give the block with everything that was said', () => {
    fc.assert(
      fc.property(blocks, changes, (block, said) => {
        expect(said.reduce<TextBlock>(changed, block)).toEqual(said.reduce<TextBlock>(plainlyChanged, block));
      }),
    );
  });

  it('never change a block, whatever is made of it', () => {
    fc.assert(
      fc.property(blocks, changes, (block, said) => {
        const made: TextBlock[] = [block];
        for (const change of said) made.push(changed(made.at(-1)!, change));
        const texts = made.map((each) => JSON.stringify(each));
        for (const each of made) retold(citedText(each, CITATION), 'another');
        expect(made.map((each) => JSON.stringify(each))).toEqual(texts);
      }),
      { numRuns: 20 },
    );
  });

  it.each([3, 1000])(
    'give what is like any other object with %i citations: a copy has them all, as JSON too',
    (count) => {
      const block = cited(count);
      const expected = {
        kind: 'text',
        text: 'Words',
        citations: Array.from({ length: count }, (_, start) => ({ start, raw: null })),
      };
      expect({ ...block }).toStrictEqual(expected);
      expect(structuredClone(block)).toStrictEqual(expected);
      expect(JSON.parse(JSON.stringify(block))).toStrictEqual(expected);
      expect(block.citations).toBe(block.citations);
    },
  );

  it('read none of many citations to add one, nor to add to the text', () => {
    const block = cited(1000);
    const slice = jest.spyOn(Array.prototype, 'slice');
    const flatMap = jest.spyOn(Array.prototype, 'flatMap');
    try {
      citedText(retold(block, 'More words'), CITATION);
      expect(flatMap).not.toHaveBeenCalled();
      expect(slice.mock.results.every(({ value }) => (value as unknown[]).length <= 32)).toBe(true);
    } finally {
      slice.mockRestore();
      flatMap.mockRestore();
    }
  });
});
