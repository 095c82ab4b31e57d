import type { Frame } from '../../frame';
import type { Provider } from '../../provider';
import { createRandom } from '../createRandom';
import { frozenFrame } from './reading';

/** What may stand where something else is expected. `__proto__` as JSON brings it: an own key like any other. */
const STRANGE: readonly unknown[] = [
  null,
  7,
  -1.5,
  '',
  'text',
  true,
  [],
  [null, 7, 'text'],
  {},
  JSON.parse('{"__proto__":{"type":"text","text":"x"},"constructor":null,"type":"__proto__"}'),
];

/** The stream with one value of one payload replaced or left out, `count` times, the same ones every time. */
export function* damagedFrames(provider: Provider, frames: readonly Frame[], count: number): Generator<Frame[]> {
  const payloads = frames.map((frame) => frozenFrame(frame, provider));
  const targets = payloads.flatMap((frame, place) =>
    frame.type === 'json' ? pathsIn(frame.value).map((path) => ({ place, frame, path })) : [],
  );
  const random = createRandom(targets.length);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  for (let index = 0; index < count; index += 1) {
    const target = pick(targets);
    if (target === undefined) return;
    const isLeftOut = random() < 0.2;
    const value = changed(target.frame.value, target.path, isLeftOut ? [] : [pick(STRANGE)]);
    yield payloads.map((frame, place) => (place === target.place ? { ...target.frame, value } : frame));
  }
}

/** The ways to every value inside a value, the whole included. */
function pathsIn(value: unknown): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[], ...inner.flatMap(([key, entry]) => pathsIn(entry).map((path) => [key, ...path]))];
}

/** A copy in which what stands at the end of the path is replaced by these values, one or none. */
function changed(where: unknown, [key, ...rest]: readonly string[], values: readonly unknown[]): unknown {
  if (key === undefined) return values[0] ?? null;
  const change = (entry: unknown): readonly unknown[] => (rest.length === 0 ? values : [changed(entry, rest, values)]);
  if (Array.isArray(where)) {
    return where.flatMap((entry: unknown, index) => (String(index) === key ? change(entry) : [entry]));
  }
  const entries = Object.entries(where as object);
  return Object.fromEntries(
    entries.flatMap(([name, entry]) =>
      name === key ? change(entry).map((value): [string, unknown] => [name, value]) : [[name, entry]],
    ),
  );
}
