import type { ModelEvent } from '../../src/events';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import { numberIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';
import type { WireItem, OpenAIResponsesTurn } from './turn';

export type Writer = ResponseWriter<OpenAIResponsesTurn>;
export type EmitEvent = Emit<ModelEvent<OpenAIResponsesTurn>>;

/** A part of a message, or a paragraph of reasoning. */
export interface Part {
  readonly written: WrittenBlock;
  /** What its closing event said; the block itself ends with the next part or with the item. */
  whole: string | undefined;
}

/** An output item, from its first appearance on. */
export interface Item {
  /** As it was last seen. */
  wire: WireItem;
  /** In the order of their first appearance, by content index (`c0`) or summary index (`s0`): two number spaces. */
  readonly parts: Map<string, Part>;
  /** Parts whose closing value is known and whose block has not ended yet. */
  readonly waiting: Part[];
  call: WrittenBlock | undefined;
  /** Arguments that came before the call had a name. */
  heldArguments: string;
  picture: WrittenBlock | undefined;
  done: boolean;
}

/** The items of one response. */
export interface Items {
  /** The item an event is about; a new one of this type, if it was not seen before. */
  of(event: WireObject, type: string): Item;
  /** A new item in the place of the one that the event is about. */
  replace(event: WireObject, type: string): Item;
  /** The item at this place of the output. */
  at(outputIndex: number): Item | undefined;
  all(): readonly Item[];
  /** The items as the next request echoes them: as they were finished, and what never was as the final output has it. */
  turn(finalOutput: readonly WireItem[]): OpenAIResponsesTurn;
}

/**
 * An item's key is its `output_index`, the only thing about it that is stable: Copilot changes the item id with every
 * event. Items may overlap in time.
 */
export function createItems(): Items {
  const items = new Map<string | number, Item>();
  const byId = new Map<string, Item>(); // an event without an index may still name its item
  let latest: Item | undefined; // what an event means that names no item

  return {
    of(event, type) {
      const key = keyOf(event);
      const known =
        key === undefined ? latest : (items.get(key) ?? (typeof key === 'string' ? byId.get(key) : undefined));
      if (known === undefined || (key === undefined && known.wire.type !== type)) return this.replace(event, type);
      latest = known;
      return known;
    },
    replace(event, type) {
      latest = newItem(type);
      items.set(keyOf(event) ?? `unnamed ${items.size}`, latest);
      const id = idIn(event);
      if (id !== undefined) byId.set(id, latest);
      return latest;
    },
    at: (outputIndex) => items.get(outputIndex),
    all: () => [...items.values()],
    turn(finalOutput) {
      const numbered = [...items].filter((entry): entry is [number, Item] => typeof entry[0] === 'number');
      if (numbered.length === items.size && items.size > 0) {
        numbered.sort(([a], [b]) => a - b);
        return numbered.flatMap(([index, item]) =>
          item.done ? echoOf(item) : (finalOutput[index] ?? streamedItem(item) ?? []),
        );
      }
      const finished = [...items.values()].filter((item) => item.done).map(echoOf);
      return finished.length > 0 ? finished : finalOutput;
    },
  };
}

/** A finished item; a call that came without its arguments has those that were streamed, for the next request needs them. */
function echoOf(item: Item): WireItem {
  const lacksArguments = item.wire.type === 'function_call' && textIn(item.wire, 'arguments') === undefined;
  return (lacksArguments ? streamedItem(item) : undefined) ?? item.wire;
}

/** An item that nobody finished, with what its deltas gave. */
function streamedItem({ wire, call, parts }: Item): WireItem | undefined {
  if (wire.type === 'message') return { ...wire, content: [...parts.values()].map(({ written }) => partOf(written)) };
  if (wire.type === 'function_call') return { ...wire, arguments: call?.content ?? '' };
  return wire.type === 'custom_tool_call' ? { ...wire, input: call?.content ?? '' } : undefined;
}

function partOf({ block, content, citations }: WrittenBlock): WireObject {
  if (block.kind === 'text' && block.refusal) return { type: 'refusal', refusal: content };
  return { type: 'output_text', text: content, annotations: citations.map(({ raw }) => raw) };
}

function newItem(type: string): Item {
  return {
    wire: { type },
    parts: new Map(),
    waiting: [],
    call: undefined,
    heldArguments: '',
    picture: undefined,
    done: false,
  };
}

/** `output_index`, and the agent where several write to one response; an item id where there is no index. */
function keyOf(event: WireObject): string | number | undefined {
  const index = numberIn(event, 'output_index');
  if (index === undefined) return idIn(event);
  const agent = wordIn(objectIn(event, 'agent'), 'agent_name');
  return agent === undefined ? index : `${agent} ${index}`;
}

function idIn(event: WireObject): string | undefined {
  return wordIn(event, 'item_id') ?? wordIn(objectIn(event, 'item'), 'id');
}

/** The value as an item, unless it is none. */
export function itemIn(value: unknown): WireItem | undefined {
  const wire = objectOf(value);
  const type = textIn(wire, 'type');
  return type === undefined ? undefined : { ...wire, type };
}
