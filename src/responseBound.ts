import { ModelStreamError } from './errors';
import type { ModelEvent } from './events';

/** Bound on the blocks of one response where nobody sets another: far more than any answer has, some 100 MB of them. */
export const DEFAULT_MAX_BLOCKS = 100_000;

/** For so many payloads as blocks that say nothing of one: messages of a session may be such for hours. */
const SILENT_PAYLOADS_OF_BLOCK = 10;

/** Counts what one response consists of, since mappers and snapshots keep something of each. */
export interface ResponseBound {
  /** Takes an event of the response. */
  count(event: ModelEvent): void;
  /** Takes a payload that neither opened a block nor said more of one. */
  countSilent(): void;
}

/**
 * Bounds the blocks and the citations of one response, and the payloads that are neither: they are unknown, or held until
 * more is known.
 *
 * Fails with `too-large` at the first one too many.
 */
export function createResponseBound(maxBlocks: number): ResponseBound {
  let blocks = 0;
  let citations = 0;
  let silent = 0;
  const maxSilent = SILENT_PAYLOADS_OF_BLOCK * maxBlocks;
  return {
    count({ type }) {
      if (type === 'block-start') blocks += 1;
      else if (type === 'citation') citations += 1;
      if (blocks > maxBlocks) throw tooLarge(`${maxBlocks} blocks`);
      if (citations > maxBlocks) throw tooLarge(`${maxBlocks} citations`);
    },
    countSilent() {
      silent += 1;
      if (silent > maxSilent) throw tooLarge(`${maxSilent} payloads that say nothing of a block`);
    },
  };
}

function tooLarge(bound: string): ModelStreamError {
  return new ModelStreamError('too-large', `Cannot hold response: it exceeds ${bound}`);
}
