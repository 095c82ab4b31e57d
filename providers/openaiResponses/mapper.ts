import type { ModelStreamError } from '../../src/errors';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import type { TokenUsage } from '../../src/usage';
import { listIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { CallFacts } from './calls';
import { createItems, itemIn, type EmitEvent, type Item } from './item';
import { createCalls } from './itemCall';
import { createPartEvents } from './partEvents';
import { createParts } from './parts';
import { pictureOf, resultOf } from './results';
import type { WireItem, OpenAIResponsesTurn } from './turn';

/** Why a response is incomplete. Source: openai 7.59.0; 6.49.0 knows the first two. */
const INCOMPLETE_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
  ['max_messages', 'length'],
  ['steered', 'pause'],
]);

/** In what the services that speak this API differ. */
export interface ResponsesDialect {
  readonly name: string;
  readonly callFactsOf: (item: WireItem) => CallFacts | undefined;
  readonly usageOf: (wire: WireObject) => TokenUsage;
}

/** Translates the events of one response. */
export function createResponsesMapper(dialect: ResponsesDialect): Stage<Payload, ModelEvent<OpenAIResponsesTurn>> {
  const { name, callFactsOf, usageOf } = dialect;
  const writer = createResponseWriter<OpenAIResponsesTurn>(name);
  const calls = createCalls(writer, callFactsOf);
  const items = createItems();
  const parts = createParts(writer);
  const readPart = createPartEvents(items, parts);
  let terminal: WireObject = {};
  let finalOutput: readonly WireItem[] = [];

  function begin(event: WireObject, emit: EmitEvent): void {
    const response = objectIn(event, 'response');
    const responseId = wordIn(response, 'id');
    writer.begin(present({ responseId, model: wordIn(response, 'model') }), emit);
  }

  function addItem(event: WireObject, emit: EmitEvent): void {
    const wire = itemIn(event['item']);
    if (wire === undefined) return;
    const item = itemFor(event, wire, emit);
    if (item === undefined) return;
    item.wire = wire;
    calls.open(item, emit);
  }

  /** A second start in a place that is taken ends what is there, unless it is of a type that nothing is known of. */
  function itemFor(event: WireObject, wire: WireItem, emit: EmitEvent): Item | undefined {
    const item = items.of(event, wire.type);
    if (item.wire.type === wire.type) return item;
    if (!isMapped(wire)) return undefined;
    parts.end(item, {}, event, emit);
    if (item.call) writer.end(item.call, {}, event, emit);
    return items.replace(event, wire.type);
  }

  /** Whether items of this type give blocks. */
  function isMapped(wire: WireItem): boolean {
    return wire.type === 'message' || wire.type === 'reasoning' || callFactsOf(wire) !== undefined;
  }

  function finishItem(item: Item, wire: WireItem, event: unknown, emit: EmitEvent): void {
    if (item.done) return;
    item.done = true;
    item.wire = wire;
    calls.finish(item, event, emit);
    parts.finish(item, event, emit);
    const result = resultOf(wire);
    if (result) writer.end(writer.open(result, emit), {}, event, emit);
    if (wire.type === 'image_generation_call') showPicture(item, textIn(wire, 'result'), wire, emit);
  }

  /** Each preview replaces the one before it; the result replaces them all. */
  function showPicture(item: Item, data: string | undefined, wire: WireObject, emit: EmitEvent): void {
    if (!data) return;
    const picture = pictureOf(data, wire);
    const before = item.picture;
    item.picture ??= writer.open({ ...picture, parts: [] }, emit);
    writer.update(item.picture, picture, emit);
    if (!before) writer.end(item.picture, {}, wire, emit);
  }

  /** The terminal event repeats the output: it closes what is open and brings what never was streamed. */
  function close(event: WireObject, emit: EmitEvent): void {
    begin(event, emit);
    terminal = event;
    finalOutput = listIn(objectIn(event, 'response'), 'output').flatMap((value) => itemIn(value) ?? []);
    const streamedIds = new Set(items.all().map((item) => wordIn(item.wire, 'id')));
    finalOutput.forEach((wire, index) => {
      const item = items.at(index);
      const isNew = item === undefined && !streamedIds.has(wordIn(wire, 'id'));
      if (isNew || item?.wire.type === wire.type) {
        finishItem(items.of({ output_index: index }, wire.type), wire, event, emit);
      }
    });
  }

  function addUsage(event: WireObject, emit: EmitEvent): void {
    const usage = objectIn(objectIn(event, 'response'), 'usage');
    if (usage) writer.usage(usageOf(usage), emit);
  }

  function finishOf(event: WireObject): { reason: FinishReason; rawReason: string } {
    if (event['type'] === 'response.cancelled') return { reason: 'cancelled', rawReason: 'cancelled' };
    if (event['type'] === 'response.incomplete') {
      const rawReason = wordIn(objectIn(objectIn(event, 'response'), 'incomplete_details'), 'reason') ?? 'incomplete';
      return { reason: INCOMPLETE_REASONS.get(rawReason) ?? 'other', rawReason };
    }
    const waitsForClient = items.all().some(({ wire }) => callFactsOf(wire)?.providerExecuted === false);
    const reason = waitsForClient ? 'tool-calls' : parts.refused ? 'content-filter' : 'stop';
    return { reason, rawReason: 'completed' };
  }

  function read(event: WireObject, emit: EmitEvent): void {
    switch (event['type']) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        begin(event, emit);
        return;
      case 'response.output_item.added':
        addItem(event, emit);
        return;
      case 'response.output_item.done': {
        const wire = itemIn(event['item']);
        const item = wire && itemFor(event, wire, emit);
        if (item) finishItem(item, wire, event, emit);
        return;
      }
      case 'response.function_call_arguments.delta':
        calls.grow(items.of(event, 'function_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.function_call_arguments.done':
        calls.close(items.of(event, 'function_call'), event, textIn(event, 'arguments'), emit);
        return;
      case 'response.custom_tool_call_input.delta':
        calls.grow(items.of(event, 'custom_tool_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.custom_tool_call_input.done':
        calls.close(items.of(event, 'custom_tool_call'), event, textIn(event, 'input'), emit);
        return;
      case 'response.mcp_call_arguments.delta':
        calls.grow(items.of(event, 'mcp_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.mcp_call_arguments.done':
        calls.close(items.of(event, 'mcp_call'), event, textIn(event, 'arguments'), emit);
        return;
      case 'response.apply_patch_call_operation_diff.delta':
        calls.grow(items.of(event, 'apply_patch_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.image_generation_call.partial_image':
        showPicture(items.of(event, 'image_generation_call'), textIn(event, 'partial_image_b64'), event, emit);
        return;
      case 'response.completed':
      case 'response.done':
      case 'response.incomplete':
      case 'response.cancelled':
        close(event, emit);
        addUsage(event, emit);
        return;
      case 'response.failed':
        addUsage(event, emit);
        return;
      default: // states of hosted tools, code, shell, audio, and what is not known yet, are left alone: raw
        readPart(event, emit);
    }
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      if (event) read(event, emit);
    },
    end(emit) {
      for (const item of items.all()) parts.end(item, {}, undefined, emit);
      writer.finish({ ...finishOf(terminal), turn: items.turn(finalOutput) }, emit);
    },
    fail(error: ModelStreamError, emit) {
      for (const item of items.all()) parts.end(item, {}, undefined, emit);
      writer.finish({ reason: 'error', rawReason: 'failed', error }, emit);
    },
  };
}
