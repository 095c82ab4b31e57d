import fc from 'fast-check';
import { createHeldBytes } from '../../../src/framing/heldBytes';

const bytes = fc.uint8Array({ maxLength: 600 });

describe('createHeldBytes()', () => {
  it('gives what it holds, in order, with the rest behind it, and then holds nothing', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 8 }), bytes, (pieces, rest) => {
        const held = createHeldBytes();
        for (const piece of pieces) held.add(piece);
        expect(held).toHaveLength(pieces.reduce((sum, { length }) => sum + length, 0));
        expect([...held.take(rest)]).toEqual([...pieces, rest].flatMap((piece) => [...piece]));
        expect(held).toHaveLength(0);
      }),
    );
  });

  it('copies nothing where nothing is held', () => {
    const rest = Uint8Array.of(1, 2);
    expect(createHeldBytes().take(rest)).toBe(rest);
  });

  it('leaves what was taken as it is when it holds more', () => {
    const held = createHeldBytes();
    held.add(Uint8Array.of(1, 2));
    const taken = held.take();
    held.add(Uint8Array.of(3, 4));
    expect([...taken]).toEqual([1, 2]);
  });
});
