import type { WrittenBlock } from '../../src/responseWriter';
import { present, wordIn, type WireObject } from '../../src/wire';
import { callFactsOf, escaped, patchPrefixOf, type CallFacts } from './calls';
import type { EmitEvent, Item, Writer } from './item';
import { appendRest } from './parts';

/** Shows the call an item is, as soon as it has a name. */
export function openCall(writer: Writer, item: Item, emit: EmitEvent): void {
  const facts = callFactsOf(item.wire);
  const call = facts && callOf(writer, item, facts, emit);
  if (call && facts.streamed) writer.append(call, facts.arguments ?? '', emit);
}

export function growCall(writer: Writer, item: Item, delta: string, emit: EmitEvent): void {
  const piece = item.wire.type === 'apply_patch_call' ? patchPiece(item, delta) : delta;
  if (item.call) writer.append(item.call, piece, emit);
  else item.heldArguments += piece;
}

/** Takes the closing value of the arguments; the call ends with its item. */
export function closeArguments(
  writer: Writer,
  item: Item,
  event: WireObject,
  whole: string | undefined,
  emit: EmitEvent,
): void {
  const name = wordIn(event, 'name'); // some hosts send it here
  if (name !== undefined && wordIn(item.wire, 'name') === undefined) item.wire = { ...item.wire, name };
  const facts = callFactsOf(item.wire);
  const call = facts && callOf(writer, item, facts, emit);
  if (call && whole !== undefined) appendRest(writer, call, whole, emit);
}

/** Takes the finished item, which is authoritative whatever its own `status` says, but for `incomplete`. */
export function finishCall(writer: Writer, item: Item, event: unknown, emit: EmitEvent): void {
  const facts = callFactsOf(item.wire);
  const call = facts && callOf(writer, item, facts, emit);
  if (!call) return;
  const whole = { id: facts.id, ...present({ name: facts.name, arguments: facts.arguments }) };
  writer.end(call, item.wire['status'] === 'incomplete' ? { ...whole, state: 'cut' } : whole, event, emit);
}

function callOf(writer: Writer, item: Item, facts: CallFacts, emit: EmitEvent): WrittenBlock | undefined {
  const { id, name, format, providerExecuted } = facts;
  if (item.call || name === undefined) return item.call;
  const block = { kind: 'tool-call', id, name, arguments: '', format, state: 'open' } as const;
  item.call = writer.open(providerExecuted ? { ...block, providerExecuted } : block, emit);
  writer.append(item.call, item.heldArguments, emit);
  return item.call;
}

/** A piece of the diff of a patch, as it stands in the JSON text of the operation. */
function patchPiece(item: Item, delta: string): string {
  const begins = (item.call?.content ?? item.heldArguments) === '';
  return (begins ? patchPrefixOf(item.wire) : '') + escaped(delta);
}
