import type { Segment } from './jsonPath';

/** JSON text that grows at its end, written from values by their paths. */
export interface OrderedJson {
  /**
   * The text that leads from the last value to this one, and the value itself. Without a value the path ends in `[]` and
   * only says that there is an array. Undefined, with nothing written, where the place is behind or does not follow.
   */
  place(segments: readonly Segment[], json: string | undefined): string | undefined;
  /** What closes all that is open. */
  closing(): string;
}

/** An object or array that is not closed yet. */
interface Container {
  /** Its place in the container around it; absent for the outermost. */
  readonly segment?: Segment;
  readonly close: '}' | ']';
  /** The keys it has so far; of an array, the indexes. */
  readonly keys: Set<string | number>;
}

/** The text begins as an object, whose `{` is not among what `place` gives. */
export function createOrderedJson(): OrderedJson {
  const open: Container[] = [{ close: '}', keys: new Set() }];

  function closingFrom(depth: number): string {
    const closing = open.slice(depth).map(({ close }) => close);
    return closing.reverse().join('');
  }

  return {
    place(segments, json) {
      const last = segments.length - 1;
      let depth = 0;
      while (depth < last && open[depth + 1]?.segment === segments[depth]) depth += 1;
      const isNext = segments.every((segment, place) => {
        if (place < depth) return true;
        const container = place === depth ? open[depth] : undefined;
        return container ? fits(container, segment) : segment === 0 || typeof segment !== 'number';
      });
      if (!isNext) return undefined;
      let text = closingFrom(depth + 1);
      open.length = depth + 1;
      for (let place = depth; place <= last; place += 1) {
        if (place > depth) {
          const isArray = typeof segments[place] !== 'string';
          open.push({ segment: segments[place - 1] ?? null, close: isArray ? ']' : '}', keys: new Set() });
          text += isArray ? '[' : '{';
        }
        const container = open[place];
        const segment = segments[place] ?? null;
        if (container && segment !== null) text += beginning(container, segment);
      }
      return text + (json ?? '');
    },
    closing: () => closingFrom(0),
  };
}

/** Whether a value can be written next: a key that is not there yet, the next element. */
function fits({ close, keys }: Container, segment: Segment): boolean {
  if (close === '}') return typeof segment === 'string' && !keys.has(segment);
  return segment === null || segment === keys.size;
}

/** What comes before a value. */
function beginning({ keys }: Container, segment: string | number): string {
  const comma = keys.size > 0 ? ',' : '';
  keys.add(segment);
  return typeof segment === 'string' ? `${comma}${JSON.stringify(segment)}:` : comma;
}
