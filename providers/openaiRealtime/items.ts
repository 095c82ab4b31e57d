import type { WrittenBlock } from '../../src/responseWriter';
import { numberIn, objectIn, present, wordIn, type WireObject } from '../../src/wire';
import type { WireItem } from '../openaiResponses';
import type { Part } from '../openaiResponses/item';

/** An output item, from its first appearance on. */
export interface Item {
  /** As it was last seen. */
  wire: WireItem;
  /** Parts of text and of sound, in the order of their first appearance, by kind and content index. */
  readonly parts: Map<string, Part>;
  call: WrittenBlock | undefined;
  /** Arguments that came before the call had a name. */
  heldArguments: string;
  isDone: boolean;
}

/** The items of one response. */
export interface Items {
  /** The item an event is about; a new one of this type, if it was not seen before. */
  of(event: WireObject, type: string): Item;
  all(): readonly Item[];
}

/** An item is known by its id, since xAI gives all items the same `output_index`; by that where an event has no id. */
export function createItems(): Items {
  const items: Item[] = [];
  const byId = new Map<string, Item>();
  const byPlace = new Map<number, Item>(); // the latest

  return {
    of(event, type) {
      const id = idIn(event);
      const place = numberIn(event, 'output_index') ?? 0;
      const known = id === undefined ? byPlace.get(place) : byId.get(id);
      if (known) return known;
      const item = newItem({ type, ...present({ id }) });
      items.push(item);
      byPlace.set(place, item);
      if (id !== undefined) byId.set(id, item);
      return item;
    },
    all: () => items,
  };
}

function newItem(wire: WireItem): Item {
  return { wire, parts: new Map(), call: undefined, heldArguments: '', isDone: false };
}

function idIn(event: WireObject): string | undefined {
  return wordIn(event, 'item_id') ?? wordIn(objectIn(event, 'item'), 'id');
}
