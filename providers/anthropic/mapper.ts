import { ModelStreamError } from '../../src/errors';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Emit, Stage } from '../../src/stage';
import {
  listIn,
  numberIn,
  objectIn,
  objectOf,
  overwritten,
  present,
  textIn,
  wordIn,
  type WireObject,
} from '../../src/wire';
import { blockOf, citationOf, initialContentOf, turnBlockOf, type ContentBlock } from './contentBlock';
import type { WireBlock, AnthropicTurn } from './turn';
import { usageOf } from './usage';

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, read 2026-11-29. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['compaction', 'pause'],
  ['refusal', 'content-filter'],
]);

type EmitEvent = Emit<ModelEvent<AnthropicTurn>>;

/** Translates the events of one message. A block's key is its `index`, the place in the final `content`. */
export function createAnthropicMapper(name: string): Stage<Payload, ModelEvent<AnthropicTurn>> {
  const writer = createResponseWriter<AnthropicTurn>(name);
  const content: ContentBlock[] = []; // in the order of their starts, for the turn
  const byIndex = new Map<number, ContentBlock>();
  const callNames = new Map<string, string>(); // by id, for the results that quote it
  let latest: ContentBlock | undefined; // what a delta or stop without an index means
  let started = false;
  let usage: WireObject = {};
  let stopReason: string | undefined;

  function startMessage(message: WireObject | undefined, emit: EmitEvent): void {
    if (started) {
      throw new ModelStreamError('malformed', 'Cannot read message: a second one starts before the first has stopped', {
        provider: name,
      });
    }
    started = true;
    writer.begin(present({ responseId: wordIn(message, 'id'), model: wordIn(message, 'model') }), emit);
    for (const block of listIn(message, 'content')) closeBlock(startBlock(undefined, block, emit), block, emit);
    addUsage(objectIn(message, 'usage'), emit);
  }

  function addUsage(wire: WireObject | undefined, emit: EmitEvent): void {
    if (wire === undefined) return;
    usage = overwritten(usage, wire); // totals of the message, those of its start and of its deltas: the last one counts
    writer.usage(usageOf(usage), emit);
  }

  /**
   * xAI gives every block the index 0: a start whose index is still open closes that block first. A block without a word
   * in this vocabulary leaves the others as they are.
   */
  function startBlock(index: number | undefined, wire: unknown, emit: EmitEvent): ContentBlock | undefined {
    const typed = typedOf(wire);
    if (typed === undefined) return undefined;
    const block = blockOf(typed, callNames);
    const before = index === undefined ? undefined : byIndex.get(index);
    if (block) closeBlock(before, wire, emit);
    const written = block && writer.open(block, emit);
    if (block?.kind === 'tool-call') callNames.set(block.id, block.name);
    const opened: ContentBlock = { wire: typed, written, additions: {}, citations: [], closed: false };
    content.push(opened);
    if (block) latest = opened;
    if (index !== undefined && (before?.closed ?? true)) byIndex.set(index, opened);
    if (written) writer.append(written, initialContentOf(typed), emit);
    return opened;
  }

  function closeBlock(block: ContentBlock | undefined, event: unknown, emit: EmitEvent): void {
    if (block === undefined || block.closed) return;
    block.closed = true;
    if (block.written) writer.end(block.written, present({ signature: signatureOf(block) }), event, emit);
  }

  function readDelta(event: WireObject, emit: EmitEvent): void {
    const delta = objectIn(event, 'delta');
    const index = numberIn(event, 'index');
    const block = (index === undefined ? latest : byIndex.get(index)) ?? lazyBlock(index, delta, emit);
    if (block === undefined || delta === undefined || block.closed) return;
    const kind = block.written?.block.kind;
    const grow = (text: string | undefined): void => {
      if (block.written && text !== undefined) writer.append(block.written, text, emit);
    };
    switch (delta['type']) {
      case 'text_delta':
        if (kind === 'text') grow(textIn(delta, 'text'));
        return;
      case 'thinking_delta':
        if (kind === 'reasoning') grow(textIn(delta, 'thinking'));
        return;
      case 'input_json_delta':
        if (kind === 'tool-call') grow(textIn(delta, 'partial_json'));
        return;
      case 'signature_delta':
        block.additions = { ...block.additions, signature: delta['signature'] };
        return;
      case 'citations_delta':
        block.citations.push(delta['citation']);
        if (block.written) writer.cite(block.written, citationOf(delta['citation']), emit);
        return;
      case 'compaction_delta':
        block.additions = { ...delta, type: block.wire.type };
        return;
    }
  }

  /** A delta whose start never came opens its block, where it tells enough: a call without a name cannot be made up. */
  function lazyBlock(
    index: number | undefined,
    delta: WireObject | undefined,
    emit: EmitEvent,
  ): ContentBlock | undefined {
    const type = LAZY_TYPES.get(textIn(delta, 'type') ?? '');
    return type === undefined ? undefined : startBlock(index, { type }, emit);
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      switch (event?.['type']) {
        case 'message_start':
          startMessage(objectIn(event, 'message'), emit);
          return;
        case 'content_block_start':
          startBlock(numberIn(event, 'index'), event['content_block'], emit);
          return;
        case 'content_block_delta':
          readDelta(event, emit);
          return;
        case 'content_block_stop': {
          const index = numberIn(event, 'index');
          closeBlock(index === undefined ? latest : byIndex.get(index), value, emit);
          return;
        }
        case 'message_delta':
          stopReason = wordIn(objectIn(event, 'delta'), 'stop_reason') ?? stopReason;
          addUsage(objectIn(event, 'usage'), emit);
          return;
      }
    },
    end(emit) {
      const reason = REASONS.get(stopReason ?? '') ?? 'other';
      // The stop of a block may be missing, at the token limit above all; `finish` closes calls and knows the reason.
      for (const block of content) if (block.written?.block.kind !== 'tool-call') closeBlock(block, undefined, emit);
      const turn: AnthropicTurn = { role: 'assistant', content: content.map(turnBlockOf) };
      writer.finish({ reason, ...(stopReason !== undefined && { rawReason: stopReason }), turn }, emit);
    },
  };
}

const LAZY_TYPES: ReadonlyMap<string, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
]);

function typedOf(wire: unknown): WireBlock | undefined {
  const block = objectOf(wire);
  const type = textIn(block, 'type');
  return type === undefined ? undefined : { ...block, type };
}

function signatureOf({ wire, additions }: ContentBlock): string | undefined {
  return wordIn(additions, 'signature') ?? wordIn(wire, 'signature');
}
