import type { WrittenBlock } from '../../src/responseWriter';
import { present, wordIn, type WireObject } from '../../src/wire';
import { escaped, patchPrefixOf, type CallFacts } from './calls';
import type { EmitEvent, Item, Writer } from './item';
import { appendRest } from './parts';
import type { WireItem } from './turn';

/** What has to be known of an item to write its call. */
export type CallItem = Pick<Item, 'wire' | 'call' | 'heldArguments'>;

/** Writes the call that an item is: one block. */
export interface Calls {
  /** Shows the call as soon as it has a name. */
  open(item: CallItem, emit: EmitEvent): void;
  grow(item: CallItem, delta: string, emit: EmitEvent): void;
  /** Takes the closing value of the arguments; the call ends with its item. */
  close(item: CallItem, event: WireObject, whole: string | undefined, emit: EmitEvent): void;
  /** Takes the finished item, which is authoritative whatever its own `status` says, but for `incomplete`. */
  finish(item: CallItem, event: unknown, emit: EmitEvent): void;
}

export function createCalls(writer: Writer, callFactsOf: (item: WireItem) => CallFacts | undefined): Calls {
  function callOf(item: CallItem, facts: CallFacts | undefined, emit: EmitEvent): WrittenBlock | undefined {
    if (item.call || facts?.name === undefined) return item.call;
    const { id, name, format, providerExecuted } = facts;
    const block = { kind: 'tool-call', id, name, arguments: '', format, state: 'open' } as const;
    item.call = writer.open(providerExecuted ? { ...block, providerExecuted } : block, emit);
    writer.append(item.call, item.heldArguments, emit);
    return item.call;
  }

  return {
    open(item, emit) {
      const facts = callFactsOf(item.wire);
      const call = callOf(item, facts, emit);
      if (call && facts?.streamed) writer.append(call, facts.arguments ?? '', emit);
    },
    grow(item, delta, emit) {
      const piece = item.wire.type === 'apply_patch_call' ? patchPiece(item, delta) : delta;
      if (item.call) writer.append(item.call, piece, emit);
      else item.heldArguments += piece;
    },
    close(item, event, whole, emit) {
      const name = wordIn(event, 'name'); // some hosts send it here
      if (name !== undefined && wordIn(item.wire, 'name') === undefined) item.wire = { ...item.wire, name };
      const call = callOf(item, callFactsOf(item.wire), emit);
      if (call && whole !== undefined) appendRest(writer, call, whole, emit);
    },
    finish(item, event, emit) {
      const facts = callFactsOf(item.wire);
      const call = callOf(item, facts, emit);
      if (!call || !facts) return;
      const whole = { id: facts.id, ...present({ name: facts.name, arguments: facts.arguments }) };
      writer.end(call, item.wire['status'] === 'incomplete' ? { ...whole, state: 'cut' } : whole, event, emit);
    },
  };
}

/** A piece of the diff of a patch, as it stands in the JSON text of the operation. */
function patchPiece(item: CallItem, delta: string): string {
  const begins = (item.call?.content ?? item.heldArguments) === '';
  return (begins ? patchPrefixOf(item.wire) : '') + escaped(delta);
}
