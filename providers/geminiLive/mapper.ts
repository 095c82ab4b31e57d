import type { ModelStreamError } from '../../src/errors';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import type { TokenUsage } from '../../src/usage';
import { listIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { createCandidate } from '../gemini/candidate';
import type { EmitEvent } from '../gemini/mapper';
import type { GeminiTurn } from '../gemini/turn';
import { addedUsage, usageOf } from './usage';

/**
 * `turnCompleteReason`, https://ai.google.dev/api/live, read 2026-11-30: most of its words say what was refused, so a word
 * to come is taken for one of them; these are not.
 */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['TURN_COMPLETE_REASON_UNSPECIFIED', 'stop'],
  ['NEED_MORE_INPUT', 'stop'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
  ['MAX_REGENERATION_REACHED', 'other'],
  ['RESPONSE_REJECTED', 'other'],
]);

/** Fields of `serverContent` that give events, or say of the turn what its ending says. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set([
  'modelTurn',
  'outputTranscription',
  'groundingMetadata',
  'urlContextMetadata',
  'turnComplete',
  'turnCompleteReason',
]);

const MESSAGE_FIELDS: ReadonlySet<string> = new Set([
  'serverContent',
  'toolCall',
  'toolCallCancellation',
  'usageMetadata',
  'error',
]);

/** Translates the messages of one turn. There are no ids on the wire but those of calls. */
export function createLiveMapper(name: string): Stage<Payload, ModelEvent<GeminiTurn>> {
  const writer = createResponseWriter<GeminiTurn>(name);
  const candidate = createCandidate(writer, 0, name, {});
  const unanswered = new Set<string>(); // calls after which the model said nothing yet
  let usage: TokenUsage | undefined;
  let isInterrupted = false;
  let rawReason: string | undefined;

  function readContent(content: WireObject, emit: EmitEvent): void {
    const { modelTurn, groundingMetadata, urlContextMetadata } = content;
    const words = wordIn(objectIn(content, 'outputTranscription'), 'text');
    if (words !== undefined || listIn(objectOf(modelTurn), 'parts').length > 0) unanswered.clear();
    candidate.read({ content: modelTurn, groundingMetadata, urlContextMetadata }, emit);
    if (words !== undefined) candidate.transcribe(words, emit);
    isInterrupted ||= content['interrupted'] === true;
    rawReason = wordIn(content, 'turnCompleteReason') ?? rawReason;
  }

  function readCalls(calls: readonly unknown[], emit: EmitEvent): void {
    for (const functionCall of calls) {
      candidate.read({ content: { parts: [{ functionCall }] } }, emit);
      unanswered.add(textIn(objectOf(functionCall), 'id') ?? '');
    }
  }

  /** Calls of an earlier turn are not here any more. */
  function cancel(ids: readonly unknown[], emit: EmitEvent): void {
    const unknown = ids.filter((id) => typeof id !== 'string' || !candidate.cancel(id, emit));
    for (const id of ids) if (typeof id === 'string') unanswered.delete(id);
    if (unknown.length > 0) emit({ type: 'raw', provider: name, event: { toolCallCancellation: { ids: unknown } } });
  }

  function addUsage(wire: WireObject | undefined, isTurnComplete: boolean, emit: EmitEvent): void {
    const told = wire && usageOf(wire);
    if (!told) return;
    usage = usage && !isTurnComplete ? addedUsage(usage, told) : told;
    if (writer.isBegun || isTurnComplete) writer.usage(usage, emit);
    else emit({ type: 'usage', usage }); // between two turns
  }

  function readOthers(message: WireObject, content: WireObject, emit: EmitEvent): void {
    for (const [field, value] of Object.entries(message)) {
      if (!MESSAGE_FIELDS.has(field)) emit({ type: 'raw', provider: name, event: { [field]: value } });
    }
    for (const [field, value] of Object.entries(content)) {
      if (!CONTENT_FIELDS.has(field))
        emit({ type: 'raw', provider: name, event: { serverContent: { [field]: value } } });
    }
  }

  function reason(): FinishReason {
    if (isInterrupted) return 'cancelled';
    if (rawReason !== undefined) return REASONS.get(rawReason) ?? 'content-filter';
    return unanswered.size > 0 ? 'tool-calls' : 'stop';
  }

  return {
    push({ value }, emit) {
      const message = objectOf(value);
      if (message === undefined) return;
      const content = objectIn(message, 'serverContent') ?? {};
      readContent(content, emit);
      readCalls(listIn(objectIn(message, 'toolCall'), 'functionCalls'), emit);
      cancel(listIn(objectIn(message, 'toolCallCancellation'), 'ids'), emit);
      addUsage(objectIn(message, 'usageMetadata'), content['turnComplete'] === true, emit);
      readOthers(message, content, emit);
    },
    end(emit) {
      candidate.end(emit);
      writer.finish({ reason: reason(), ...present({ rawReason }) }, emit);
    },
    fail(error: ModelStreamError, emit) {
      candidate.end(emit);
      writer.finish({ reason: 'error', error }, emit);
    },
  };
}
