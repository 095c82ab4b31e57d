import type { TextBlock, ToolCallBlock, ToolResultBlock } from '../../src/blocks';
import type { ModelEvent } from '../../src/events';
import type { BlockPatch, ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import { listIn, numberIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';

export type EmitEvent = Emit<ModelEvent<never>>;

/** An item of the response, from its first event on. */
interface Item {
  wire: WireObject;
  /** By `content_index`. */
  readonly parts: Map<number, WrittenBlock>;
  call: WrittenBlock | undefined;
  isDone: boolean;
}

/** The output items of one response: messages with parts of text and sound, and calls. */
export interface Items {
  /** Whether a call waits for the client. */
  readonly hasClientCall: boolean;
  add(event: WireObject, emit: EmitEvent): void;
  say(event: WireObject, emit: EmitEvent): void;
  sound(event: WireObject, mimeType: string | undefined, emit: EmitEvent): void;
  transcribe(event: WireObject, emit: EmitEvent): void;
  /** Ends a part, with the whole of its text or transcript where the event has it; xAI does not even say of what kind. */
  endPart(event: WireObject, part: WireObject | undefined, emit: EmitEvent): void;
  call(event: WireObject, type: string, emit: EmitEvent): void;
  endCall(event: WireObject, type: string, emit: EmitEvent): void;
  /** Ends an item, with everything that its parts had not said before. */
  finish(key: string, wire: WireObject, event: unknown, emit: EmitEvent): void;
}

/** Where the provider says what part of the turn a message is. */
const PHASES: ReadonlyMap<string, NonNullable<TextBlock['phase']>> = new Map([
  ['commentary', 'commentary'],
  ['final_answer', 'final'],
]);

const FUNCTION_CALL = 'function_call';
const MCP_CALL = 'mcp_call';

export function createItems(writer: ResponseWriter<never>): Items {
  const items = new Map<string, Item>();
  let hasClientCall = false;

  function itemAt(key: string, wire: WireObject = {}): Item {
    let item = items.get(key);
    if (!item) items.set(key, (item = { wire, parts: new Map(), call: undefined, isDone: false }));
    return item;
  }

  function partOf(event: WireObject, kind: 'text' | 'media', emit: EmitEvent): WrittenBlock {
    return partAt(itemAt(keyOf(event)), numberIn(event, 'content_index') ?? 0, kind, emit);
  }

  /** A part of another kind at the same place ends the one before. */
  function partAt(item: Item, index: number, kind: 'text' | 'media', emit: EmitEvent): WrittenBlock {
    const before = item.parts.get(index);
    if (before?.block.kind === kind) return before;
    if (before) writer.end(before, {}, undefined, emit);
    const phase = PHASES.get(textIn(item.wire, 'phase') ?? '');
    const block = kind === 'media' ? ({ kind, parts: [] } as const) : { kind, text: '', ...present({ phase }) };
    const written = writer.open(block, emit);
    item.parts.set(index, written);
    return written;
  }

  /** A call is shown once its name is known. */
  function callOf(item: Item, type: string, emit: EmitEvent): WrittenBlock | undefined {
    const name = wordIn(item.wire, 'name');
    if (item.call || name === undefined) return item.call;
    const isOfServer = type === MCP_CALL;
    const id = wordIn(item.wire, isOfServer ? 'id' : 'call_id') ?? '';
    const block: ToolCallBlock = { kind: 'tool-call', id, name, arguments: '', format: 'json', state: 'open' };
    hasClientCall ||= !isOfServer;
    item.call = writer.open(isOfServer ? { ...block, providerExecuted: true } : block, emit);
    return item.call;
  }

  function finishParts(item: Item, event: unknown, emit: EmitEvent): void {
    for (const [index, value] of listIn(item.wire, 'content').entries()) {
      const said = saidIn(objectOf(value) ?? {});
      if (said.whole) writer.end(partAt(item, index, said.kind, emit), { text: said.whole }, event, emit);
    }
    for (const part of item.parts.values()) writer.end(part, {}, undefined, emit);
  }

  function finishCall(item: Item, type: string, event: unknown, emit: EmitEvent): void {
    const call = callOf(item, type, emit);
    if (!call) return;
    const patch: BlockPatch = present({ arguments: wordIn(item.wire, 'arguments') });
    writer.end(call, patch, event, emit);
    if (type !== MCP_CALL || call.block.kind !== 'tool-call') return;
    const error = item.wire['error'] ?? undefined;
    const content = error ?? item.wire['output'] ?? undefined;
    if (content === undefined) return;
    const { id: toolCallId, name } = call.block;
    const result: ToolResultBlock = { kind: 'tool-result', toolCallId, name, content };
    const written = writer.open(error === undefined ? result : { ...result, isError: true }, emit);
    writer.end(written, {}, event, emit);
  }

  return {
    get hasClientCall() {
      return hasClientCall;
    },
    add(event, emit) {
      const wire = objectOf(event['item']) ?? {};
      const item = itemAt(wordIn(wire, 'id') ?? keyOf(event), wire);
      item.wire = { ...wire, ...item.wire };
      const type = textIn(wire, 'type') ?? '';
      if (type === FUNCTION_CALL || type === MCP_CALL) callOf(item, type, emit);
    },
    say(event, emit) {
      const delta = textIn(event, 'delta') ?? '';
      if (delta !== '') writer.append(partOf(event, 'text', emit), delta, emit);
    },
    sound(event, mimeType, emit) {
      const delta = textIn(event, 'delta') ?? '';
      if (delta !== '') writer.attach(partOf(event, 'media', emit), delta, emit, mimeType);
    },
    transcribe(event, emit) {
      const delta = textIn(event, 'delta') ?? '';
      if (delta !== '') writer.append(partOf(event, 'media', emit), delta, emit);
    },
    endPart(event, part, emit) {
      const said = part && saidIn(part);
      const before = itemAt(keyOf(event)).parts.get(numberIn(event, 'content_index') ?? 0);
      if (said?.whole) writer.end(partOf(event, said.kind, emit), { text: said.whole }, event, emit);
      else if (before) writer.end(before, {}, undefined, emit);
    },
    call(event, type, emit) {
      const item = itemAt(keyOf(event));
      const call = callOf(item, type, emit);
      if (call) writer.append(call, textIn(event, 'delta') ?? '', emit);
    },
    endCall(event, type, emit) {
      const item = itemAt(keyOf(event));
      item.wire = { ...present({ call_id: event['call_id'], name: event['name'] }), ...item.wire };
      const call = callOf(item, type, emit);
      if (call) writer.end(call, present({ arguments: textIn(event, 'arguments') }), event, emit);
    },
    finish(key, wire, event, emit) {
      const item = itemAt(wordIn(wire, 'id') ?? key, wire);
      if (item.isDone) return;
      item.isDone = true;
      item.wire = { ...item.wire, ...wire };
      const type = textIn(wire, 'type') ?? '';
      if (type === FUNCTION_CALL || type === MCP_CALL) finishCall(item, type, event, emit);
      else finishParts(item, event, emit);
    },
  };
}

/** `{ type: 'text', text }`, `{ type: 'audio', transcript }`; in a finished item the types begin with `output_`. */
function saidIn(part: WireObject): { readonly kind: 'text' | 'media'; readonly whole: string | undefined } {
  const isSound = textIn(part, 'type')?.endsWith('audio') === true;
  return isSound ? { kind: 'media', whole: textIn(part, 'transcript') } : { kind: 'text', whole: textIn(part, 'text') };
}

/** The item of an event; xAI gives all items of a response the same place. */
export function keyOf(event: WireObject): string {
  return wordIn(event, 'item_id') ?? `output ${numberIn(event, 'output_index') ?? 0}`;
}
