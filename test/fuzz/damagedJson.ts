import type { Dice } from '../support/dice';

/** The way to a value inside a value: keys, places in lists as text. */
type Path = readonly string[];

const STRANGE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length', ''];

/** What may stand where something else is expected, as JSON text. */
const STRANGE: readonly string[] = [
  ...['null', 'true', 'false', '0', '7', '-1', '-1.5', '1e999', '-1e999', '9007199254740993', '1e21', '-0'],
  ...['""', '"text"', '" "', '"__proto__"', '"constructor"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"[DONE]"'],
  ...['[]', '[null,7,"text"]', '[[]]', '{}', '[{}]', '{"":""}', '"{\\"a\\":"', '"{}{}"', '"null"'],
  '{"__proto__":{"polluted":true,"type":"text","text":"x"},"constructor":{"prototype":{"polluted":true}}}',
];

/** Numbers and texts by which services tell one thing from another. */
const STRANGE_IDENTITIES: readonly string[] = [
  ...['-1', '0', '1', '2', '0.5', '1e9', '4294967296', '9007199254740993', '1e999', 'null', '[]', '{}'],
  ...['"__proto__"', '"constructor"', '"toString"', '""', '"0"', '"\\u0000"', '"\\ud800"'],
];

const IDENTITY = /(^|_)(id|index|type|name|status|role|choice|candidate|step|sequence_number)$|Id$|Index$/;

/** Brackets behind brackets. */
const DEEP = /(?:\[|\{"a":){20}/;

const MARK = '\u{1f4a5} replaced';

/**
 * JSON text with one value replaced, left out, renamed, repeated or taken from `other`. What is no JSON is repeated; what is
 * nested deep already is left alone.
 */
export function damagedJson(text: string, dice: Dice, other: string): string {
  if (DEEP.test(text)) return text;
  const value = parsed(text);
  if (value === undefined) return text + text.slice(dice.below(text.length + 1));
  const paths = pathsIn(value);
  const identities = paths.filter((path) => IDENTITY.test(path.at(-1) ?? ''));
  if (identities.length > 0 && dice.chance(0.4)) {
    const path = dice.pick(identities);
    if (dice.chance(0.2)) return JSON.stringify(changed(value, path, []));
    if (dice.chance(0.2)) return JSON.stringify(changed(value, path, [valueOfKey(other, path.at(-1)!)]));
    return replaced(value, path, dice.pick(STRANGE_IDENTITIES));
  }
  const path = dice.pick(paths);
  switch (dice.below(8)) {
    case 0:
      return JSON.stringify(changed(value, path, []));
    case 1:
      return JSON.stringify(renamed(value, path, dice.pick(STRANGE_KEYS)));
    case 2:
      return replaced(value, path, other);
    case 3:
      return replaced(value, path, JSON.stringify(at(value, path)), 2 + dice.below(40));
    case 4:
      return dice.chance(0.3) ? replaced(value, path, nested(dice)) : replaced(value, path, dice.pick(STRANGE));
    default:
      return replaced(value, path, dice.pick(STRANGE));
  }
}

/** Levels within levels: few, more than is usual, and more than a stack has room for. */
function nested(dice: Dice): string {
  const depth = dice.pick([20, 600, 3000, 20_000]);
  const [open, close] = dice.pick([['[', ']'] as const, ['{"a":', '}'] as const]);
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Text stands in place of the value, once or as a list. */
function replaced(value: unknown, path: Path, text: string, times = 1): string {
  const many = times === 1 ? text : `[${Array.from({ length: times }, () => text).join(',')}]`;
  return JSON.stringify(changed(value, path, [MARK])).replace(JSON.stringify(MARK), () => many);
}

function valueOfKey(text: string, key: string): unknown {
  if (DEEP.test(text)) return undefined;
  const value = parsed(text);
  const path = pathsIn(value).find((candidate) => candidate.at(-1) === key);
  return path && at(value, path);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The ways to every value inside a value, the whole included. */
function pathsIn(value: unknown): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[], ...inner.flatMap(([key, entry]) => pathsIn(entry).map((path) => [key, ...path]))];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (within, key) => Object.entries(within as object).find(([name]) => name === key)?.[1],
    value,
  );
}

/** A copy in which what stands at the end of the path is replaced by these values, one or none. */
function changed(where: unknown, [key, ...rest]: Path, values: readonly unknown[]): unknown {
  if (key === undefined) return values[0] ?? null;
  const change = (entry: unknown): readonly unknown[] => (rest.length === 0 ? values : [changed(entry, rest, values)]);
  if (Array.isArray(where)) {
    return where.flatMap((entry: unknown, index) => (String(index) === key ? change(entry) : [entry]));
  }
  return Object.fromEntries(
    Object.entries(where as object).flatMap(([name, entry]) =>
      name === key ? change(entry).map((value): [string, unknown] => [name, value]) : [[name, entry]],
    ),
  );
}

/** A copy in which the last key of the path has another name. */
function renamed(where: unknown, [key, ...rest]: Path, name: string): unknown {
  if (key === undefined || Array.isArray(where)) return where;
  return Object.fromEntries(
    Object.entries(where as object).map(([own, entry]) => {
      if (own !== key) return [own, entry];
      return rest.length === 0 ? [name, entry] : [own, renamed(entry, rest, name)];
    }),
  );
}
