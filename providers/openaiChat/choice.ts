import type { Citation } from '../../src/blocks';
import type { FinishReason } from '../../src/events';
import type { ResponseWriter } from '../../src/responseWriter';
import { listIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { annotationOf } from './citations';
import { addParts, deltaOf, signatureOfPart, thinkingIn } from './content';
import type { EmitEvent } from './mapper';
import { addDetails, reasoningIn, signatureIn } from './reasoning';
import { createSpeech } from './speech';
import { createToolCalls, piecesIn } from './toolCalls';
import type { OpenAIChatTurn } from './turn';

/** https://platform.openai.com/docs/api-reference/chat-streaming, read 2026-11-29; `model_length` is Mistral's. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
]);

/** One of the alternatives of an answer. */
export interface Choice {
  read(wire: WireObject, emit: EmitEvent): void;
  /** Cites the sources of the whole answer, each once. */
  cite(sources: readonly Citation[], emit: EmitEvent): void;
  /** Ends its blocks. */
  end(emit: EmitEvent): void;
  finish(): { readonly reason: FinishReason; readonly rawReason?: string };
  turn(): OpenAIChatTurn;
}

export function createChoice(writer: ResponseWriter<OpenAIChatTurn>, index: number, provider: string): Choice {
  const choice = index === 0 ? {} : { choice: index };
  const speech = createSpeech(writer, choice);
  const calls = createToolCalls(writer, choice);
  const cited = new Set<string>();
  let rawReason: string | undefined;
  // For the turn:
  let text = '';
  let refusal = '';
  let parts: WireObject[] | undefined;
  const reasoning: Record<string, string> = {};
  const details: WireObject[] = [];
  let audioId: string | undefined;

  function readContent(content: unknown, emit: EmitEvent): void {
    if (typeof content === 'string') {
      speech.say('text', content, emit);
      text += content;
      if (parts) addParts(parts, content);
    } else if (Array.isArray(content)) {
      addParts((parts ??= text === '' ? [] : [{ type: 'text', text }]), content);
      for (const part of content) readPart(part, emit);
    }
  }

  function readPart(value: unknown, emit: EmitEvent): void {
    const part = objectOf(value);
    switch (part?.['type']) {
      case 'text':
        speech.say('text', textIn(part, 'text') ?? '', emit);
        return;
      case 'thinking': {
        speech.say('reasoning', thinkingIn(part), emit);
        const signature = signatureOfPart(part);
        if (signature) speech.sign(signature, emit);
        return;
      }
      default:
        emit({ type: 'raw', provider, event: value }); // references, pictures, files
    }
  }

  function readReasoning(delta: WireObject, emit: EmitEvent): void {
    speech.say('reasoning', reasoningIn(delta), emit);
    const signed = signatureIn(delta);
    if (signed) speech.sign(signed, emit);
    addDetails(details, delta);
    for (const field of ['reasoning_content', 'reasoning']) {
      const piece = wordIn(delta, field);
      if (piece !== undefined) reasoning[field] = (reasoning[field] ?? '') + piece;
    }
  }

  return {
    read(wire, emit) {
      rawReason = wordIn(wire, 'finish_reason') ?? rawReason;
      const delta = deltaOf(wire);
      if (delta === undefined) return;
      readReasoning(delta, emit);
      readContent(delta['content'], emit);
      const refused = wordIn(delta, 'refusal');
      if (refused !== undefined) {
        speech.say('refusal', refused, emit);
        refusal += refused;
      }
      for (const piece of piecesIn(delta)) {
        if (!calls.read(piece, emit)) emit({ type: 'raw', provider, event: piece });
      }
      for (const annotation of listIn(delta, 'annotations')) speech.cite(annotationOf(annotation), emit);
      audioId = wordIn(objectIn(delta, 'audio'), 'id') ?? audioId;
    },
    cite(sources, emit) {
      for (const source of sources) {
        if (source.url === undefined || cited.has(source.url)) continue;
        cited.add(source.url);
        speech.cite(source, emit);
      }
    },
    end(emit) {
      speech.end(emit);
      calls.end(REASONS.get(rawReason ?? '') === 'length', emit);
    },
    finish() {
      if (rawReason === undefined) return { reason: 'other' };
      const told = REASONS.get(rawReason) ?? 'other';
      if (told !== 'stop') return { reason: told, rawReason };
      // OpenAI itself says `stop` after a forced call, and after a refusal.
      return { reason: calls.count > 0 ? 'tool-calls' : speech.refused ? 'content-filter' : 'stop', rawReason };
    },
    turn() {
      const content = parts ?? (text === '' && calls.count > 0 ? null : text);
      return {
        role: 'assistant',
        content,
        ...reasoning,
        ...present({
          refusal: refusal === '' ? undefined : refusal,
          reasoning_details: details.length > 0 ? details : undefined,
          audio: audioId === undefined ? undefined : { id: audioId },
        }),
        ...calls.turn(),
      };
    },
  };
}
