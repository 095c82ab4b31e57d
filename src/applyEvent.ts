import { PersistentList } from './persistentList';
import type { Block, TextBlock } from './blocks';
import { citedText, retold } from './citedText';
import { ModelStreamError } from './errors';
import type { ModelEvent } from './events';
import { grownMedia } from './grownMedia';
import { listOf, snapshotOf, type Snapshot } from './snapshot';

/**
 * The snapshot after one more event: a pure fold over the event vocabulary.
 *
 * 1. Neither argument is changed.
 * 2. An event that changes nothing gives the very snapshot it was given.
 * 3. A delta for the block after the last opens it, where no `block-start` came.
 * 4. `response-start` begins a new snapshot with the next `ordinal` when a response was there already; `restart` begins
 *    the same one anew.
 *
 * @throws {ModelStreamError} `malformed` when an event does not fit its block, as when the events of two models were
 *   merged: accumulate each first, then merge.
 *
 * @example
 * ```ts
 * import { applyEvent, emptySnapshot, textOf } from 'rx-model-stream';
 *
 * const started = applyEvent(emptySnapshot, { type: 'response-start', provider: 'demo' });
 * const snapshot = applyEvent(started, { type: 'text-delta', index: 0, text: 'Hi' });
 * console.log(snapshot.status, textOf(snapshot)); // streaming Hi
 * ```
 */
export function applyEvent<Turn>(snapshot: Snapshot<Turn>, event: ModelEvent<Turn>): Snapshot<Turn> {
  switch (event.type) {
    case 'response-start': {
      if (snapshot.status === 'streaming') throw misfit(event.type, 'a response is running already');
      const ordinal = snapshot.status === 'idle' ? snapshot.ordinal : snapshot.ordinal + 1;
      const { provider, responseId, model } = event;
      return snapshotOf(PersistentList.empty, { status: 'streaming', ordinal, provider, responseId, model });
    }
    case 'block-start':
    case 'block-end':
    case 'block-update':
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
    case 'media-delta':
    case 'citation':
      return withBlock(snapshot, event);
    case 'usage':
      return snapshotOf(listOf(snapshot), { ...withoutBlocks(snapshot), usage: event.usage });
    case 'finish':
      return snapshotOf(listOf(snapshot), {
        ...withoutBlocks(snapshot),
        status: event.reason === 'error' ? 'failed' : 'complete',
        finishReason: event.reason,
        rawFinishReason: event.rawReason,
        turn: event.turn,
        continuationToken: event.continuationToken,
        error: event.error,
      });
    case 'error':
      return withStatus(snapshot, 'failed', event.error);
    case 'restart':
      return snapshotOf(PersistentList.empty, { status: 'idle', ordinal: snapshot.ordinal });
    case 'raw':
      return snapshot;
  }
}

/** The snapshot of a response that ended without its own ending. */
export function withStatus<Turn>(
  snapshot: Snapshot<Turn>,
  status: 'failed' | 'stopped',
  error?: ModelStreamError,
): Snapshot<Turn> {
  return snapshotOf(listOf(snapshot), { ...withoutBlocks(snapshot), status, error });
}

type BlockEvent = Extract<ModelEvent, { readonly index: number }>;

/** The block after an event of its own, or undefined when the event does not fit it. */
function blockAfter(block: Block | undefined, event: BlockEvent): Block | undefined {
  switch (event.type) {
    case 'block-start':
      return block === undefined ? event.block : undefined;
    case 'block-end':
    case 'block-update':
      return block === undefined || block.kind === event.block.kind ? event.block : undefined;
    case 'text-delta': {
      if (block === undefined) return { kind: 'text', text: event.text };
      return block.kind === 'text' ? grownText(block, event.text) : undefined;
    }
    case 'reasoning-delta': {
      if (block === undefined) return { kind: 'reasoning', text: event.text };
      return block.kind === 'reasoning' ? replacing(block, 'text', block.text + event.text) : undefined;
    }
    case 'tool-call-delta': {
      const { id, name = '', argumentsDelta } = event;
      if (block === undefined) {
        return { kind: 'tool-call', id, name, arguments: argumentsDelta, format: 'json', state: 'open' };
      }
      return block.kind === 'tool-call' ? replacing(block, 'arguments', block.arguments + argumentsDelta) : undefined;
    }
    case 'media-delta': {
      const before = block ?? { kind: 'media', parts: [] };
      return before.kind === 'media' ? grownMedia(before, event) : undefined;
    }
    case 'citation': {
      const before = block ?? { kind: 'text', text: '' };
      return before.kind === 'text' ? citedText(before, event.citation) : undefined;
    }
  }
}

function grownText(block: TextBlock, more: string): TextBlock {
  const text = block.text + more;
  return 'citations' in block ? retold(block, text) : replacing(block, 'text', text);
}

/** A copy with one field replaced. A spread that overrides the field costs twice as much, for every delta. */
function replacing<Copied extends Block, Key extends keyof Copied>(
  block: Copied,
  key: Key,
  value: Copied[Key],
): Copied {
  const copy = { ...block };
  copy[key] = value;
  return copy;
}

function withBlock<Turn>(snapshot: Snapshot<Turn>, event: BlockEvent): Snapshot<Turn> {
  const list = listOf(snapshot);
  const { index, type } = event;
  if (!Number.isInteger(index) || index < 0 || index > list.size) {
    throw misfit(type, `block ${index} does not follow ${list.size} blocks`);
  }
  const before = list.at(index);
  const block = blockAfter(before, event);
  if (block === undefined) throw misfit(type, `block ${index} is ${before?.kind ?? 'not there'}`);
  if (block === before) return snapshot;
  const next = list.with(index, block);
  return snapshot.status === 'idle'
    ? snapshotOf(next, { ...withoutBlocks(snapshot), status: 'streaming' })
    : snapshotOf(next, snapshot);
}

function misfit(type: ModelEvent['type'], found: string): ModelStreamError {
  return new ModelStreamError('malformed', `Cannot apply ${type}: ${found}`);
}

/** A spread of the snapshot itself would read its blocks. */
function withoutBlocks<Turn>(snapshot: Snapshot<Turn>): Omit<Snapshot<Turn>, 'blocks'> {
  const { status, ordinal, provider, responseId, model, usage, finishReason, rawFinishReason } = snapshot;
  const { turn, continuationToken, error } = snapshot;
  const named = { status, ordinal, provider, responseId, model, usage };
  return { ...named, finishReason, rawFinishReason, turn, continuationToken, error };
}
