import type { Block, Citation, TextBlock } from '../../src/blocks';
import type { WrittenBlock } from '../../src/responseWriter';
import { listIn, numberIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { EmitEvent, Item, Part, Writer } from './item';

export const TEXT: TextBlock = { kind: 'text', text: '' };
export const REFUSAL: TextBlock = { kind: 'text', text: '', refusal: true };
export const REASONING: Block = { kind: 'reasoning', text: '' };

/** Writes the parts of messages and reasoning items: each is a block. */
export interface Parts {
  /** Whether any part was a refusal. */
  readonly refused: boolean;
  open(item: Item, key: string, part: WireObject | undefined, emit: EmitEvent): void;
  /** Appends to a part; nothing comes after its closing value. */
  grow(item: Item, key: string, block: Block, delta: string, emit: EmitEvent): void;
  /** Takes the closing value of a part: what the deltas left out is emitted now, the end of the block waits. */
  close(item: Item, key: string, block: Block, whole: string | undefined, emit: EmitEvent): void;
  cite(item: Item, key: string, annotation: unknown, emit: EmitEvent): void;
  /** Takes the finished item, which is authoritative, and ends its parts. */
  finish(item: Item, event: unknown, emit: EmitEvent): void;
  /** Ends the parts of an item; the last one carries what the item carries. */
  end(item: Item, ofLast: { readonly encrypted?: string }, event: unknown, emit: EmitEvent): void;
}

export function createParts(writer: Writer): Parts {
  let refused = false;

  /** The part at this key. A new one ends those before it whose closing value is known. */
  function partOf(item: Item, key: string, block: Block, emit: EmitEvent): Part {
    const known = item.parts.get(key);
    if (known) return known;
    for (const { written, whole } of item.waiting.splice(0)) {
      writer.end(written, present({ text: whole }), undefined, emit);
    }
    if (block.kind === 'text' && block.refusal) refused = true;
    const part: Part = { written: writer.open(inItem(block, item), emit), whole: undefined };
    item.parts.set(key, part);
    return part;
  }

  function close(item: Item, key: string, block: Block, whole: string | undefined, emit: EmitEvent): void {
    if (whole === undefined || (whole === '' && !item.parts.has(key))) return;
    const part = partOf(item, key, block, emit);
    if (part.whole === undefined) item.waiting.push(part);
    part.whole = whole;
    appendRest(writer, part.written, whole, emit);
  }

  function cite(item: Item, key: string, annotation: unknown, emit: EmitEvent): void {
    if (objectOf(annotation) === undefined) return;
    writer.cite(partOf(item, key, TEXT, emit).written, citationOf(annotation), emit);
  }

  function end(item: Item, ofLast: { readonly encrypted?: string }, event: unknown, emit: EmitEvent): void {
    let left = item.parts.size;
    for (const { written, whole } of item.parts.values()) {
      left -= 1;
      writer.end(written, { ...present({ text: whole }), ...(left === 0 && ofLast) }, event, emit);
    }
  }

  function finishMessage(item: Item, event: unknown, emit: EmitEvent): void {
    const content = listIn(item.wire, 'content');
    const keyAt = keysOf(item, content.length);
    content.forEach((value, index) => {
      const wire = objectOf(value);
      const key = keyAt(index);
      const block = blockOfPart(wire);
      if (block) close(item, key, block, textOfPart(wire), emit);
      const written = item.parts.get(key)?.written;
      if (written === undefined) return;
      if (!written.ended) writer.update(written, inItem(written.block, item), emit); // the phase may come late
      for (const annotation of listIn(wire, 'annotations').slice(written.citations.length)) {
        cite(item, key, annotation, emit);
      }
    });
    end(item, {}, event, emit);
  }

  function finishReasoning(item: Item, event: unknown, emit: EmitEvent): void {
    listIn(item.wire, 'summary').forEach((value, index) => {
      close(item, `s${index}`, REASONING, textIn(objectOf(value), 'text'), emit);
    });
    const content = listIn(item.wire, 'content');
    const keyAt = keysOf(item, content.length);
    content.forEach((value, index) => {
      close(item, keyAt(index), REASONING, textIn(objectOf(value), 'text'), emit);
    });
    const encrypted = wordIn(item.wire, 'encrypted_content');
    if (encrypted !== undefined && item.parts.size === 0) partOf(item, 's0', REASONING, emit); // it must be echoed
    end(item, present({ encrypted }), event, emit);
  }

  return {
    get refused() {
      return refused;
    },
    open(item, key, part, emit) {
      const block = blockOfPart(part);
      if (block) writer.append(partOf(item, key, block, emit).written, textOfPart(part) ?? '', emit);
    },
    grow(item, key, block, delta, emit) {
      const { written, whole } = partOf(item, key, block, emit);
      if (whole === undefined) writer.append(written, delta, emit);
    },
    close,
    cite,
    finish(item, event, emit) {
      if (item.wire.type === 'message') finishMessage(item, event, emit);
      if (item.wire.type === 'reasoning') finishReasoning(item, event, emit);
    },
    end,
  };
}

/** Emits what a closing value has beyond the deltas. */
export function appendRest(writer: Writer, written: WrittenBlock, whole: string, emit: EmitEvent): void {
  if (whole.startsWith(written.content)) writer.append(written, whole.slice(written.content.length), emit);
}

export function blockOfPart(part: WireObject | undefined): Block | undefined {
  switch (part?.['type']) {
    case 'output_text':
      return TEXT;
    case 'refusal':
      return REFUSAL;
    case 'reasoning_text':
    case 'summary_text':
      return REASONING;
    default:
      return undefined;
  }
}

export function textOfPart(part: WireObject | undefined): string | undefined {
  return textIn(part, part?.['type'] === 'refusal' ? 'refusal' : 'text');
}

/**
 * The keys of the content parts of a finished item. Bedrock mantle numbers the only part of a message 1: parts that are as
 * many as were streamed are those, in order.
 */
function keysOf(item: Item, count: number): (index: number) => string {
  const streamed = [...item.parts.keys()].filter((key) => key.startsWith('c'));
  return (index) => {
    const key = `c${index}`;
    return item.parts.has(key) || streamed.length !== count ? key : (streamed[index] ?? key);
  };
}

/** A text block says what part of the turn it is, where its item says so. */
export function inItem(block: Block, { wire }: Pick<Item, 'wire'>): Block {
  if (block.kind !== 'text') return block;
  if (wire['phase'] === 'commentary') return { ...block, phase: 'commentary' };
  return wire['phase'] === 'final_answer' ? { ...block, phase: 'final' } : block;
}

/** An annotation of the text. Offsets are OpenAI's; a range that ends at 0 says nothing. */
function citationOf(raw: unknown): Citation {
  const wire = objectOf(raw);
  const end = numberIn(wire, 'end_index');
  return {
    ...present({
      url: wordIn(wire, 'url'),
      title: wordIn(wire, 'title') ?? wordIn(wire, 'filename'),
      source: wordIn(wire, 'file_id'),
      ...(end !== undefined && end > 0 && { start: numberIn(wire, 'start_index'), end }),
    }),
    raw,
  };
}
