import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import { numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { ContentBlock, EmitEvent } from './contentBlock';
import { openImage } from './image';
import { openReasoning } from './reasoning';
import { openText } from './text';
import { openToolResult } from './toolResult';
import { openToolUse } from './toolUse';
import type { BedrockTurn } from './turn';
import { usageOf } from './usage';

/** `StopReason` of @aws-sdk/client-bedrock-runtime 3.1164.0. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['malformed_model_output', 'other'],
  ['malformed_tool_use', 'other'],
]);

/** Opens a block. */
type Begin = (emit: EmitEvent) => ContentBlock;

/** Translates the events of one message. A block's key is its `contentBlockIndex`. */
export function createConverseMapper(name: string): Stage<Payload, ModelEvent<BedrockTurn>> {
  const writer = createResponseWriter<BedrockTurn>(name);
  const content: ContentBlock[] = []; // in the order of their first events, for the turn
  const open = new Map<number, ContentBlock>(); // by index
  const callNames = new Map<string, string>(); // by id, for the results that quote it
  let stopReason: string | undefined;

  function startBlock(event: WireObject, emit: EmitEvent): void {
    const begin = beginningOf(objectIn(event, 'start'));
    if (begin === undefined) return;
    endBlock(event, emit); // one that was left open
    addBlock(event, begin(emit));
  }

  /** What a start event begins; undefined for a kind that this vocabulary has no word for. */
  function beginningOf(start: WireObject | undefined): Begin | undefined {
    const toolUse = objectIn(start, 'toolUse');
    const toolResult = objectIn(start, 'toolResult');
    const image = objectIn(start, 'image');
    const toolName = wordIn(toolUse, 'name');
    if (toolUse && toolName !== undefined) {
      callNames.set(textIn(toolUse, 'toolUseId') ?? '', toolName);
      return (emit) => openToolUse(toolUse, toolName, writer, emit);
    }
    if (toolResult) return (emit) => openToolResult(toolResult, callNames, writer, emit);
    return image && ((emit) => openImage(image, writer, emit));
  }

  function readDelta(event: WireObject, emit: EmitEvent): void {
    const delta = objectIn(event, 'delta');
    if (delta === undefined) return;
    const block = open.get(indexIn(event)) ?? lazyBlock(event, delta, emit);
    block?.read(delta, emit);
  }

  /** Text and reasoning have no start event: their first delta opens them. */
  function lazyBlock(event: WireObject, delta: WireObject, emit: EmitEvent): ContentBlock | undefined {
    if (textIn(delta, 'text') !== undefined || objectIn(delta, 'citation')) {
      return addBlock(event, openText(writer, emit));
    }
    const reasoning = objectIn(delta, 'reasoningContent');
    const isKnown = REASONING_FIELDS.some((field) => textIn(reasoning, field) !== undefined);
    return isKnown ? addBlock(event, openReasoning(writer, emit)) : undefined;
  }

  function addBlock(event: WireObject, block: ContentBlock): ContentBlock {
    content.push(block);
    open.set(indexIn(event), block);
    return block;
  }

  function endBlock(event: WireObject, emit: EmitEvent): void {
    const index = indexIn(event);
    open.get(index)?.end(event, emit);
    open.delete(index);
  }

  return {
    push({ value, name: eventType }, emit) {
      const event = objectOf(value);
      if (event === undefined) return;
      switch (eventType) {
        case 'contentBlockStart':
          startBlock(event, emit);
          return;
        case 'contentBlockDelta':
          readDelta(event, emit);
          return;
        case 'contentBlockStop':
          endBlock(event, emit);
          return;
        case 'messageStop':
          stopReason = wordIn(event, 'stopReason') ?? stopReason;
          return;
        case 'metadata': {
          const usage = objectIn(event, 'usage');
          if (usage) writer.usage(usageOf(usage), emit);
          return;
        }
        default: // it says nothing else, or is unknown
      }
    },
    end(emit) {
      const reason = REASONS.get(stopReason ?? '') ?? 'other';
      // The stop of a block may be missing; `finish` closes calls and knows whether they were cut.
      for (const block of open.values()) if (block.written.block.kind !== 'tool-call') block.end(undefined, emit);
      const turn: BedrockTurn = { role: 'assistant', content: content.flatMap((block) => block.turn()) };
      writer.finish({ reason, ...present({ rawReason: stopReason }), turn }, emit);
    },
  };
}

const REASONING_FIELDS = ['text', 'signature', 'redactedContent'];

/** An event without an index belongs to the first block, as clients have it. */
function indexIn(event: WireObject): number {
  return numberIn(event, 'contentBlockIndex') ?? 0;
}
