import type { MediaBlock } from './blocks';
import type { MediaDeltaEvent } from './events';
import { PersistentList } from './persistentList';

/** What a block was made of: a copy of the block itself would read all of its pieces. */
interface Made {
  readonly parts: PersistentList<string>;
  readonly facts: Omit<MediaBlock, 'parts'>;
}

const MADE = /* @__PURE__ */ new WeakMap<MediaBlock, Made>();

/**
 * The block with one more piece, or more of its transcript. It costs nearly the same after 10 and after 100,000 pieces, as
 * long as `parts` is not read; it is then made and kept.
 */
export function grownMedia(block: MediaBlock, { data, transcript, mimeType }: MediaDeltaEvent): MediaBlock {
  const { parts, facts } = MADE.get(block) ?? madeOf(block);
  return mediaBlock({
    parts: data === undefined ? parts : parts.with(parts.size, data),
    facts: {
      ...facts,
      ...(mimeType !== undefined && { mimeType }),
      ...(transcript !== undefined && { transcript: (facts.transcript ?? '') + transcript }),
    },
  });
}

function madeOf({ parts, ...facts }: MediaBlock): Made {
  return { parts: PersistentList.from(parts), facts };
}

/** A plain object, whose `parts` are an own property: it can be spread, cloned and written as JSON like any other. */
function mediaBlock(made: Made): MediaBlock {
  const { parts, facts } = made;
  const block = parts.array
    ? { ...facts, parts: parts.array }
    : {
        ...facts,
        get parts() {
          return parts.toArray();
        },
      };
  MADE.set(block, made);
  return block;
}
