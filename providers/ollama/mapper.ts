import type { FinishReason, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter, type WrittenBlock } from '../../src/responseWriter';
import type { Emit, Stage } from '../../src/stage';
import { listIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { OllamaTurn } from './turn';
import { usageIn } from './usage';

/** https://docs.ollama.com/api/chat, read 2026-11-30. An empty prompt loads or unloads the model. Old versions give none. */
const REASONS: ReadonlyMap<string | undefined, FinishReason> = new Map([
  [undefined, 'stop'],
  ['stop', 'stop'],
  ['length', 'length'],
  ['load', 'other'],
  ['unload', 'other'],
]);

type EmitEvent = Emit<ModelEvent<OllamaTurn>>;

/** Translates the lines of one answer. There are no block ids on the wire: blocks follow from what the lines say. */
export function createOllamaMapper(name: string): Stage<Payload, ModelEvent<OllamaTurn>> {
  const writer = createResponseWriter<OllamaTurn>(name);
  let speech: WrittenBlock | undefined; // text or reasoning
  let rawReason: string | undefined;
  // For the turn:
  const said = { text: '', reasoning: '' };
  const images: string[] = [];
  const calls: WireObject[] = [];
  let context: readonly unknown[] = [];

  function endSpeech(emit: EmitEvent): void {
    if (speech) writer.end(speech, {}, undefined, emit);
    speech = undefined;
  }

  function say(kind: 'text' | 'reasoning', delta: string, emit: EmitEvent): void {
    if (delta === '') return;
    if (speech?.block.kind !== kind) {
      endSpeech(emit);
      speech = writer.open({ kind, text: '' }, emit);
    }
    writer.append(speech, delta, emit);
    said[kind] += delta;
  }

  function show(image: unknown, emit: EmitEvent): void {
    if (typeof image !== 'string' || image === '') return;
    endSpeech(emit);
    const written = writer.open({ kind: 'media', parts: [] }, emit);
    writer.attach(written, image, emit);
    writer.end(written, {}, undefined, emit);
    images.push(image);
  }

  /** `{ id?, function: { index?, name, arguments } }`; one without a name cannot be answered. */
  function call(value: unknown, emit: EmitEvent): void {
    const wire = objectOf(value);
    const called = objectIn(wire, 'function');
    const toolName = wordIn(called, 'name');
    if (wire === undefined || called === undefined || toolName === undefined) {
      emit({ type: 'raw', provider: name, event: value });
      return;
    }
    endSpeech(emit);
    const known = { id: wordIn(wire, 'id') ?? '', name: toolName };
    const written = writer.open({ kind: 'tool-call', ...known, arguments: '', format: 'json', state: 'open' }, emit);
    writer.append(written, JSON.stringify(called['arguments'] ?? {}), emit);
    writer.end(written, {}, undefined, emit);
    calls.push(wire);
  }

  return {
    push({ value }, emit) {
      const line = objectOf(value);
      if (line === undefined) return;
      writer.begin(present({ model: wordIn(line, 'model') }), emit);
      const message = objectIn(line, 'message');
      say('reasoning', textIn(message ?? line, 'thinking') ?? '', emit);
      say('text', (message ? textIn(message, 'content') : textIn(line, 'response')) ?? '', emit);
      for (const image of message ? listIn(message, 'images') : [line['image']]) show(image, emit);
      for (const wire of listIn(message, 'tool_calls')) call(wire, emit);
      const usage = usageIn(line);
      if (usage) writer.usage(usage, emit);
      rawReason = wordIn(line, 'done_reason') ?? rawReason;
      context = line['context'] === undefined ? context : listIn(line, 'context');
    },
    end(emit) {
      const told = REASONS.get(rawReason) ?? 'other';
      const reason = told === 'stop' && calls.length > 0 ? 'tool-calls' : told;
      const turn: OllamaTurn = {
        role: 'assistant',
        content: said.text,
        ...(said.reasoning !== '' && { thinking: said.reasoning }),
        ...(images.length > 0 && { images }),
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(context.length > 0 && { context }),
      };
      writer.finish({ reason, ...present({ rawReason }), turn }, emit);
    },
  };
}
