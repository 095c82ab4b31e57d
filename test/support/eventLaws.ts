import { isDeepStrictEqual } from 'node:util';
import type { Block, ModelEvent } from 'rx-model-stream';

/** The laws of the event vocabulary that these events of one response break; none, where all is well. */
export function brokenLaws(provider: string, events: readonly ModelEvent[], isComplete: boolean): string[] {
  return [...brokenByResponse(provider, events, isComplete), ...brokenByBlocks(events, isComplete)];
}

/** The laws that the events of a session break: those of each of its responses, the last of which may be cut. */
export function brokenSessionLaws(provider: string, events: readonly ModelEvent[], isCut: boolean): string[] {
  const responses = responsesIn(events);
  return responses.flatMap((response, place) => {
    const isInside = response.some(({ type }) => type === 'response-start');
    const isComplete = response.at(-1)?.type === 'finish';
    const isLeftOpen = isInside && !isComplete && !(isCut && place === responses.length - 1);
    const first = response.findIndex(({ type }) => type !== 'usage' && type !== 'raw');
    const between = response.slice(0, Math.max(0, first)); // raw and usage may come there
    const own = first === -1 ? [] : response.slice(first);
    const before = between.filter(({ type }) => type === 'raw');
    const broken = brokenLaws(provider, [...before, ...own], isComplete);
    return isLeftOpen ? [...broken, `response ${place} is left open`] : broken;
  });
}

/** The events of each response, with what came between it and the one before. */
export function responsesIn(events: readonly ModelEvent[]): ModelEvent[][] {
  const responses: ModelEvent[][] = [[]];
  for (const event of events) {
    responses.at(-1)!.push(event);
    if (event.type === 'finish') responses.push([]);
  }
  return responses;
}

/** One response: it begins once and before everything but `raw`, ends once, and nothing comes after. */
function* brokenByResponse(provider: string, events: readonly ModelEvent[], isComplete: boolean): Generator<string> {
  const types = events.map(({ type }) => type);
  const spoken = types.filter((type) => type !== 'raw');
  const count = (wanted: ModelEvent['type']): number => types.filter((type) => type === wanted).length;
  if (spoken.length > 0 && spoken[0] !== 'response-start') yield `begins with ${String(spoken[0])}`;
  if (count('response-start') > 1) yield 'begins twice';
  if (count('finish') !== (isComplete ? 1 : 0)) yield `has ${count('finish')} finish`;
  if (isComplete && types.at(-1) !== 'finish') yield `ends with ${String(types.at(-1))}`;
  if (count('error') + count('restart') > 0) yield 'has events that belong to other operators';
  for (const event of events) {
    if (event.type !== 'raw') continue;
    if (event.provider !== provider) yield `raw of ${event.provider}`;
    if (event.event === undefined) yield 'raw without the payload';
  }
}

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
function* brokenByBlocks(events: readonly ModelEvent[], isComplete: boolean): Generator<string> {
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
  if (block.kind === 'text' && !isDeepStrictEqual(block.citations ?? [], life.citations)) return 'other citations';
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

/** The blocks after these events, by a loop too plain to be wrong. */
export function blocksOf(events: readonly ModelEvent[]): Block[] {
  const blocks: Block[] = [];
  for (const event of events) {
    if ('block' in event) blocks[event.index] = event.block;
    else if ('index' in event) blocks[event.index] = grown(blocks[event.index], event);
  }
  return blocks;
}

function grown(block: Block | undefined, event: ModelEvent): Block {
  if (event.type === 'text-delta' && block?.kind === 'text') return { ...block, text: block.text + event.text };
  if (event.type === 'reasoning-delta' && block?.kind === 'reasoning') {
    return { ...block, text: block.text + event.text };
  }
  if (event.type === 'tool-call-delta' && block?.kind === 'tool-call') {
    return { ...block, arguments: block.arguments + event.argumentsDelta };
  }
  if (event.type === 'citation' && block?.kind === 'text') {
    return { ...block, citations: [...(block.citations ?? []), event.citation] };
  }
  if (event.type === 'media-delta' && block?.kind === 'media') {
    const transcript =
      event.transcript === undefined ? {} : { transcript: (block.transcript ?? '') + event.transcript };
    const mimeType = event.mimeType === undefined ? {} : { mimeType: event.mimeType };
    return {
      ...block,
      ...transcript,
      ...mimeType,
      parts: event.data === undefined ? block.parts : [...block.parts, event.data],
    };
  }
  throw new Error(`${event.type} does not fit its block`);
}
