import type { Block, Snapshot } from 'rx-model-stream';
import { isSame } from './isSame';

/** How a block went on that is not what it was and more. */
export interface Rewriting {
  readonly before: Block;
  readonly after: Block;
}

/** Whether a call that looked runnable got other arguments: somebody may have run it. */
export function isOtherCall({ before, after }: Rewriting): boolean {
  if (before.kind !== 'tool-call' || before.state !== 'whole') return false;
  return after.kind !== 'tool-call' || after.arguments !== before.arguments || after.name !== before.name;
}

/** The blocks of `after` that are not what they were in `before` and more. */
export function rewritingsBetween(before: Snapshot, after: Snapshot): Rewriting[] {
  if (after.ordinal !== before.ordinal) return [];
  return before.blocks.flatMap((block, index) => {
    const next = after.blocks[index];
    return next === block || next === undefined || hasGrown(block, next) ? [] : [{ before: block, after: next }];
  });
}

/**
 * Whether `after` says all that `before` said, in the same place, and nothing in its stead. A call that was whole has to be
 * the very same: somebody may have run it.
 */
export function hasGrown(before: Block, after: Block): boolean {
  if (before.choice !== after.choice) return false;
  switch (before.kind) {
    case 'text':
      return (
        after.kind === 'text' &&
        after.text.startsWith(before.text) &&
        isBeginning(before.citations, after.citations) &&
        isKept(before, after, ['refusal', 'phase'])
      );
    case 'reasoning':
      return (
        after.kind === 'reasoning' &&
        after.text.startsWith(before.text) &&
        isKept(before, after, ['signature', 'encrypted', 'redacted'])
      );
    case 'tool-call':
      if (after.kind !== 'tool-call') return false;
      if (before.state !== 'open') return isSame({ ...before, signature: 0 }, { ...after, signature: 0 });
      return (
        (before.syntheticId === true || after.id === before.id) &&
        after.name.startsWith(before.name) &&
        after.arguments.startsWith(before.arguments.trim()) &&
        isKept(before, after, ['format', 'providerExecuted', 'signature'])
      );
    case 'media':
      return (
        after.kind === 'media' &&
        isBeginning(before.parts, after.parts) &&
        (after.transcript ?? '').startsWith(before.transcript ?? '') &&
        isKept(before, after, ['mimeType', 'url', 'draft'])
      );
    case 'tool-result':
      return isSame(before, after) || (after.kind === 'tool-result' && isEmpty(before.content));
  }
}

/** As a result begins that comes in pieces. */
function isEmpty(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

function isBeginning(before: readonly unknown[] = [], after: readonly unknown[] = []): boolean {
  return before.length <= after.length && before.every((entry, place) => isSame(entry, after[place]));
}

/** Whether what was known is still the same. */
function isKept<Kept extends Block>(before: Kept, after: Kept, keys: readonly (keyof Kept)[]): boolean {
  return keys.every((key) => before[key] === undefined || before[key] === after[key]);
}
