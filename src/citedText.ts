import type { Citation, TextBlock } from './blocks';
import { PersistentList } from './persistentList';

/** What a block was made of: a copy of the block itself would read all of its citations. */
interface Made {
  readonly citations: PersistentList<Citation>;
  readonly facts: Omit<TextBlock, 'citations'>;
}

const MADE = /* @__PURE__ */ new WeakMap<TextBlock, Made>();

/**
 * The block with one more citation. It costs nearly the same after 10 and after 100,000 of them, as long as `citations` is
 * not read; it is then made and kept.
 */
export function citedText(block: TextBlock, citation: Citation): TextBlock {
  const { citations, facts } = MADE.get(block) ?? madeOf(block);
  return textBlock({ citations: citations.with(citations.size, citation), facts });
}

/** A block that has citations, with another text. */
export function retold(block: TextBlock, text: string): TextBlock {
  const { citations, facts } = MADE.get(block) ?? madeOf(block);
  return textBlock({ citations, facts: { ...facts, text } });
}

function madeOf({ citations = [], ...facts }: TextBlock): Made {
  return { citations: PersistentList.from(citations), facts };
}

/** A plain object, whose `citations` are an own property: it can be spread, cloned and written as JSON like any other. */
function textBlock(made: Made): TextBlock {
  const { citations, facts } = made;
  const block = citations.array
    ? { ...facts, citations: citations.array }
    : {
        ...facts,
        get citations() {
          return citations.toArray();
        },
      };
  MADE.set(block, made);
  return block;
}
