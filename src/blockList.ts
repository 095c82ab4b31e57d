import type { Block } from './blocks';

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Leaf = readonly Block[];
type Node = Leaf | readonly Node[];

/**
 * The blocks of a snapshot: a persistent list that shares all it can with the list it was made from.
 *
 * 1. A list never changes; `with` gives a new one.
 * 2. `with` copies one node of at most 32 entries on each level: it costs nearly the same with 10 and 100,000 blocks,
 *    open or ended.
 * 3. Up to 32 blocks the list holds the very array that `toArray` gives. A longer one makes it when it is asked for, and
 *    keeps it.
 */
export class BlockList {
  static readonly empty = /* @__PURE__ */ new BlockList(0, 0, []);

  readonly size: number;
  readonly #shift: number;
  readonly #root: Node;
  #array: readonly Block[] | undefined;

  private constructor(size: number, shift: number, root: Node) {
    this.size = size;
    this.#shift = shift;
    this.#root = root;
    this.#array = shift === 0 ? (root as Leaf) : undefined;
  }

  static from(blocks: readonly Block[]): BlockList {
    return blocks.reduce<BlockList>((list, block, index) => list.with(index, block), BlockList.empty);
  }

  /** The array of all blocks, if it is there without making it. */
  get array(): readonly Block[] | undefined {
    return this.#array;
  }

  toArray(): readonly Block[] {
    return (this.#array ??= leavesOf(this.#root, this.#shift).flat());
  }

  at(index: number): Block | undefined {
    if (index >= this.size) return undefined;
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= BITS) node = node[(index >>> shift) & MASK] as Node;
    return (node as Leaf)[index & MASK];
  }

  /** The list with `block` at `index`, which is at most `size`. */
  with(index: number, block: Block): BlockList {
    const full = index === WIDTH << this.#shift;
    const shift = full ? this.#shift + BITS : this.#shift;
    const root = full ? [this.#root as readonly Node[]] : this.#root;
    return new BlockList(Math.max(this.size, index + 1), shift, replaced(root, shift, index, block));
  }
}

function replaced(node: Node | undefined, shift: number, index: number, block: Block): Node {
  const copy = (node?.slice() ?? []) as (Block | Node)[];
  const slot = (index >>> shift) & MASK;
  copy[slot] = shift === 0 ? block : replaced(copy[slot] as Node | undefined, shift - BITS, index, block);
  return copy as Node;
}

function leavesOf(node: Node, shift: number): Leaf[] {
  if (shift === 0) return [node as Leaf];
  return (node as readonly Node[]).flatMap((child) => leavesOf(child, shift - BITS));
}
