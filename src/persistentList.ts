const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Leaf<T> = readonly T[];
type Node<T> = Leaf<T> | readonly Node<T>[];

/**
 * What grows with every event, the blocks of a snapshot and the pieces of a sound: a persistent list that shares all it can
 * with the list it was made from.
 *
 * 1. A list never changes; `with` gives a new one.
 * 2. `with` copies one node of at most 32 entries on each level: it costs nearly the same with 10 and 100,000 entries.
 * 3. Up to 32 entries the list holds the very array that `toArray` gives. A longer one makes it when it is asked for, and
 *    keeps it.
 */
export class PersistentList<T> {
  static readonly empty = /* @__PURE__ */ new PersistentList<never>(0, 0, []);

  readonly size: number;
  readonly #shift: number;
  readonly #root: Node<T>;
  #array: readonly T[] | undefined;

  private constructor(size: number, shift: number, root: Node<T>) {
    this.size = size;
    this.#shift = shift;
    this.#root = root;
    this.#array = shift === 0 ? (root as Leaf<T>) : undefined;
  }

  static from<T>(entries: readonly T[]): PersistentList<T> {
    return entries.reduce<PersistentList<T>>((list, entry, index) => list.with(index, entry), PersistentList.empty);
  }

  /** The array of all entries, if it is there without making it. */
  get array(): readonly T[] | undefined {
    return this.#array;
  }

  toArray(): readonly T[] {
    return (this.#array ??= leavesOf(this.#root, this.#shift).flatMap((leaf) => leaf));
  }

  at(index: number): T | undefined {
    if (index >= this.size) return undefined;
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= BITS) node = node[(index >>> shift) & MASK] as Node<T>;
    return (node as Leaf<T>)[index & MASK];
  }

  /** The list with `entry` at `index`, which is at most `size`. */
  with(index: number, entry: T): PersistentList<T> {
    const full = index === WIDTH << this.#shift;
    const shift = full ? this.#shift + BITS : this.#shift;
    const root = full ? [this.#root as readonly Node<T>[]] : this.#root;
    return new PersistentList(Math.max(this.size, index + 1), shift, replaced(root, shift, index, entry));
  }
}

function replaced<T>(node: Node<T> | undefined, shift: number, index: number, entry: T): Node<T> {
  const copy = (node?.slice() ?? []) as (T | Node<T>)[];
  const slot = (index >>> shift) & MASK;
  copy[slot] = shift === 0 ? entry : replaced(copy[slot] as Node<T> | undefined, shift - BITS, index, entry);
  return copy as Node<T>;
}

function leavesOf<T>(node: Node<T>, shift: number): Leaf<T>[] {
  if (shift === 0) return [node as Leaf<T>];
  return (node as readonly Node<T>[]).flatMap((child) => leavesOf(child, shift - BITS));
}
