import type { ModelStreamError } from '../../src/errors';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { eventTypeOf } from './eventType';
import { createItems, keyOf, type EmitEvent } from './items';
import { usageIn } from './usage';

/** Why a response is incomplete; other words are `other`. */
const INCOMPLETE_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

/** Translates the events of one response. */
export function createRealtimeMapper(name: string): Stage<Payload, ModelEvent<never>> {
  const writer = createResponseWriter<never>(name);
  const items = createItems(writer);
  let mimeType: string | undefined;
  let terminal: WireObject | undefined;

  function begin(response: WireObject | undefined, emit: EmitEvent): void {
    mimeType = mimeTypeIn(response) ?? mimeType;
    writer.begin(present({ responseId: wordIn(response, 'id'), model: wordIn(response, 'model') }), emit);
  }

  function complete(event: WireObject, emit: EmitEvent): void {
    terminal = objectIn(event, 'response');
    begin(terminal, emit);
    for (const [place, value] of listIn(terminal, 'output').entries()) {
      const wire = objectOf(value);
      if (wire) items.finish(`output ${place}`, wire, event, emit);
    }
    const usage = usageIn(event);
    if (usage) writer.usage(usage, emit);
  }

  function read(event: WireObject, emit: EmitEvent): void {
    switch (eventTypeOf(event)) {
      case 'response.created':
        begin(objectIn(event, 'response'), emit);
        return;
      case 'response.output_item.added':
        items.add(event, emit);
        return;
      case 'response.output_text.delta':
        items.say(event, emit);
        return;
      case 'response.output_audio.delta':
        items.sound(event, mimeType, emit);
        return;
      case 'response.output_audio_transcript.delta':
        items.transcribe(event, emit);
        return;
      case 'response.output_text.done':
        items.endPart(event, { type: 'text', text: event['text'] }, emit);
        return;
      case 'response.content_part.done':
        items.endPart(event, objectIn(event, 'part'), emit);
        return;
      case 'response.function_call_arguments.delta':
        items.call(event, 'function_call', emit);
        return;
      case 'response.function_call_arguments.done':
        items.endCall(event, 'function_call', emit);
        return;
      case 'response.mcp_call_arguments.delta':
        items.call(event, 'mcp_call', emit);
        return;
      case 'response.mcp_call_arguments.done':
        items.endCall(event, 'mcp_call', emit);
        return;
      case 'response.output_item.done': {
        const wire = objectIn(event, 'item');
        if (wire) items.finish(keyOf(event), wire, event, emit);
        return;
      }
      case 'response.done':
        complete(event, emit);
        return;
      default: // the session, the conversation, what the user says, and what is not known yet: raw
    }
  }

  function reason(): FinishReason {
    switch (textIn(terminal, 'status') ?? 'completed') {
      case 'completed':
        return items.hasClientCall ? 'tool-calls' : 'stop';
      case 'incomplete':
        return INCOMPLETE_REASONS.get(rawReason()) ?? 'other';
      case 'cancelled':
        return 'cancelled';
      default:
        return 'other';
    }
  }

  /** The reason beside the status says more; xAI leaves out both. */
  function rawReason(): string {
    return wordIn(objectIn(terminal, 'status_details'), 'reason') ?? wordIn(terminal, 'status') ?? 'completed';
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      if (event) read(event, emit);
    },
    end(emit) {
      writer.finish({ reason: reason(), rawReason: rawReason() }, emit);
    },
    fail(error: ModelStreamError, emit) {
      writer.finish({ reason: 'error', rawReason: 'failed', error }, emit);
    },
  };
}

/** `audio.output.format { type, rate }`; of the beta `output_audio_format`, a word. */
function mimeTypeIn(response: WireObject | undefined): string | undefined {
  const format = objectIn(objectIn(objectIn(response, 'audio'), 'output'), 'format');
  const type = wordIn(format, 'type');
  const rate = numberIn(format, 'rate');
  return type !== undefined && rate !== undefined ? `${type};rate=${rate}` : type;
}
