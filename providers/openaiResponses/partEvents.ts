import type { Block } from '../../src/blocks';
import { numberIn, objectIn, textIn, type WireObject } from '../../src/wire';
import type { EmitEvent, Item, Items } from './item';
import { blockOfPart, REASONING, REFUSAL, TEXT, textOfPart, type Parts } from './parts';

/** Where an event finds its part in the item. */
type KeyOf = (event: WireObject) => string;

const contentKey: KeyOf = (event) => `c${numberIn(event, 'content_index') ?? 0}`;
const summaryKey: KeyOf = (event) => `s${numberIn(event, 'summary_index') ?? 0}`;

/** Events that open or close a part whole. */
const OPENINGS: ReadonlyMap<unknown, KeyOf> = new Map([
  ['response.content_part.added', contentKey],
  ['response.reasoning_part.added', contentKey],
  ['response.reasoning_summary_part.added', summaryKey],
]);
const CLOSINGS: ReadonlyMap<unknown, KeyOf> = new Map([
  ['response.content_part.done', contentKey],
  ['response.reasoning_part.done', contentKey],
  ['response.reasoning_summary_part.done', summaryKey],
]);

/** Events with a piece of the text of a part, as `delta`. */
const DELTAS: ReadonlyMap<unknown, readonly [block: Block, key: KeyOf]> = new Map([
  ['response.output_text.delta', [TEXT, contentKey]],
  ['response.refusal.delta', [REFUSAL, contentKey]],
  ['response.reasoning_text.delta', [REASONING, contentKey]],
  ['response.reasoning_summary_text.delta', [REASONING, summaryKey]],
]);

/** Events with the whole text of a part, and the field in which it stands. */
const TEXTS: ReadonlyMap<unknown, readonly [block: Block, key: KeyOf, field: string]> = new Map([
  ['response.output_text.done', [TEXT, contentKey, 'text']],
  ['response.refusal.done', [REFUSAL, contentKey, 'refusal']],
  ['response.reasoning_text.done', [REASONING, contentKey, 'text']],
  ['response.reasoning_summary_text.done', [REASONING, summaryKey, 'text']],
]);

/** Makes the reader of the events of parts: text, refusals, reasoning and its summaries. It leaves all others alone. */
export function createPartEvents(items: Items, parts: Parts): (event: WireObject, emit: EmitEvent) => void {
  function itemOf(event: WireObject, block: Block): Item {
    return items.of(event, block.kind === 'reasoning' ? 'reasoning' : 'message');
  }

  function open(event: WireObject, key: string, emit: EmitEvent): void {
    const part = objectIn(event, 'part');
    const block = blockOfPart(part);
    if (block) parts.open(itemOf(event, block), key, part, emit);
  }

  function close(event: WireObject, key: string, emit: EmitEvent): void {
    const part = objectIn(event, 'part');
    const block = blockOfPart(part);
    if (block) parts.close(itemOf(event, block), key, block, textOfPart(part), emit);
  }

  return (event, emit) => {
    const type = event['type'];
    const delta = DELTAS.get(type);
    if (delta) {
      const [block, keyOf] = delta;
      const text = textIn(event, 'delta') ?? '';
      if (text !== '') parts.grow(itemOf(event, block), keyOf(event), block, text, emit);
      return;
    }
    const whole = TEXTS.get(type);
    if (whole) {
      const [block, keyOf, field] = whole;
      parts.close(itemOf(event, block), keyOf(event), block, textIn(event, field), emit);
      return;
    }
    const opening = OPENINGS.get(type);
    if (opening) open(event, opening(event), emit);
    const closing = CLOSINGS.get(type);
    if (closing) close(event, closing(event), emit);
    if (type === 'response.output_text.annotation.added') {
      parts.cite(itemOf(event, TEXT), contentKey(event), event['annotation'], emit);
    }
  };
}
