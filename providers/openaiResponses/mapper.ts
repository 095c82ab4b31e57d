import type { Block, Citation, TextBlock } from '../../src/blocks';
import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter, type WrittenBlock } from '../../src/responseWriter';
import type { Emit, Stage } from '../../src/stage';
import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { callFactsOf, escaped, patchPrefixOf, type CallFacts } from './calls';
import { NAME } from './name';
import type { OpenAIResponsesItem, OpenAIResponsesTurn } from './turn';
import { usageOf } from './usage';

type EmitEvent = Emit<ModelEvent<OpenAIResponsesTurn>>;

/** Why a response is incomplete. Source: openai 7.59.0; 6.49.0 knows the first two. */
const INCOMPLETE_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
  ['max_messages', 'length'],
  ['steered', 'pause'],
]);

/** A part of a message, or a paragraph of reasoning. */
interface Part {
  readonly written: WrittenBlock;
  /** What its closing event said; the block itself ends with the next part or with the item. */
  whole: string | undefined;
}

/** An output item, from its first appearance on. */
interface Item {
  wire: OpenAIResponsesItem;
  /** By content index (`c0`) or summary index (`s0`), two number spaces. */
  readonly parts: Map<string, Part>;
  call: WrittenBlock | undefined;
  /** Arguments that came before the call had a name. */
  heldArguments: string;
  picture: WrittenBlock | undefined;
  done: boolean;
}

/**
 * Translates the events of one response. An item's key is its `output_index`, which is the only stable one: Copilot
 * changes the item id with every event. Items may overlap in time.
 */
export function createResponsesMapper(): Stage<Payload, ModelEvent<OpenAIResponsesTurn>> {
  const writer = createResponseWriter<OpenAIResponsesTurn>(NAME);
  const items = new Map<string | number, Item>();
  let latest: Item | undefined; // what an event means that names no item
  let refused = false;
  let finish: { readonly reason: FinishReason; readonly rawReason: string } = { reason: 'other', rawReason: '' };
  let finalOutput: readonly OpenAIResponsesItem[] = [];

  function begin(event: WireObject, emit: EmitEvent): void {
    const response = objectIn(event, 'response');
    const responseId = wordIn(response, 'id');
    if (responseId !== undefined) writer.begin({ responseId, ...present({ model: wordIn(response, 'model') }) }, emit);
  }

  function itemOf(event: WireObject, type: string): Item {
    const key = keyOf(event);
    const known = key === undefined ? latest : items.get(key);
    if (known) return known;
    const item: Item = {
      wire: { type },
      parts: new Map(),
      call: undefined,
      heldArguments: '',
      picture: undefined,
      done: false,
    };
    items.set(key ?? `unnamed ${items.size}`, item);
    latest = item;
    return item;
  }

  // Parts

  function partOf(item: Item, key: string, block: Block, emit: EmitEvent): Part {
    const known = item.parts.get(key);
    if (known) return known;
    for (const part of item.parts.values()) {
      if (part.whole !== undefined) writer.end(part.written, { text: part.whole }, undefined, emit);
    }
    if (block.kind === 'text' && block.refusal) refused = true;
    const part: Part = { written: writer.open(block, emit), whole: undefined };
    item.parts.set(key, part);
    return part;
  }

  function growPart(event: WireObject, indexField: string, block: Block, emit: EmitEvent): void {
    const delta = textIn(event, 'delta');
    if (!delta) return;
    const item = itemOf(event, block.kind === 'reasoning' ? 'reasoning' : 'message');
    const part = partOf(item, partKey(event, indexField), inItem(block, item), emit);
    writer.append(part.written, delta, emit);
  }

  /** The closing value of a part: what the deltas left out is emitted now, the end of the block waits. */
  function closePart(
    event: WireObject,
    indexField: string,
    block: Block,
    whole: string | undefined,
    emit: EmitEvent,
  ): void {
    if (whole === undefined) return;
    const item = itemOf(event, block.kind === 'reasoning' ? 'reasoning' : 'message');
    const key = partKey(event, indexField);
    if (whole === '' && !item.parts.has(key)) return;
    const part = partOf(item, key, inItem(block, item), emit);
    part.whole = whole;
    appendRest(part.written, whole, emit);
  }

  function appendRest(written: WrittenBlock, whole: string, emit: EmitEvent): void {
    if (whole.startsWith(written.content)) writer.append(written, whole.slice(written.content.length), emit);
  }

  function openPart(event: WireObject, part: WireObject | undefined, indexField: string, emit: EmitEvent): void {
    const block = blockOfPart(part);
    if (block === undefined) return;
    const item = itemOf(event, block.kind === 'reasoning' ? 'reasoning' : 'message');
    const opened = partOf(item, partKey(event, indexField), inItem(block, item), emit);
    writer.append(opened.written, textOfPart(part) ?? '', emit);
  }

  function cite(event: WireObject, emit: EmitEvent): void {
    const annotation = event['annotation'];
    if (objectOf(annotation) === undefined) return;
    const item = itemOf(event, 'message');
    const part = partOf(item, partKey(event, 'content_index'), inItem({ kind: 'text', text: '' }, item), emit);
    writer.cite(part.written, citationOf(annotation), emit);
  }

  // Calls

  function openCall(item: Item, facts: CallFacts, emit: EmitEvent): WrittenBlock | undefined {
    if (item.call || facts.name === undefined) return item.call;
    item.call = writer.open(
      {
        kind: 'tool-call',
        id: facts.id,
        name: facts.name,
        arguments: '',
        format: facts.format,
        state: 'open',
        ...(facts.providerExecuted && { providerExecuted: true }),
      },
      emit,
    );
    writer.append(item.call, item.heldArguments, emit);
    return item.call;
  }

  function growCall(event: WireObject, type: string, emit: EmitEvent): void {
    const item = itemOf(event, type);
    const delta = textIn(event, 'delta') ?? '';
    const piece = item.wire.type === 'apply_patch_call' ? patchPiece(item, delta) : delta;
    if (item.call) writer.append(item.call, piece, emit);
    else item.heldArguments += piece;
  }

  function patchPiece(item: Item, delta: string): string {
    return item.call?.content ? escaped(delta) : patchPrefixOf(item.wire) + escaped(delta);
  }

  function closeArguments(event: WireObject, type: string, whole: string | undefined, emit: EmitEvent): void {
    const item = itemOf(event, type);
    const name = wordIn(event, 'name'); // some hosts send it
    if (name !== undefined && !item.call) item.wire = { name, ...item.wire };
    const facts = callFactsOf(item.wire);
    const call = facts && openCall(item, facts, emit);
    if (call && whole !== undefined) appendRest(call, whole, emit);
  }

  // Items

  function addItem(event: WireObject, emit: EmitEvent): void {
    const wire = itemIn(event);
    if (wire === undefined) return;
    const item = itemOf(event, wire.type);
    latest = item;
    item.wire = wire;
    const facts = callFactsOf(wire);
    const call = facts && openCall(item, facts, emit);
    if (call && facts.streamed) writer.append(call, facts.arguments, emit);
  }

  /** The finished item is authoritative, whatever its own `status` says, but for `incomplete`. */
  function finishItem(item: Item, wire: OpenAIResponsesItem, event: unknown, emit: EmitEvent): void {
    if (item.done) return;
    item.done = true;
    item.wire = wire;
    const facts = callFactsOf(wire);
    if (facts) finishCall(item, facts, event, emit);
    else if (wire.type === 'message') finishMessage(item, event, emit);
    else if (wire.type === 'reasoning') finishReasoning(item, event, emit);
    const result = resultOf(wire);
    if (result) writer.end(writer.open(result, emit), {}, event, emit);
    if (wire.type === 'image_generation_call') showPicture(item, textIn(wire, 'result'), wire, emit);
  }

  function finishCall(item: Item, facts: CallFacts, event: unknown, emit: EmitEvent): void {
    const call = openCall(item, facts, emit);
    if (!call) return;
    const { id, name } = facts;
    const isCut = item.wire['status'] === 'incomplete';
    const whole = { id, ...present({ name }), arguments: facts.arguments };
    writer.end(call, isCut ? { ...whole, state: 'cut' } : whole, event, emit);
  }

  function finishMessage(item: Item, event: unknown, emit: EmitEvent): void {
    const content = listIn(item.wire, 'content');
    // Bedrock mantle numbers the only part of a message 1: parts that are as many as were streamed are those, in order.
    const streamed = [...item.parts.keys()];
    const keyAt = (index: number) => (content.length === streamed.length ? streamed[index] : undefined) ?? `c${index}`;
    content.forEach((value, index) => {
      const wire = objectOf(value);
      const block = blockOfPart(wire);
      const whole = textOfPart(wire);
      const key = keyAt(index);
      if (block === undefined || whole === undefined || (whole === '' && !item.parts.has(key))) return;
      const part = partOf(item, key, inItem(block, item), emit);
      if (!part.written.ended) writer.update(part.written, inItem(block, item), emit); // the phase may come late
      part.whole = whole;
      appendRest(part.written, whole, emit);
      for (const annotation of listIn(wire, 'annotations').slice(part.written.citations.length)) {
        writer.cite(part.written, citationOf(annotation), emit);
      }
    });
    endParts(item, {}, event, emit);
  }

  function finishReasoning(item: Item, event: unknown, emit: EmitEvent): void {
    const paragraphs = [
      ...listIn(item.wire, 'summary').map((value, index) => [`s${index}`, value] as const),
      ...listIn(item.wire, 'content').map((value, index) => [`c${index}`, value] as const),
    ];
    for (const [key, value] of paragraphs) {
      const whole = textIn(objectOf(value), 'text');
      if (whole === undefined || (whole === '' && !item.parts.has(key))) continue;
      const part = partOf(item, key, REASONING, emit);
      part.whole = whole;
      appendRest(part.written, whole, emit);
    }
    const encrypted = wordIn(item.wire, 'encrypted_content');
    if (encrypted !== undefined && item.parts.size === 0) partOf(item, 's0', REASONING, emit); // must be echoed
    endParts(item, present({ encrypted }), event, emit);
  }

  /** Ends the parts of an item; the last one carries what the item carries. */
  function endParts(item: Item, ofLast: { readonly encrypted?: string }, event: unknown, emit: EmitEvent): void {
    const parts = [...item.parts.values()];
    parts.forEach((part, place) => {
      const text = present({ text: part.whole });
      writer.end(part.written, place === parts.length - 1 ? { ...text, ...ofLast } : text, event, emit);
    });
  }

  /** Each preview replaces the one before it; the result replaces them all. */
  function showPicture(item: Item, data: string | undefined, wire: WireObject, emit: EmitEvent): void {
    if (!data) return;
    const mimeType = `image/${wordIn(wire, 'output_format') ?? 'png'}`;
    const block: Block = { kind: 'media', mimeType, parts: [data] };
    if (item.picture) writer.update(item.picture, block, emit);
    else {
      item.picture = writer.open({ kind: 'media', mimeType, parts: [] }, emit);
      writer.update(item.picture, block, emit);
      writer.end(item.picture, {}, wire, emit);
    }
  }

  // The response

  /** The terminal event repeats the output: it closes what is open and brings what never was streamed. */
  function close(event: WireObject, status: 'completed' | 'incomplete' | 'cancelled', emit: EmitEvent): void {
    begin(event, emit);
    const response = objectIn(event, 'response');
    finalOutput = listIn(response, 'output')
      .map(itemOrNothing)
      .filter((item) => item !== undefined);
    const streamedIds = new Set([...items.values()].map((item) => wordIn(item.wire, 'id')));
    finalOutput.forEach((wire, index) => {
      const item = items.get(index);
      const isNew = item === undefined && !streamedIds.has(wordIn(wire, 'id'));
      if (isNew || item?.wire.type === wire.type) {
        finishItem(itemOf({ output_index: index }, wire.type), wire, event, emit);
      }
    });
    const reason = wordIn(objectIn(response, 'incomplete_details'), 'reason');
    if (status === 'completed') finish = { reason: completedReason(), rawReason: status };
    else if (status === 'cancelled') finish = { reason: 'cancelled', rawReason: status };
    else finish = { reason: INCOMPLETE_REASONS.get(reason ?? '') ?? 'other', rawReason: reason ?? status };
  }

  function completedReason(): FinishReason {
    const hasClientCall = [...items.values()].some(({ wire }) => callFactsOf(wire)?.providerExecuted === false);
    if (hasClientCall) return 'tool-calls';
    return refused ? 'content-filter' : 'stop';
  }

  /** Items as they were finished; what never was, as the terminal event has it. */
  function turnOf(): OpenAIResponsesTurn {
    const numbered = [...items].flatMap(([key, item]) => (typeof key === 'number' ? [[key, item] as const] : []));
    if (numbered.length < items.size || numbered.length === 0) {
      const finished = [...items.values()].filter((item) => item.done).map((item) => item.wire);
      return finished.length > 0 ? finished : finalOutput;
    }
    return numbered
      .sort(([a], [b]) => a - b)
      .flatMap(([key, item]) => (item.done ? [item.wire] : (finalOutput[key] ?? [])));
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
        const wire = itemIn(event);
        if (wire) finishItem(itemOf(event, wire.type), wire, event, emit);
        return;
      }
      case 'response.content_part.added':
      case 'response.reasoning_part.added':
        openPart(event, objectIn(event, 'part'), 'content_index', emit);
        return;
      case 'response.reasoning_summary_part.added':
        openPart(event, objectIn(event, 'part'), 'summary_index', emit);
        return;
      case 'response.content_part.done':
      case 'response.reasoning_part.done': {
        const part = objectIn(event, 'part');
        const block = blockOfPart(part);
        if (block) closePart(event, 'content_index', block, textOfPart(part), emit);
        return;
      }
      case 'response.reasoning_summary_part.done':
        closePart(event, 'summary_index', REASONING, textOfPart(objectIn(event, 'part')), emit);
        return;
      case 'response.output_text.delta':
        growPart(event, 'content_index', TEXT, emit);
        return;
      case 'response.output_text.done':
        closePart(event, 'content_index', TEXT, textIn(event, 'text'), emit);
        return;
      case 'response.output_text.annotation.added':
        cite(event, emit);
        return;
      case 'response.refusal.delta':
        growPart(event, 'content_index', REFUSAL, emit);
        return;
      case 'response.refusal.done':
        closePart(event, 'content_index', REFUSAL, textIn(event, 'refusal'), emit);
        return;
      case 'response.reasoning_text.delta':
        growPart(event, 'content_index', REASONING, emit);
        return;
      case 'response.reasoning_text.done':
        closePart(event, 'content_index', REASONING, textIn(event, 'text'), emit);
        return;
      case 'response.reasoning_summary_text.delta':
        growPart(event, 'summary_index', REASONING, emit);
        return;
      case 'response.reasoning_summary_text.done':
        closePart(event, 'summary_index', REASONING, textIn(event, 'text'), emit);
        return;
      case 'response.function_call_arguments.delta':
        growCall(event, 'function_call', emit);
        return;
      case 'response.function_call_arguments.done':
        closeArguments(event, 'function_call', textIn(event, 'arguments'), emit);
        return;
      case 'response.custom_tool_call_input.delta':
        growCall(event, 'custom_tool_call', emit);
        return;
      case 'response.custom_tool_call_input.done':
        closeArguments(event, 'custom_tool_call', textIn(event, 'input'), emit);
        return;
      case 'response.mcp_call_arguments.delta':
        growCall(event, 'mcp_call', emit);
        return;
      case 'response.mcp_call_arguments.done':
        closeArguments(event, 'mcp_call', textIn(event, 'arguments'), emit);
        return;
      case 'response.apply_patch_call_operation_diff.delta':
        growCall(event, 'apply_patch_call', emit);
        return;
      case 'response.image_generation_call.partial_image':
        showPicture(itemOf(event, 'image_generation_call'), textIn(event, 'partial_image_b64'), event, emit);
        return;
      case 'response.completed':
        close(event, 'completed', emit);
        break;
      case 'response.incomplete':
        close(event, 'incomplete', emit);
        break;
      case 'response.cancelled':
        close(event, 'cancelled', emit);
        break;
      case 'response.failed':
        break;
      default:
        return; // status of hosted tools, audio, code, shell, and what is not known yet: raw
    }
    const usage = objectIn(objectIn(event, 'response'), 'usage');
    if (usage) emit({ type: 'usage', usage: usageOf(usage) });
  }

  return {
    push({ value }, emit) {
      const event = objectOf(value);
      if (event) read(event, emit);
    },
    end(emit) {
      for (const item of items.values()) endParts(item, {}, undefined, emit);
      writer.finish({ ...finish, turn: turnOf() }, emit);
    },
  };
}

const TEXT: TextBlock = { kind: 'text', text: '' };
const REFUSAL: TextBlock = { kind: 'text', text: '', refusal: true };
const REASONING: Block = { kind: 'reasoning', text: '' };

/** `output_index`, and the agent where several write to one response; an item id where there is no index. */
function keyOf(event: WireObject): string | number | undefined {
  const index = numberIn(event, 'output_index');
  const agent = wordIn(objectIn(event, 'agent'), 'agent_name');
  if (index === undefined) return wordIn(event, 'item_id');
  return agent === undefined ? index : `${agent} ${index}`;
}

function partKey(event: WireObject, indexField: string): string {
  return `${indexField.charAt(0)}${numberIn(event, indexField) ?? 0}`;
}

function itemIn(event: WireObject): OpenAIResponsesItem | undefined {
  return itemOrNothing(event['item']);
}

function itemOrNothing(value: unknown): OpenAIResponsesItem | undefined {
  const wire = objectOf(value);
  const type = textIn(wire, 'type');
  return type === undefined ? undefined : { ...wire, type };
}

function blockOfPart(part: WireObject | undefined): Block | undefined {
  switch (part?.['type']) {
    case 'output_text':
      return TEXT;
    case 'refusal':
      return REFUSAL;
    case 'reasoning_text':
    case 'summary_text':
      return REASONING;
    default:
      return undefined;
  }
}

function textOfPart(part: WireObject | undefined): string | undefined {
  return textIn(part, part?.['type'] === 'refusal' ? 'refusal' : 'text');
}

/** A text block says what part of the turn it is, where its item says so. */
function inItem(block: Block, { wire }: Item): Block {
  if (block.kind !== 'text') return block;
  if (wire['phase'] === 'commentary') return { ...block, phase: 'commentary' };
  return wire['phase'] === 'final_answer' ? { ...block, phase: 'final' } : block;
}

/** What a tool that OpenAI ran gave back. */
function resultOf(wire: OpenAIResponsesItem): Block | undefined {
  if (wire.type === 'mcp_call') {
    const error = wire['error'] ?? undefined;
    if (error === undefined && typeof wire['output'] !== 'string') return undefined;
    const result = { kind: 'tool-result', content: error ?? wire['output'], ...namesOf(wire, 'id') } as const;
    return error === undefined ? result : { ...result, isError: true };
  }
  if (wire.type === 'code_interpreter_call') {
    if (!Array.isArray(wire['outputs'])) return undefined;
    return { kind: 'tool-result', name: 'code_interpreter', content: wire['outputs'], ...namesOf(wire, 'id') };
  }
  if (!wire.type.endsWith('_output')) return undefined;
  return { kind: 'tool-result', content: wire['output'], ...namesOf(wire, 'call_id') };
}

function namesOf(wire: WireObject, idField: string): { toolCallId?: string; name?: string } {
  return present({ toolCallId: wordIn(wire, idField), name: wordIn(wire, 'name') });
}

function citationOf(raw: unknown): Citation {
  const wire = objectOf(raw);
  const end = numberIn(wire, 'end_index');
  return {
    ...present({
      url: wordIn(wire, 'url'),
      title: wordIn(wire, 'title') ?? wordIn(wire, 'filename'),
      source: wordIn(wire, 'file_id'),
      start: end === undefined ? undefined : numberIn(wire, 'start_index'),
      end,
    }),
    raw,
  };
}
