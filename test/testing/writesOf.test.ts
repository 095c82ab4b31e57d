import fc from 'fast-check';
import type { FakeAnswer } from 'rx-model-stream/testing';
import { writesOf } from '../../src/testing/writesOf';

async function textsOf(answer: FakeAnswer): Promise<string[]> {
  const texts: string[] = [];
  for await (const bytes of writesOf(answer)) texts.push(Buffer.from(bytes).toString());
  return texts;
}

describe('writesOf()', () => {
  it('makes one write of a body that is not cut', async () => {
    expect(await textsOf({ body: 'abc' })).toEqual(['abc']);
    expect(await textsOf({ body: Buffer.from('abc') })).toEqual(['abc']);
    expect(await textsOf({ body: [Buffer.from('ab'), Buffer.from('c')] })).toEqual(['ab', 'c']);
    expect(await textsOf({})).toEqual([]);
  });

  it('cuts every so many bytes', async () => {
    expect(await textsOf({ body: 'abcdefg', chunkBytes: 3 })).toEqual(['abc', 'def', 'g']);
    expect(await textsOf({ body: 'abcdef', chunkBytes: 3 })).toEqual(['abc', 'def']);
  });

  it('cuts after each of the lengths and leaves the rest in one', async () => {
    expect(await textsOf({ body: 'abcdefg', chunkBytes: [1, 2] })).toEqual(['a', 'bc', 'defg']);
    expect(await textsOf({ body: 'abc', chunkBytes: [2, 9] })).toEqual(['ab', 'c']);
  });

  it('counts on over the pieces of a body and never joins them', async () => {
    expect(await textsOf({ body: ['ab', 'cde'].map((text) => Buffer.from(text)), chunkBytes: 3 })).toEqual([
      'ab',
      'c',
      'de',
    ]);
  });

  it.each(['reset', 'stall', 'truncate'] as const)('stops at the fault %s', async (type) => {
    expect(await textsOf({ body: 'abcdef', chunkBytes: 2, fault: { type, afterBytes: 3 } })).toEqual(['ab', 'c']);
    expect(await textsOf({ body: 'abcdef', chunkBytes: 2, fault: { type, afterBytes: 0 } })).toEqual([]);
    expect(await textsOf({ body: 'abc', fault: { type, afterBytes: 9 } })).toEqual(['abc']);
  });

  it('puts the text of an error event in place of the rest', async () => {
    const fault = { type: 'error-event', afterBytes: 3, event: '!' } as const;
    expect(await textsOf({ body: 'abcdef', chunkBytes: 2, fault })).toEqual(['ab', 'c', '!']);
    expect(await textsOf({ body: 'abc', fault: { ...fault, afterBytes: 9 } })).toEqual(['abc', '!']);
  });

  it('asks for a piece only when the one before was taken, and gives the body up at the fault', async () => {
    let made = 0;
    let given = false;
    function* body(): Generator<Uint8Array> {
      try {
        for (;;) yield Buffer.from([(made += 1)]);
      } finally {
        given = true;
      }
    }
    const seen: number[] = [];
    for await (const [byte] of writesOf({ body: body(), fault: { type: 'stall', afterBytes: 3 } })) {
      expect(made).toBe(byte);
      seen.push(made);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(given).toBe(true);
  });

  it('gives the same bytes however they are cut', async () => {
    const cuts = fc.oneof(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(9)),
      fc.record({ seed: fc.integer(), max: fc.integer({ min: 1, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), cuts, async (body, chunkBytes) => {
        const written: Uint8Array[] = [];
        for await (const bytes of writesOf({ body, chunkBytes })) written.push(bytes);
        expect(Buffer.concat(written)).toEqual(Buffer.concat(body));
      }),
    );
  });
});
