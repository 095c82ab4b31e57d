import type { Block } from '../../src/blocks';
import { listIn, numberIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { EmitEvent, Part, Writer } from '../openaiResponses/item';
import { appendRest, inItem } from '../openaiResponses/parts';
import type { Item } from './items';

/** What a part is: text, or sound with its transcript. */
type Kind = 'text' | 'media';

/** Writes the parts of messages: each is a block, which ends with its item. */
export interface Parts {
  /** Opens the part that an event announces. */
  open(item: Item, event: WireObject, emit: EmitEvent): void;
  /** Appends to text, or to the transcript of a sound; nothing comes after its closing value. */
  say(item: Item, event: WireObject, kind: Kind, emit: EmitEvent): void;
  /** Adds a piece of sound. */
  attach(item: Item, event: WireObject, emit: EmitEvent): void;
  /** Takes the whole of a text or transcript: what the deltas left out is emitted now, the end of the block waits. */
  close(item: Item, event: WireObject, kind: Kind, whole: string | undefined, emit: EmitEvent): void;
  /** Takes the whole of the part that an event holds. */
  closePart(item: Item, event: WireObject, emit: EmitEvent): void;
  /** Takes the finished item, which is authoritative, and ends its parts. */
  finish(item: Item, event: unknown, emit: EmitEvent): void;
  /** Ends the parts of an item. */
  end(item: Item, event: unknown, emit: EmitEvent): void;
}

export function createParts(writer: Writer, mimeType: () => string | undefined): Parts {
  function partOf(item: Item, index: number, kind: Kind, emit: EmitEvent): Part {
    const key = `${kind} ${index}`;
    let part = item.parts.get(key);
    if (!part) {
      part = { written: writer.open(inItem(blockOf(kind), item), emit), whole: undefined };
      item.parts.set(key, part);
    }
    return part;
  }

  function blockOf(kind: Kind): Block {
    return kind === 'text' ? { kind, text: '' } : { kind, parts: [], ...present({ mimeType: mimeType() }) };
  }

  /** An empty whole says nothing: xAI sends it in place of what it said. */
  function close(item: Item, index: number, kind: Kind, whole: string | undefined, emit: EmitEvent): void {
    if (!whole) return;
    const part = partOf(item, index, kind, emit);
    part.whole = whole;
    appendRest(writer, part.written, whole, emit);
  }

  function closePart(item: Item, index: number, wire: WireObject | undefined, emit: EmitEvent): void {
    const kind = kindOf(wire);
    if (kind === undefined) return;
    close(item, index, kind, textIn(wire, kind === 'text' ? 'text' : 'transcript'), emit);
  }

  function end(item: Item, event: unknown, emit: EmitEvent): void {
    for (const { written, whole } of item.parts.values()) writer.end(written, present({ text: whole }), event, emit);
  }

  return {
    open(item, event, emit) {
      const kind = kindOf(objectOf(event['part']));
      if (kind) partOf(item, indexIn(event), kind, emit);
    },
    say(item, event, kind, emit) {
      const delta = wordIn(event, 'delta');
      if (delta === undefined) return;
      const { written, whole } = partOf(item, indexIn(event), kind, emit);
      if (whole === undefined) writer.append(written, delta, emit);
    },
    attach(item, event, emit) {
      const data = wordIn(event, 'delta');
      if (data !== undefined) writer.attach(partOf(item, indexIn(event), 'media', emit).written, data, emit);
    },
    close(item, event, kind, whole, emit) {
      close(item, indexIn(event), kind, whole, emit);
    },
    closePart(item, event, emit) {
      closePart(item, indexIn(event), objectOf(event['part']), emit);
    },
    finish(item, event, emit) {
      for (const [index, value] of listIn(item.wire, 'content').entries()) {
        closePart(item, index, objectOf(value), emit);
      }
      for (const { written } of item.parts.values()) writer.update(written, inItem(written.block, item), emit);
      end(item, event, emit);
    },
    end,
  };
}

function indexIn(event: WireObject): number {
  return numberIn(event, 'content_index') ?? 0;
}

/** `text` and `audio` in a part; in a finished item the types begin with `output_`. */
function kindOf(part: WireObject | undefined): Kind | undefined {
  switch (part?.['type']) {
    case 'text':
    case 'output_text':
      return 'text';
    case 'audio':
    case 'output_audio':
      return 'media';
    default:
      return undefined;
  }
}
