import { damagedJson } from './damagedJson';
import type { Dice } from '../support/dice';
import type { WireRecord } from './records';

type Records = readonly WireRecord[];
type Damage = (records: Records, dice: Dice) => Records;

/** What may become of payloads that are whole, and of one of them. */
const DAMAGES: readonly Damage[] = [
  (records, dice) => spliced(records, dice.below(records.length), 1 + dice.below(3)),
  (records, dice) => spliced(records, dice.below(records.length), 0, dice.pick(records)),
  (records, dice) => [...records.slice(0, dice.below(records.length)), ...records],
  swapped,
  glued,
  renamed,
  (records, dice) => [...records, ...records.slice(dice.below(records.length))], // goes on after its end
  ...Array.from({ length: 10 }, () => changed),
];

export function damagedRecords(records: Records, dice: Dice): Records {
  return records.length === 0 ? records : dice.pick(DAMAGES)(records, dice);
}

/** The beginning, the end and a piece between: a long recording says the same for a long time. */
export function thinned(records: Records, dice: Dice): Records {
  const kept = 30;
  if (records.length <= 4 * kept) return records;
  const start = kept + dice.below(records.length - 3 * kept);
  return [...records.slice(0, kept), ...records.slice(start, start + kept), ...records.slice(-kept)];
}

function swapped(records: Records, dice: Dice): Records {
  const [a, b] = [dice.below(records.length), dice.below(records.length)];
  return spliced(spliced(records, a, 1, records[b]!), b, 1, records[a]!);
}

function glued(records: Records, dice: Dice): Records {
  const place = dice.below(records.length);
  const [first, second = dice.pick(records)] = records.slice(place, place + 2);
  const text = `${first!.text}${dice.pick(['', '\n', ' ', ',', '\0'])}${second.text}`;
  return spliced(records, place, 2, { ...first!, text });
}

function renamed(records: Records, dice: Dice): Records {
  const place = dice.below(records.length);
  const names = ['error', 'done', 'output', 'chunk', '__proto__', 'constructor', 'throttlingException', ''];
  return spliced(records, place, 1, { ...records[place]!, name: dice.pick(names) });
}

/** One payload with another value, in the order of the others. */
function changed(records: Records, dice: Dice): Records {
  const place = dice.below(records.length);
  const { text, ...rest } = records[place]!;
  return spliced(records, place, 1, { ...rest, text: damagedJson(text, dice, dice.pick(records).text) });
}

/** A copy, some of it replaced. */
function spliced(records: Records, place: number, count: number, ...others: Records): Records {
  return [...records.slice(0, place), ...others, ...records.slice(place + count)];
}
