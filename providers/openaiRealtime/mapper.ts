import type { ModelStreamError } from '../../src/errors';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { listIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { WireItem, OpenAIResponsesTurn } from '../openaiResponses';
import { callFactsOf } from '../openaiResponses/calls';
import { itemIn, type EmitEvent } from '../openaiResponses/item';
import { createCalls } from '../openaiResponses/itemCall';
import { resultOf } from '../openaiResponses/results';
import { mimeTypeIn } from './audioFormat';
import { eventTypeOf } from './eventType';
import { createItems, type Item } from './items';
import { createParts } from './parts';
import { usageIn } from './usage';

/** Why a response is incomplete; other words are `other`. */
const INCOMPLETE_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

/** What the session says and its responses do not repeat. */
export interface SessionFacts {
  model: string | undefined;
  mimeType: string | undefined;
}

interface RealtimeMapper extends Stage<Payload, ModelEvent<OpenAIResponsesTurn>> {
  /** Whether its response was seen to begin. */
  readonly isBegun: boolean;
}

/** Translates the events of one response; those of the session it only learns from. */
export function createRealtimeMapper(name: string, session: SessionFacts): RealtimeMapper {
  const writer = createResponseWriter<OpenAIResponsesTurn>(name);
  const items = createItems();
  const calls = createCalls(writer, callFactsOf);
  const parts = createParts(writer, () => mimeType);
  let mimeType: string | undefined;
  let isBegun = false;
  let terminal: WireObject | undefined;

  function learn(wire: WireObject | undefined): void {
    session.model = wordIn(wire, 'model') ?? session.model;
    session.mimeType = mimeTypeIn(wire) ?? session.mimeType;
  }

  function begin(response: WireObject | undefined, emit: EmitEvent): void {
    isBegun = true;
    mimeType ??= mimeTypeIn(response) ?? session.mimeType;
    const model = wordIn(response, 'model') ?? session.model;
    writer.begin(present({ responseId: wordIn(response, 'id'), model }), emit);
  }

  function addItem(event: WireObject, emit: EmitEvent): void {
    const wire = itemIn(event['item']);
    if (wire === undefined) return;
    const item = items.of(event, wire.type);
    item.wire = wire;
    calls.open(item, emit);
  }

  /** The events of arguments name their call, in case its item was not announced. */
  function callOf(event: WireObject, type: string): Item {
    const item = items.of(event, type);
    const call_id = wordIn(event, 'call_id');
    if (call_id !== undefined && wordIn(item.wire, 'call_id') === undefined) item.wire = { ...item.wire, call_id };
    return item;
  }

  function finishItem(item: Item, wire: WireItem, event: unknown, emit: EmitEvent): void {
    if (item.isDone) return;
    item.isDone = true;
    item.wire = wire;
    calls.finish(item, event, emit);
    parts.finish(item, event, emit);
    const result = wire.type === 'mcp_call' ? resultOf(wire) : undefined;
    if (result) writer.end(writer.open(result, emit), {}, event, emit);
  }

  /** The terminal event repeats the output: it ends what is open and brings what never was streamed. */
  function finishOutput(event: WireObject, emit: EmitEvent): void {
    for (const [output_index, value] of listIn(terminal, 'output').entries()) {
      const wire = itemIn(value);
      if (wire) finishItem(items.of({ item: wire, output_index }, wire.type), wire, event, emit);
    }
    for (const item of items.all()) parts.end(item, event, emit);
  }

  function close(event: WireObject, emit: EmitEvent): void {
    terminal = objectIn(event, 'response');
    begin(terminal, emit);
    if (textIn(terminal, 'status') !== 'failed') finishOutput(event, emit);
    const usage = usageIn(event);
    if (usage) writer.usage(usage, emit);
  }

  function read(event: WireObject, emit: EmitEvent): void {
    switch (eventTypeOf(event)) {
      case 'session.created':
      case 'session.updated':
        learn(objectIn(event, 'session'));
        return;
      case 'response.created':
        begin(objectIn(event, 'response'), emit);
        return;
      case 'response.done':
        close(event, emit);
        return;
      default:
        if (isBegun) readContent(event, emit); // what comes late belongs to no response
    }
  }

  function readContent(event: WireObject, emit: EmitEvent): void {
    switch (eventTypeOf(event)) {
      case 'response.output_item.added':
        addItem(event, emit);
        return;
      case 'response.output_item.done': {
        const wire = itemIn(event['item']);
        if (wire) finishItem(items.of(event, wire.type), wire, event, emit);
        return;
      }
      case 'response.content_part.added':
        parts.open(items.of(event, 'message'), event, emit);
        return;
      case 'response.content_part.done':
        parts.closePart(items.of(event, 'message'), event, emit);
        return;
      case 'response.output_text.delta':
        parts.say(items.of(event, 'message'), event, 'text', emit);
        return;
      case 'response.output_text.done':
        parts.close(items.of(event, 'message'), event, 'text', textIn(event, 'text'), emit);
        return;
      case 'response.output_audio.delta':
        parts.attach(items.of(event, 'message'), event, emit);
        return;
      case 'response.output_audio_transcript.delta':
        parts.say(items.of(event, 'message'), event, 'media', emit);
        return;
      case 'response.output_audio_transcript.done':
        parts.close(items.of(event, 'message'), event, 'media', textIn(event, 'transcript'), emit);
        return;
      case 'response.function_call_arguments.delta':
        calls.grow(callOf(event, 'function_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.function_call_arguments.done':
        calls.close(callOf(event, 'function_call'), event, textIn(event, 'arguments'), emit);
        return;
      case 'response.mcp_call_arguments.delta':
        calls.grow(items.of(event, 'mcp_call'), textIn(event, 'delta') ?? '', emit);
        return;
      case 'response.mcp_call_arguments.done':
        calls.close(items.of(event, 'mcp_call'), event, textIn(event, 'arguments'), emit);
        return;
      default: // the conversation, what the user says, states of MCP calls, and what is not known yet: raw
    }
  }

  function reason(): FinishReason {
    switch (textIn(terminal, 'status') ?? 'completed') {
      case 'completed':
        return waitsForClient() ? 'tool-calls' : 'stop';
      case 'incomplete':
        return INCOMPLETE_REASONS.get(rawReason() ?? '') ?? 'other';
      case 'cancelled':
        return 'cancelled';
      default:
        return 'other';
    }
  }

  function waitsForClient(): boolean {
    return items.all().some(({ wire }) => callFactsOf(wire)?.providerExecuted === false);
  }

  /** The reason beside the status says more; xAI may leave out both. */
  function rawReason(): string | undefined {
    return wordIn(objectIn(terminal, 'status_details'), 'reason') ?? wordIn(terminal, 'status');
  }

  return {
    get isBegun() {
      return isBegun;
    },
    push({ value }, emit) {
      const event = objectOf(value);
      if (event) read(event, emit);
    },
    end(emit) {
      writer.finish({ reason: reason(), ...present({ rawReason: rawReason() }) }, emit);
    },
    fail(error: ModelStreamError, emit) {
      for (const item of items.all()) parts.end(item, undefined, emit);
      writer.finish({ reason: 'error', rawReason: 'failed', error }, emit);
    },
  };
}
