import fc from 'fast-check';
import { createPartialArguments } from '../../../providers/gemini/partialArguments';
import { createRandom } from '../../../src/testing/createRandom';
import { piecesOf, type PartialArg } from '../../support/partialArgs';

/** What was written of these pieces: the text as it grew, and the whole. */
function read(pieces: readonly object[]): { readonly written: string; readonly whole: string | undefined } {
  const partial = createPartialArguments();
  const written = pieces.map((piece) => partial.read({ ...piece }) ?? '<no place>');
  return { written: ['{', ...written].join(''), whole: partial.whole() };
}

const anyText = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '}', 'é', '🌠', '\ud83c') });

/** An object as arguments are, without empty objects inside. */
const anyArguments = fc.dictionary(
  fc.oneof(anyText, fc.constant('__proto__')),
  fc.letrec<{ value: unknown; list: unknown[]; object: object }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(anyText, fc.boolean(), fc.constant(null), fc.integer(), fc.constantFrom(0.5, 1e21, -1e-7)),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(anyText, tie('value'), { minKeys: 1, maxKeys: 4 }),
  })).value,
  { maxKeys: 5 },
);

/** Cuts a text anywhere, inside a pair of surrogates too: into pieces of so many units in turn. */
function cutInto(sizes: readonly number[]): (text: string) => readonly string[] {
  let turn = 0;
  return (text) => {
    const parts: string[] = [];
    for (let start = 0; start < text.length || parts.length === 0;) {
      const size = sizes.length === 0 ? text.length : sizes[turn++ % sizes.length]!;
      parts.push(text.slice(start, start + size));
      start += size;
    }
    return parts;
  };
}

const anyPieces = fc
  .tuple(anyArguments, fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }))
  .map(([value, sizes]) => ({ value, pieces: piecesOf(value, cutInto(sizes)) }));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe('createPartialArguments() writes pieces as JSON text', () => {
  it('that grows to the whole, in the order of the text, wherever strings are cut', () => {
    fc.assert(
      fc.property(anyPieces, ({ value, pieces }) => {
        const { written, whole = '' } = read(pieces);
        expect(whole.slice(0, written.length)).toBe(written);
        expect(JSON.parse(whole)).toEqual(asJson(value));
      }),
    );
  });

  it('that is whole at the end, in any order of values', () => {
    fc.assert(
      fc.property(anyPieces, fc.nat(), ({ value, pieces }, seed) => {
        const shuffled = interleaved(pieces, createRandom(seed));
        expect(JSON.parse(read(shuffled).whole ?? '')).toEqual(asJson(value));
      }),
    );
  });

  it.each<[string, readonly object[], string, string | undefined]>([
    ['nothing', [], '{', '{}'],
    [
      'a string that ends with its last piece',
      [
        { jsonPath: '$.to', stringValue: 'Par', willContinue: true },
        { jsonPath: '$.to', stringValue: 'is' },
      ],
      '{"to":"Paris"',
      '{"to":"Paris"}',
    ],
    [
      'a string that ends with an empty piece',
      [
        { jsonPath: '$.to', stringValue: 'Paris', willContinue: true },
        { jsonPath: '$.to', stringValue: '' },
      ],
      '{"to":"Paris"',
      '{"to":"Paris"}',
    ],
    [
      'a string that ends with a piece without a value',
      [{ jsonPath: '$.to', stringValue: 'Paris', willContinue: true }, { jsonPath: '$.to' }],
      '{"to":"Paris"',
      '{"to":"Paris"}',
    ],
    [
      'a string that ends once more',
      [
        { jsonPath: '$.to', stringValue: 'Paris' },
        { jsonPath: '$.to', stringValue: '' },
      ],
      '{"to":"Paris"',
      '{"to":"Paris"}',
    ],
    [
      'a string that the next value ends',
      [
        { jsonPath: '$.to', stringValue: 'Paris', willContinue: true },
        { jsonPath: '$.by', stringValue: 'train' },
      ],
      '{"to":"Paris","by":"train"',
      '{"to":"Paris","by":"train"}',
    ],
    ['an empty string', [{ jsonPath: '$.to', stringValue: '' }], '{"to":""', '{"to":""}'],
    ['null', [{ jsonPath: '$.to', nullValue: 'NULL_VALUE' }], '{"to":null', '{"to":null}'],
    [
      'false and zero',
      [
        { jsonPath: '$.a', boolValue: false },
        { jsonPath: '$.b', numberValue: 0 },
      ],
      '{"a":false,"b":0',
      '{"a":false,"b":0}',
    ],
    ['an empty array', [{ jsonPath: '$.list[]' }], '{"list":[', '{"list":[]}'],
    [
      'one place by two paths',
      [
        { jsonPath: '$.to', stringValue: 'Par', willContinue: true },
        { jsonPath: "$['to']", stringValue: 'is' },
      ],
      '{"to":"Paris"',
      '{"to":"Paris"}',
    ],
    [
      'no text for a place that lies behind, nor for what follows',
      [
        { jsonPath: '$.a.x', numberValue: 1 },
        { jsonPath: '$.b', numberValue: 2 },
        { jsonPath: '$.a.y', numberValue: 3 },
        { jsonPath: '$.c', numberValue: 4 },
      ],
      '{"a":{"x":1},"b":2',
      '{"a":{"x":1,"y":3},"b":2,"c":4}',
    ],
    [
      'the later of two values for one place',
      [
        { jsonPath: '$.a', numberValue: 1 },
        { jsonPath: '$.a', numberValue: 2 },
      ],
      '{"a":1',
      '{"a":2}',
    ],
    [
      'no element ahead of one that is missing',
      [
        { jsonPath: '$.list[1]', numberValue: 1 },
        { jsonPath: '$.list[0]', numberValue: 0 },
      ],
      '{',
      '{"list":[0,1]}',
    ],
  ])('%s', (_what, pieces, written, whole) => {
    expect(read(pieces)).toEqual({ written, whole });
  });

  it.each<[string, readonly object[]]>([
    ['inside a string', [{ jsonPath: '$.to', stringValue: 'Par', willContinue: true }]],
    ['inside an empty one', [{ jsonPath: '$.to', stringValue: '', willContinue: true }]],
    [
      'before an element',
      [
        { jsonPath: '$.list[0]', numberValue: 1 },
        { jsonPath: '$.list[2]', numberValue: 1 },
      ],
    ],
    ['far ahead of the elements', [{ jsonPath: '$.list[4294967295]', numberValue: 1 }]],
  ])('that is not whole when they end %s', (_what, pieces) => {
    expect(read(pieces).whole).toBeUndefined();
  });

  it.each<[string, object]>([
    ['without a path', { stringValue: 'a' }],
    ['with an empty path', { jsonPath: '', stringValue: 'a' }],
    ['for the whole', { jsonPath: '$', stringValue: 'a' }],
    ['with a path of another kind', { jsonPath: '$.a[*]', stringValue: 'a' }],
    ['without a value', { jsonPath: '$.b' }],
    ['with a value of a kind that is not known', { jsonPath: '$.b', hologramValue: 7 }],
    ['inside a number', { jsonPath: '$.n.b', numberValue: 1 }],
    ['inside null', { jsonPath: '$.o.b', numberValue: 1 }],
    ['for the key of an array', { jsonPath: '$.list.b', numberValue: 1 }],
    ['for the element of an object', { jsonPath: '$.object[0]', numberValue: 1 }],
    ['for an element without an index', { jsonPath: '$.list[]', numberValue: 1 }],
    ['for an array where an object is', { jsonPath: '$.object[]' }],
    ['for an array where a number is', { jsonPath: '$.n[]' }],
  ])('and has no place for a piece %s', (_what, piece) => {
    const partial = createPartialArguments();
    const known: PartialArg[] = [
      { jsonPath: '$.n', numberValue: 7 },
      { jsonPath: '$.o', nullValue: 'NULL_VALUE' },
      { jsonPath: '$.list[0]', numberValue: 7 },
      { jsonPath: '$.object.a', numberValue: 7 },
    ];
    for (const entry of known) partial.read({ ...entry });
    expect(partial.read({ ...piece })).toBeUndefined();
    expect(partial.whole()).toBe('{"n":7,"o":null,"list":[7],"object":{"a":7}}');
  });

  it('of two hundred thousand pieces', () => {
    const count = 100_000;
    const partial = createPartialArguments();
    for (let sent = 0; sent < count; sent += 1) {
      partial.read({ jsonPath: '$.body', stringValue: 'abcd', willContinue: true });
    }
    for (let sent = 0; sent < count; sent += 1) partial.read({ jsonPath: `$.list[${sent}].n`, numberValue: sent });
    const value = JSON.parse(partial.whole() ?? '') as { body: string; list: { n: number }[] };
    expect([value.body.length, value.list.length, value.list.at(-1)]).toEqual([4 * count, count, { n: count - 1 }]);
  });
});

/** The pieces of all places in a random order, those of one place in theirs. */
function interleaved(pieces: readonly PartialArg[], random: () => number): readonly PartialArg[] {
  const places = new Map<string, PartialArg[]>();
  for (const piece of pieces) places.set(piece.jsonPath, [...(places.get(piece.jsonPath) ?? []), piece]);
  const queues = [...places.values()];
  return pieces.map(() => {
    const left = queues.filter((queue) => queue.length > 0);
    return left[Math.floor(random() * left.length)]!.shift()!;
  });
}
