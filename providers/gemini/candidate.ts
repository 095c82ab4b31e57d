import type { FinishReason } from '../../src/events';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import { listIn, objectIn, objectOf, present, textIn, without, wordIn, type WireObject } from '../../src/wire';
import { createSound } from '../google/sound';
import { createCitations } from './citations';
import { createFunctionCalls } from './functionCalls';
import type { GeminiOptions } from './index';
import { hasContent } from './lifecycle';
import type { EmitEvent } from './mapper';
import { createServerTools } from './serverTools';
import { createTurnParts, type GeminiPart, type GeminiTurn } from './turn';

/** https://ai.google.dev/api/generate-content#FinishReason, read 2026-11-29. Others, and words to come, are `other`. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'pause'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['ESCALATION', 'content-filter'],
  ['PUP_LIMITED_DISABLED', 'content-filter'],
]);

/** One of the alternatives of an answer. */
export interface Candidate {
  readonly continuationToken: string | undefined;
  read(wire: WireObject, emit: EmitEvent): void;
  /** Adds to the words of what is heard. */
  transcribe(text: string, emit: EmitEvent): void;
  /** Takes a call back; false when there is none of this id. */
  cancel(id: string, emit: EmitEvent): boolean;
  /** Ends its blocks. */
  end(emit: EmitEvent): void;
  /** Undefined as long as it has given no reason after its last content. */
  finish(): { readonly reason: FinishReason; readonly rawReason: string } | undefined;
  turn(): GeminiTurn | undefined;
}

export function createCandidate(
  writer: ResponseWriter<GeminiTurn>,
  index: number,
  provider: string,
  options: GeminiOptions,
): Candidate {
  const choice = index === 0 ? {} : { choice: index };
  const turn = createTurnParts();
  const calls = createFunctionCalls(writer, choice, turn, options);
  const tools = createServerTools(writer, choice);
  const citations = createCitations(writer);
  const sound = createSound(writer, choice);
  let speech: WrittenBlock | undefined; // text or reasoning
  let rawReason: string | undefined;
  let continuationToken: string | undefined;

  function endSpeech(emit: EmitEvent): void {
    if (speech) writer.end(speech, {}, undefined, emit);
    speech = undefined;
  }

  function endOpen(emit: EmitEvent): void {
    endSpeech(emit);
    sound.end(emit);
  }

  function begin(kind: 'text' | 'reasoning', emit: EmitEvent): WrittenBlock {
    endOpen(emit);
    speech = writer.open({ kind, text: '', ...choice }, emit);
    if (kind === 'text') citations.begin(speech);
    return speech;
  }

  /** Text goes on in the block of its kind; an empty one says nothing, but for the signature it may carry. */
  function say(kind: 'text' | 'reasoning', part: GeminiPart, emit: EmitEvent): void {
    const text = textIn(part, 'text') ?? '';
    const signature = wordIn(part, 'thoughtSignature');
    if (text !== '' || (kind === 'reasoning' && signature !== undefined)) {
      const written = speech?.block.kind === kind ? speech : begin(kind, emit);
      writer.append(written, text, emit);
      if (kind === 'text') citations.append(text);
      else if (signature !== undefined) writer.update(written, { kind, text: '', signature, ...choice }, emit);
    } else if (signature !== undefined) emit({ type: 'raw', provider, event: part }); // it has its place in the turn
  }

  /** A picture or file is a block of its own; the pieces of a sound are one. */
  function show(media: WireObject, part: GeminiPart, emit: EmitEvent): void {
    const mimeType = wordIn(media, 'mimeType');
    const url = wordIn(media, 'fileUri');
    const data = textIn(media, 'data') ?? '';
    const draft = part['thought'] === true || undefined;
    if (mimeType?.startsWith('audio/') && url === undefined) {
      endSpeech(emit);
      sound.attach(data, { mimeType, draft }, emit);
    } else {
      endOpen(emit);
      const block = { kind: 'media', parts: [], ...present({ mimeType, url, draft }), ...choice } as const;
      const written = writer.open(block, emit);
      writer.attach(written, data, emit);
      writer.end(written, {}, undefined, emit);
    }
  }

  function readPart(part: GeminiPart, emit: EmitEvent): void {
    if (typeof part['text'] === 'string') {
      if (part['text'] !== '') calls.interrupt();
      turn.add(part);
      say(part['thought'] === true ? 'reasoning' : 'text', part, emit);
      return;
    }
    const call = objectIn(part, 'functionCall');
    if (call) {
      if (wordIn(call, 'name') !== undefined) endOpen(emit);
      if (!calls.read(part, emit)) emit({ type: 'raw', provider, event: part });
      return;
    }
    turn.add(part);
    calls.interrupt();
    const media = objectIn(part, 'inlineData') ?? objectIn(part, 'fileData');
    if (media) show(media, part, emit);
    else if (tools.knows(part)) {
      endOpen(emit);
      tools.read(part, emit);
    } else emit({ type: 'raw', provider, event: part });
  }

  return {
    get continuationToken() {
      return continuationToken;
    },
    read(wire, emit) {
      const told = wordIn(wire, 'finishReason');
      if (told !== undefined || hasContent(wire)) rawReason = told;
      continuationToken = wordIn(wire, 'continuationToken') ?? continuationToken;
      for (const part of listIn(objectIn(wire, 'content'), 'parts')) {
        const known = objectOf(part);
        if (known) readPart(known, emit);
      }
      citations.read(wire, emit);
      for (const event of uncitedIn(wire)) emit({ type: 'raw', provider, event });
    },
    transcribe(text, emit) {
      endSpeech(emit);
      sound.transcribe(text, emit);
    },
    cancel: (id, emit) => calls.cancel(id, emit),
    end(emit) {
      citations.end(provider, emit);
      endOpen(emit);
      calls.end(REASONS.get(rawReason ?? '') !== 'stop', emit);
    },
    finish() {
      if (rawReason === undefined) return undefined;
      const reason = REASONS.get(rawReason) ?? 'other';
      return { reason: reason === 'stop' && calls.count > 0 ? 'tool-calls' : reason, rawReason };
    },
    turn: () => turn.turn(),
  };
}

/** What a candidate says of its sources that no citation carries, such as the search suggestions that are to be shown. */
function uncitedIn(wire: WireObject): readonly WireObject[] {
  const grounding = without(objectIn(wire, 'groundingMetadata'), 'groundingChunks', 'groundingSupports');
  const context = objectIn(wire, 'urlContextMetadata') ?? {};
  return [{ groundingMetadata: grounding }, { urlContextMetadata: context }].filter((item) =>
    Object.values(item).some((metadata) => Object.keys(metadata).length > 0),
  );
}
