import type { Block } from '../../blocks';
import type { ModelEvent } from '../../events';
import { differenceBetween } from './difference';

/** What was said so far of one block. */
interface BlockLife {
  readonly block: Block;
  content: string;
  readonly citations: unknown[];
  /** Whether something came out as `raw` since the last delta. */
  isReported: boolean;
  isEnded: boolean;
}

/** A block begins once, empty, in the next place; grows only while open; ends once, as what was said of it. */
export function* brokenByBlocks(events: readonly ModelEvent[], isComplete: boolean): Generator<string> {
  const lives: BlockLife[] = [];
  for (const [place, event] of events.entries()) {
    const law = brokenByEvent(lives, event);
    if (law !== undefined) yield `${law}: event ${place}, ${event.type}`;
  }
  if (!isComplete) return;
  for (const [index, life] of lives.entries()) if (!life.isEnded) yield `block ${index} is left open`;
}

function brokenByEvent(lives: BlockLife[], event: ModelEvent): string | undefined {
  if (event.type === 'raw') for (const life of lives) life.isReported = true;
  if (event.type === 'block-start') {
    lives.push({ block: event.block, content: '', citations: [], isReported: false, isEnded: false });
    if (event.index !== lives.length - 1) return 'not in the next place';
    return contentOf(event.block) === '' ? undefined : 'not empty at its start';
  }
  if (!('index' in event)) return undefined;
  const life = lives[event.index];
  if (life === undefined) return 'without a block';
  const isAfter = event.type === 'block-update';
  if (life.isEnded !== isAfter) return isAfter ? 'before the end of its block' : 'after the end of its block';
  if ('block' in event) {
    if (event.block.kind !== life.block.kind) return 'another kind of block';
    return event.type === 'block-end' ? brokenByEnd(life, event.block) : undefined;
  }
  if (event.type === 'citation') {
    life.citations.push(event.citation);
    return life.block.kind === 'text' ? undefined : 'of no text';
  }
  return brokenByDelta(life, event);
}

type DeltaEvent = Extract<ModelEvent, { type: `${string}-delta` }>;

function brokenByDelta(life: BlockLife, event: DeltaEvent): string | undefined {
  const [kind, delta] = deltaOf(event);
  if (life.block.kind !== kind) return `in a block of kind ${life.block.kind}`;
  if (life.block.kind === 'tool-call' && 'id' in event && event.id !== life.block.id) return 'with another id';
  life.content += delta;
  life.isReported = false;
  return delta === '' ? 'empty' : undefined;
}

function deltaOf(event: DeltaEvent): [kind: Block['kind'], delta: string] {
  switch (event.type) {
    case 'text-delta':
      return ['text', event.text];
    case 'reasoning-delta':
      return ['reasoning', event.text];
    case 'tool-call-delta':
      return ['tool-call', event.argumentsDelta];
    case 'media-delta':
      return ['media', event.data ?? event.transcript ?? ''];
  }
}

/** At its end a block is what the deltas say, unless their contradiction was reported as `raw`. */
function brokenByEnd(life: BlockLife, block: Block): string | undefined {
  life.isEnded = true;
  const isWithoutArguments = block.kind === 'tool-call' && block.format === 'json' && life.content.trim() === '';
  const isSaid = contentOf(block) === life.content || (isWithoutArguments && block.arguments === '{}');
  if (block.kind !== 'media' && !isSaid && !life.isReported) return 'not what the deltas say, and not reported';
  if (block.kind === 'text' && differenceBetween(block.citations ?? [], life.citations) !== undefined)
    return 'other citations';
  if (block.kind !== 'tool-call') return undefined;
  if (block.state === 'open') return 'still open';
  return block.format === 'json' && block.state === 'whole' && !isJson(block.arguments)
    ? 'whole, but no JSON'
    : undefined;
}

/** What deltas build; nothing for a block that comes whole. */
function contentOf(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'reasoning':
      return block.text;
    case 'tool-call':
      return block.arguments;
    case 'media':
    case 'tool-result':
      return '';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
