import fc from 'fast-check';
import { sliceBytes, type ChunkSizes } from 'rx-model-stream/testing';

const sizes: fc.Arbitrary<ChunkSizes> = fc.oneof(
  fc.integer({ min: 1, max: 9 }),
  fc.array(fc.nat(9)),
  fc.record({ seed: fc.integer(), max: fc.integer({ min: 1, max: 9 }) }),
);

function textsOf(chunks: readonly Uint8Array[]): string[] {
  return chunks.map((chunk) => Buffer.from(chunk).toString('latin1'));
}

describe('sliceBytes()', () => {
  it('1. gives chunks that are the input, one after another', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), sizes, (input, how) => {
        expect(Buffer.concat(sliceBytes(input, how))).toEqual(Buffer.from(input));
      }),
    );
  });

  it('1. encodes text as UTF-8 and cuts inside its characters', () => {
    expect(sliceBytes('é', 1)).toEqual([new Uint8Array([0xc3]), new Uint8Array([0xa9])]);
  });

  it('2. gives copies that share nothing with the input, plain bytes of a Buffer too', () => {
    const input = Buffer.from('abcd');
    const chunks = sliceBytes(input, 2);
    input.fill(0);
    expect(textsOf(chunks)).toEqual(['ab', 'cd']);
    expect(chunks.map(({ constructor, buffer }) => [constructor.name, buffer.byteLength])).toEqual([
      ['Uint8Array', 2],
      ['Uint8Array', 2],
    ]);
  });

  it('cuts every so many bytes', () => {
    expect(textsOf(sliceBytes('abcdefg', 3))).toEqual(['abc', 'def', 'g']);
    expect(textsOf(sliceBytes('abcdef', 3))).toEqual(['abc', 'def']);
    expect(sliceBytes('', 3)).toEqual([]);
  });

  it('3. cuts after each of the lengths, 0 too, and leaves the rest in one', () => {
    expect(textsOf(sliceBytes('abcdefg', [1, 0, 2]))).toEqual(['a', '', 'bc', 'defg']);
    expect(textsOf(sliceBytes('abc', []))).toEqual(['abc']);
    expect(textsOf(sliceBytes('abc', [2, 9, 4]))).toEqual(['ab', 'c']);
  });

  it('cuts at random sizes from 1 to max, the same ones for the same seed', () => {
    const lengths = (seed: number): number[] =>
      sliceBytes(new Uint8Array(2000), { seed, max: 4 })
        .slice(0, -1)
        .map(({ length }) => length);
    expect(new Set(lengths(1))).toEqual(new Set([1, 2, 3, 4]));
    expect(lengths(1)).toEqual(lengths(1));
    expect(lengths(1)).not.toEqual(lengths(2));
  });

  it.each<[ChunkSizes, string]>([
    [0, 'Cannot use chunk size 0: expected a whole number from 1'],
    [1.5, 'Cannot use chunk size 1.5: expected a whole number from 1'],
    [NaN, 'Cannot use chunk size NaN: expected a whole number from 1'],
    [[3, -1], 'Cannot use chunk size with length -1: expected a whole number from 0'],
    [{ seed: 1, max: 0 }, 'Cannot use chunk size with max 0: expected a whole number from 1'],
  ])('throws a RangeError for %j', (how, message) => {
    expect(() => sliceBytes('abc', how)).toThrow(new RangeError(message));
  });
});
