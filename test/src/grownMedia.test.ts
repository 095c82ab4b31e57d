import fc from 'fast-check';
import type { MediaBlock, MediaDeltaEvent } from 'rx-model-stream';
import { grownMedia } from '../../src/grownMedia';

const deltas = fc.array(
  fc.record(
    {
      type: fc.constant('media-delta' as const),
      index: fc.constant(0),
      data: fc.string({ minLength: 1 }),
      transcript: fc.string({ minLength: 1 }),
      mimeType: fc.constant('audio/pcm'),
    },
    { requiredKeys: ['type', 'index'] },
  ),
  { maxLength: 100 },
);

const blocks = fc.record(
  { kind: fc.constant('media' as const), parts: fc.array(fc.string(), { maxLength: 70 }), url: fc.string() },
  { requiredKeys: ['kind', 'parts'] },
);

/** What the block would be, made anew from all of its pieces. */
function plainlyGrown(block: MediaBlock, { data, transcript, mimeType }: MediaDeltaEvent): MediaBlock {
  return {
    ...block,
    parts: data === undefined ? block.parts : [...block.parts, data],
    ...(transcript !== undefined && { transcript: (block.transcript ?? '') + transcript }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function grown(block: MediaBlock, pieces: number): MediaBlock {
  let result = block;
  for (let piece = 0; piece < pieces; piece += 1) {
    result = grownMedia(result, { type: 'media-delta', index: 0, data: `piece ${piece}` });
  }
  return result;
}

describe('grownMedia()', () => {
  it('gives the block with everything that was said', () => {
    fc.assert(
      fc.property(blocks, deltas, (block, events) => {
        const expected = events.reduce<MediaBlock>(plainlyGrown, block);
        expect(events.reduce<MediaBlock>(grownMedia, block)).toEqual(expected);
      }),
    );
  });

  it('never changes a block, whatever is made of it', () => {
    fc.assert(
      fc.property(blocks, deltas, (block, events) => {
        const made: MediaBlock[] = [block];
        for (const event of events) made.push(grownMedia(made.at(-1)!, event));
        const texts = made.map((each) => JSON.stringify(each));
        for (const each of made) grownMedia(each, { type: 'media-delta', index: 0, data: 'another', transcript: '!' });
        expect(made.map((each) => JSON.stringify(each))).toEqual(texts);
      }),
      { numRuns: 20 },
    );
  });

  it.each([3, 1000])('is like any other object with %i pieces: a copy has them all, as JSON too', (pieces) => {
    const block = grown({ kind: 'media', mimeType: 'audio/pcm', parts: [] }, pieces);
    const parts = Array.from({ length: pieces }, (_none, piece) => `piece ${piece}`);
    const expected = { kind: 'media', mimeType: 'audio/pcm', parts };
    expect({ ...block }).toStrictEqual(expected);
    expect(structuredClone(block)).toStrictEqual(expected);
    expect(JSON.parse(JSON.stringify(block))).toStrictEqual(expected);
    expect(block.parts).toBe(block.parts);
  });

  it('reads no piece of a long sound to add one, nor to add to its transcript', () => {
    const block = grown({ kind: 'media', parts: [] }, 1000);
    const slice = jest.spyOn(Array.prototype, 'slice');
    const flatMap = jest.spyOn(Array.prototype, 'flatMap');
    try {
      grownMedia(grownMedia(block, { type: 'media-delta', index: 0, data: 'AA==' }), {
        type: 'media-delta',
        index: 0,
        transcript: 'word',
      });
      expect(flatMap).not.toHaveBeenCalled();
      expect(slice.mock.results.every(({ value }) => (value as unknown[]).length <= 32)).toBe(true);
    } finally {
      slice.mockRestore();
      flatMap.mockRestore();
    }
  });
});
