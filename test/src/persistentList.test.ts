import fc from 'fast-check';
import type { Block } from 'rx-model-stream';
import { PersistentList } from '../../src/persistentList';

let made = 0;

/** A block that is no other block. */
function block(): Block {
  made += 1;
  return { kind: 'text', text: `block ${made}` };
}

function blocks(count: number): Block[] {
  return Array.from({ length: count }, block);
}

/** What the array would be after the list's `with`. */
function arrayWith(array: readonly Block[], index: number, changed: Block): Block[] {
  const copy = [...array];
  copy[index] = changed;
  return copy;
}

/** How many entries `act` copies from arrays into new ones. */
function entriesCopiedBy(act: () => void): number {
  let entries = 0;
  const slice = jest.spyOn(Array.prototype, 'slice');
  slice.mockImplementation(function (this: unknown[], ...range: [number?, number?]) {
    const copy: unknown[] = Reflect.apply(original, this, range) as unknown[];
    entries += copy.length;
    return copy;
  });
  try {
    act();
  } finally {
    slice.mockRestore();
  }
  return entries;
}
const original = Array.prototype.slice;

// Lengths at which the tree grows a level: 32, 32², and their neighbours.
const sizes = fc.oneof(fc.nat(70), fc.constantFrom(31, 32, 33, 1023, 1024, 1025, 1056));

describe('PersistentList', () => {
  it('holds what an array would hold', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(), { maxLength: 40 }), (size, places) => {
        let array: readonly Block[] = blocks(size);
        let list = PersistentList.from(array);
        for (const place of places) {
          const changed = block();
          const index = place % (array.length + 1);
          array = arrayWith(array, index, changed);
          list = list.with(index, changed);
        }
        expect(list.size).toBe(array.length);
        expect(list.toArray()).toEqual(array);
        array.forEach((expected, index) => {
          expect(list.at(index)).toBe(expected);
        });
        expect(list.at(array.length)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('1. never changes: with() gives a new list', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(), { minLength: 1, maxLength: 10 }), (size, places) => {
        const array = blocks(size);
        const list = PersistentList.from(array);
        for (const place of places)
          list
            .with(place % (size + 1), block())
            .with(size, block())
            .toArray();
        expect(list.size).toBe(size);
        expect(list.toArray()).toEqual(array);
      }),
      { numRuns: 50 },
    );
  });

  it('1. lets two lists be made of one', () => {
    const list = PersistentList.from(blocks(32));
    const [left, right] = [block(), block()];
    expect(list.with(32, left).at(32)).toBe(left);
    expect(list.with(32, right).at(32)).toBe(right);
    expect(list.at(32)).toBeUndefined();
  });

  it.each([10, 1_000, 100_000])('2. copies one node of at most 32 entries on each level, with %i entries', (size) => {
    const list = PersistentList.from(blocks(size));
    const levels = Math.ceil(Math.log(size) / Math.log(32));
    const copied = entriesCopiedBy(() => list.with(size >> 1, block()));
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThanOrEqual(32 * levels);
  });

  it('3. holds the very array it gives, up to 32 entries', () => {
    const list = PersistentList.from(blocks(32));
    expect(list.array).toHaveLength(32);
    expect(list.toArray()).toBe(list.array);
  });

  it('3. makes the array of more entries when it is asked for, and keeps it', () => {
    const list = PersistentList.from(blocks(33));
    expect(list.array).toBeUndefined();
    const array = list.toArray();
    expect(array).toHaveLength(33);
    expect(list.toArray()).toBe(array);
    expect(list.array).toBe(array);
  });
});
