import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter, type WrittenBlock } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { citationsOf } from './citations';
import { createGrowingText, type GrowingText } from '../../src/growingText';
import { createToolCalls, type EmitEvent, type Index } from './toolCalls';
import type { CohereTurn } from './turn';
import { usageOf } from './usage';

/** `ChatFinishReason` of cohere-ai 8.1.0; `ERROR` is a failure, and what a time-out left is some answer. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool-calls'],
  ['TIMEOUT', 'other'],
]);

/** Citations of what is not the text of the answer. */
const CITED_ELSEWHERE: ReadonlySet<string> = new Set(['THINKING_CONTENT', 'PLAN']);

/** A part of the content. */
interface Part {
  readonly written: WrittenBlock;
  readonly text: GrowingText;
}

/** Translates the events of one message. Content, calls and citations each count from 0; the plan has no index. */
export function createCohereMapper(name: string): Stage<Payload, ModelEvent<CohereTurn>> {
  const writer = createResponseWriter<CohereTurn>(name);
  const calls = createToolCalls(writer);
  const content: Part[] = [];
  const contentAt = new Map<Index, Part>();
  const citations: WireObject[] = []; // for the turn
  let uncited: WireObject[] = []; // citations that came before any text
  let latestText: Part | undefined;
  let plan: WrittenBlock | undefined; // open until something else begins
  let planText = '';
  let rawReason: string | undefined;

  function startContent(index: Index, wire: WireObject | undefined, emit: EmitEvent): void {
    const kind = kindOf(wire);
    if (kind === undefined) return;
    endPlan(emit);
    endContent(index, undefined, emit);
    const part = { written: writer.open({ kind, text: '' }, emit), text: createGrowingText() };
    contentAt.set(index, part);
    content.push(part);
    growContent(index, wire, emit);
    if (kind !== 'text') return;
    latestText = part;
    for (const citation of uncited) cite(citation, emit);
    uncited = [];
  }

  /** A delta whose start never came opens its block. */
  function growContent(index: Index, wire: WireObject | undefined, emit: EmitEvent): void {
    const part = contentAt.get(index);
    if (!part) startContent(index, wire, emit);
    else if (!part.written.ended) {
      const delta = textIn(wire, part.written.block.kind === 'text' ? 'text' : 'thinking') ?? '';
      part.text.append(delta);
      writer.append(part.written, delta, emit);
    }
  }

  function endContent(index: Index, event: unknown, emit: EmitEvent): void {
    const part = contentAt.get(index);
    if (part) writer.end(part.written, {}, event, emit);
  }

  function growPlan(delta: string, emit: EmitEvent): void {
    if (delta === '') return;
    plan ??= writer.open({ kind: 'reasoning', text: '' }, emit);
    writer.append(plan, delta, emit);
    planText += delta;
  }

  function endPlan(emit: EmitEvent): void {
    if (plan) writer.end(plan, {}, undefined, emit);
    plan = undefined;
  }

  function readCitation(wire: WireObject | undefined, emit: EmitEvent): void {
    if (wire === undefined) return;
    citations.push(wire);
    if (!CITED_ELSEWHERE.has(textIn(wire, 'type') ?? '')) cite(wire, emit);
  }

  function cite(wire: WireObject, emit: EmitEvent): void {
    const part = contentAt.get(numberIn(wire, 'content_index')) ?? latestText;
    if (!part) uncited.push(wire);
    else for (const citation of citationsOf(wire, part.text)) writer.cite(part.written, citation, emit);
  }

  function endMessage(delta: WireObject | undefined, emit: EmitEvent): void {
    rawReason = wordIn(delta, 'finish_reason');
    const usage = objectIn(delta, 'usage');
    if (usage) writer.usage(usageOf(usage), emit);
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      const index = numberIn(event, 'index');
      const delta = objectIn(event, 'delta');
      const message = objectIn(delta, 'message');
      const call = objectIn(message, 'tool_calls');
      switch (event?.['type']) {
        case 'message-start':
          writer.begin(present({ responseId: wordIn(event, 'id') }), emit);
          return;
        case 'content-start':
          startContent(index, objectIn(message, 'content'), emit);
          return;
        case 'content-delta':
          growContent(index, objectIn(message, 'content'), emit);
          return;
        case 'content-end':
          endContent(index, value, emit);
          return;
        case 'tool-plan-delta':
          growPlan(textIn(message, 'tool_plan') ?? '', emit);
          return;
        case 'tool-call-start':
          if (calls.begins(call)) endPlan(emit);
          calls.start(index, call, emit);
          return;
        case 'tool-call-delta':
          calls.grow(index, call, emit);
          return;
        case 'tool-call-end':
          calls.end(index, value, emit);
          return;
        case 'citation-start':
          readCitation(objectIn(message, 'citations'), emit);
          return;
        case 'message-end':
          endMessage(delta, emit);
          return;
      }
    },
    end(emit) {
      const reason = REASONS.get(rawReason ?? '') ?? 'other';
      const parts = content.map(echoOf);
      const tool_calls = calls.turn();
      const turn: CohereTurn = {
        role: 'assistant',
        ...(parts.length > 0 && { content: parts }),
        ...(planText !== '' && { tool_plan: planText }),
        ...(tool_calls.length > 0 && { tool_calls }),
        ...(citations.length > 0 && { citations }),
      };
      writer.finish({ reason, ...present({ rawReason }), turn }, emit);
    },
  };
}

/** The kind of a part of the content, by its type or, in a delta, by its field. */
function kindOf(wire: WireObject | undefined): 'text' | 'reasoning' | undefined {
  const type = textIn(wire, 'type') ?? ['text', 'thinking'].find((field) => textIn(wire, field) !== undefined);
  return type === 'text' ? 'text' : type === 'thinking' ? 'reasoning' : undefined;
}

/** A part of the content as it is echoed. */
function echoOf({ written: { block, content } }: Part): WireObject {
  return block.kind === 'text' ? { type: 'text', text: content } : { type: 'thinking', thinking: content };
}
