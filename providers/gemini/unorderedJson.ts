import type { Segment } from './jsonPath';

export type JsonLeaf = string | number | boolean | null;

/** A JSON object that is put together from values by their paths, in any order. */
export interface UnorderedJson {
  /** Puts a value in its place, over the one before; false, and nothing done, where it has none. */
  put(segments: readonly Segment[], value: JsonLeaf): boolean;
  /** Adds to a text that is there, else puts it. */
  append(segments: readonly Segment[], text: string): boolean;
  /** Says that there is an array, by a path that ends in `[]`. */
  putArray(segments: readonly Segment[]): boolean;
  /** The JSON text; undefined while an array lacks an element before another. */
  text(): string | undefined;
}

interface Container {
  readonly isArray: boolean;
  /** By key or index. A list with gaps would cost what its last index says. */
  readonly inner: Map<string | number, Container | JsonLeaf>;
}

export function createUnorderedJson(): UnorderedJson {
  const root: Container = { isArray: false, inner: new Map() };

  /** The container of the last segment, made with those on the way to it where they are missing. */
  function containerOf(segments: readonly Segment[]): Container | undefined {
    let container = root;
    for (const [place, segment] of segments.slice(0, -1).entries()) {
      const key = keyIn(container, segment);
      if (key === undefined) return undefined;
      let inner = container.inner.get(key);
      if (inner === undefined) {
        inner = { isArray: typeof segments[place + 1] !== 'string', inner: new Map() };
        container.inner.set(key, inner);
      }
      if (!isContainer(inner)) return undefined;
      container = inner;
    }
    return container;
  }

  function change(segments: readonly Segment[], valueAfter: (before: unknown) => JsonLeaf): boolean {
    const container = containerOf(segments);
    const key = container && keyIn(container, segments.at(-1) ?? null);
    if (container === undefined || key === undefined) return false;
    container.inner.set(key, valueAfter(container.inner.get(key)));
    return true;
  }

  return {
    put: (segments, value) => change(segments, () => value),
    append: (segments, text) => change(segments, (before) => (typeof before === 'string' ? before + text : text)),
    putArray: (segments) => containerOf(segments)?.isArray === true,
    text: () => textOf(root),
  };
}

/** The key under which the container has this place, or can have it. */
function keyIn({ isArray }: Container, segment: Segment): string | number | undefined {
  return segment !== null && isArray === (typeof segment === 'number') ? segment : undefined;
}

function isContainer(value: Container | JsonLeaf): value is Container {
  return typeof value === 'object' && value !== null;
}

function textOf(value: Container | JsonLeaf): string | undefined {
  if (!isContainer(value)) return JSON.stringify(value);
  const { isArray, inner } = value;
  const keys = isArray ? Array.from(inner, (_, index) => index) : [...inner.keys()];
  const texts: string[] = [];
  for (const key of keys) {
    const member = inner.get(key);
    const text = member === undefined ? undefined : textOf(member);
    if (text === undefined) return undefined;
    texts.push(isArray ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isArray ? `[${texts.join()}]` : `{${texts.join()}}`;
}
