import { concatBytes } from '../support/awsEventStream';
import type { Dice } from '../support/dice';

type Bytes = Uint8Array<ArrayBuffer>;
type Damage = (bytes: Bytes, dice: Dice) => Bytes;

/** Bytes that stand for something in one of the framings, or in none. */
const STRANGE: readonly Bytes[] = [
  [0x00],
  [0x0a],
  [0x0d],
  [0x0d, 0x0a],
  [0x0a, 0x0a],
  [0x22],
  [0x5c],
  [0xc3], // the first of two bytes
  [0xff, 0xfe],
  [0xed, 0xa0, 0x80], // a surrogate, as no UTF-8 has it
  [0xef, 0xbb, 0xbf], // a byte order mark
  [0xe2, 0x80, 0xa8], // a line separator, which ends no line
  [0xf0, 0x9f],
].map((bytes) => Uint8Array.from(bytes));

const STRANGE_TEXTS: readonly Bytes[] = [
  'data: [DONE]\n\n',
  '\n\nevent: error\ndata: {"error":{"message":"m","code":429}}\n\n',
  'data:\n\n',
  'event: __proto__\n',
  'id: __proto__\n',
  'retry: 99999999999999999999\n',
  ':\n',
  '{"__proto__":{"polluted":true}}',
  ']',
  '}',
  '[[',
  ',',
  'null',
  '1e999',
  '\\ud800',
].map((text) => new TextEncoder().encode(text));

const LONG = 70_000; // more than the smaller of the two bounds on a frame

/** What may happen to bytes on the way, or be done to them. */
const DAMAGES: readonly Damage[] = [
  flip,
  flip,
  (bytes, dice) => inserted(bytes, dice, dice.pick(STRANGE)),
  (bytes, dice) => inserted(bytes, dice, dice.pick(STRANGE_TEXTS)),
  (bytes, dice) => inserted(bytes, dice, new Uint8Array(1 + dice.below(8))),
  (bytes, dice) => inserted(bytes, dice, randomBytes(dice)),
  leftOut,
  leftOut,
  repeated,
  moved,
  (bytes, dice) => bytes.slice(0, dice.below(bytes.length + 1)),
  (bytes, dice) => bytes.slice(dice.below(bytes.length + 1)),
];

/** Rare, as they take long: a line or comment without an end, and brackets without an end. */
const LONG_DAMAGES: readonly Damage[] = [
  (bytes, dice) => inserted(bytes, dice, new Uint8Array(LONG).fill(0x78)),
  (bytes, dice) => inserted(bytes, dice, concatBytes([text('\n: '), new Uint8Array(LONG).fill(0x78)])),
  (bytes, dice) => inserted(bytes, dice, concatBytes([text('\ndata: '), new Uint8Array(LONG).fill(0x78)])),
  (bytes, dice) => inserted(bytes, dice, text('\ndata: x'.repeat(LONG / 10))),
  (bytes, dice) => inserted(bytes, dice, new Uint8Array(LONG).fill(dice.pick([0x5b, 0x0a, 0x0d, 0x20, 0x00, 0x22]))),
  (bytes, dice) => inserted(bytes, dice, text('{"a":'.repeat(LONG / 10))),
];

const LONG_CHANCE = 0.02;

export function damagedBytes(bytes: Bytes, dice: Dice): Bytes {
  return dice.pick(dice.chance(LONG_CHANCE) ? LONG_DAMAGES : DAMAGES)(bytes, dice);
}

function flip(bytes: Bytes, dice: Dice): Bytes {
  const flipped = bytes.slice();
  for (let count = 1 + dice.below(4); count > 0 && flipped.length > 0; count -= 1) {
    const place = dice.below(flipped.length);
    flipped[place] = flipped[place]! ^ (1 << dice.below(8));
  }
  return flipped;
}

function inserted(bytes: Bytes, dice: Dice, piece: Uint8Array): Bytes {
  const place = dice.below(bytes.length + 1);
  return concatBytes([bytes.subarray(0, place), piece, bytes.subarray(place)]);
}

function leftOut(bytes: Bytes, dice: Dice): Bytes {
  const [start, end] = rangeIn(bytes, dice);
  return concatBytes([bytes.subarray(0, start), bytes.subarray(end)]);
}

function repeated(bytes: Bytes, dice: Dice): Bytes {
  const [start, end] = rangeIn(bytes, dice);
  return concatBytes([bytes.subarray(0, end), bytes.subarray(start)]);
}

function moved(bytes: Bytes, dice: Dice): Bytes {
  const [start, end] = rangeIn(bytes, dice);
  return inserted(concatBytes([bytes.subarray(0, start), bytes.subarray(end)]), dice, bytes.subarray(start, end));
}

function rangeIn(bytes: Bytes, dice: Dice): [start: number, end: number] {
  const start = dice.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + 1 + dice.below(dice.pick([4, 40, 400])))];
}

function randomBytes(dice: Dice): Bytes {
  return Uint8Array.from({ length: 1 + dice.below(16) }, () => dice.below(256));
}

function text(value: string): Bytes {
  return new TextEncoder().encode(value);
}
