import fc from 'fast-check';
import { createByteOffsets, type ByteOffsets } from '../../../providers/google/byteOffsets';

/** Of one, two, three and four bytes, and halves of a pair, alone or by chance together. */
const anyUnits = fc.constantFrom('a', '\n', 'é', 'ß', '月', '\uffff', '🌠', '👩‍🚀', '\ud83c', '\udf20');
const anyText = fc.string({ unit: anyUnits, maxLength: 40 });
/** Longer than the step between two notes. */
const longText = fc
  .tuple(anyText, fc.nat(3))
  .map(([text, doublings]) => Array.from({ length: doublings }).reduce<string>((long) => long + long + 'x', text));

describe('createByteOffsets', () => {
  it('finds the place of every character by its bytes, and none inside a character or beyond the text', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const offsets = offsetsOf(text);
        const places = placesByBytes(text);
        for (let offset = -1; offset <= Buffer.byteLength(text) + 1; offset += 1) {
          expect([offset, offsets.unitAt(offset)]).toEqual([offset, places.get(offset)]);
        }
      }),
    );
  });

  it('counts the bytes before a place', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const offsets = offsetsOf(text);
        for (const [bytes, unit] of placesByBytes(text)) expect(offsets.bytesBefore(unit)).toBe(bytes);
      }),
    );
  });

  it('says the same of a text that grows as of the whole, wherever it is asked in between', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 60 }), fc.nat(), (pieces, wanted) => {
        const growing = createByteOffsets();
        let text = '';
        for (const piece of pieces) {
          text += piece;
          growing.append(piece);
          const offset = wanted % (Buffer.byteLength(text) + 2);
          expect(growing.unitAt(offset)).toBe(offsetsOf(text).unitAt(offset));
          expect(growing.bytesBefore(text.length)).toBe(Buffer.byteLength(text));
          expect([growing.units, growing.bytes]).toEqual([text.length, Buffer.byteLength(text)]);
        }
      }),
    );
  });

  it('finds a hundred thousand places in a text of a million characters', () => {
    const text = 'né'.repeat(500_000);
    const offsets = offsetsOf(text);
    const found = Array.from({ length: 100_000 }, (_, place) => offsets.unitAt(15 * place));
    expect(found).toEqual(found.map((_, place) => 10 * place));
  });

  it.each([0.5, NaN, Infinity])('finds nothing at %d', (offset) => {
    expect(offsetsOf('ab').unitAt(offset)).toBeUndefined();
  });
});

function offsetsOf(text: string): ByteOffsets {
  const offsets = createByteOffsets();
  offsets.append(text);
  return offsets;
}

/** The places between two characters, each by the bytes before it. */
function placesByBytes(text: string): Map<number, number> {
  const places = new Map([[0, 0]]);
  let unit = 0;
  for (const character of text) {
    unit += character.length;
    places.set(Buffer.byteLength(text.slice(0, unit)), unit);
  }
  return places;
}
