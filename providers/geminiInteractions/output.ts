import type { WrittenBlock } from '../../src/responseWriter';
import { listIn, objectOf, textIn, type WireObject } from '../../src/wire';
import { isNextPiece, mediaOf } from './media';
import { echoOf, withTold, type EmitEvent, type Step, type StepContext } from './step';
import { createCitedText, type CitedText } from './text';
import type { GeminiInteractionsStep } from './turn';

/** A sound that may go on. */
interface Sound {
  readonly content: WireObject;
  readonly written: WrittenBlock;
}

/**
 * A `model_output`: texts, pictures and sounds, each a block, one after another. What it holds shows with its first delta;
 * one step may hold several kinds.
 */
export function createOutput(wire: GeminiInteractionsStep, { writer }: StepContext): Step {
  const contents: Pick<CitedText, 'content'>[] = [];
  let step = wire;
  let text: CitedText | undefined; // the latest
  let isTextOpen = false;
  let sound: Sound | undefined;
  let waiting: WireObject[] = []; // annotations that came before any text

  function endOpen(emit: EmitEvent): void {
    if (isTextOpen) text?.end(emit);
    if (sound) writer.end(sound.written, {}, undefined, emit);
    isTextOpen = false;
    sound = undefined;
  }

  function beginText(emit: EmitEvent): CitedText {
    endOpen(emit);
    const begun = createCitedText(writer, emit);
    contents.push(begun);
    isTextOpen = true;
    for (const annotation of waiting) begun.annotate(annotation, emit);
    waiting = [];
    return begun;
  }

  function say(delta: string, emit: EmitEvent): void {
    if (delta === '') return;
    if (!text || !isTextOpen) text = beginText(emit);
    text.say(delta, emit);
  }

  function annotate(content: WireObject, emit: EmitEvent): void {
    for (const value of listIn(content, 'annotations')) {
      const annotation = objectOf(value);
      if (annotation === undefined) continue;
      if (text) text.annotate(annotation, emit);
      else waiting.push(annotation);
    }
  }

  function show(content: WireObject, emit: EmitEvent): void {
    const block = mediaOf(content);
    if (block === undefined) return;
    contents.push({ content: () => content });
    if (!sound || !isNextPiece(sound.content, content)) {
      endOpen(emit);
      sound = { content, written: writer.open(block, emit) };
    }
    writer.attach(sound.written, textIn(content, 'data') ?? '', emit);
    if (content['type'] !== 'audio') endOpen(emit);
  }

  function read(content: WireObject, emit: EmitEvent): void {
    switch (content['type']) {
      case 'text':
        say(textIn(content, 'text') ?? '', emit);
        annotate(content, emit);
        return;
      case 'text_annotation_delta':
      case 'text_annotation':
        annotate(content, emit);
        return;
      case 'thought_signature':
        step = withTold(step, content);
        return;
      default:
        show(content, emit);
    }
  }

  return {
    begin(emit) {
      for (const value of listIn(wire, 'content')) {
        const content = objectOf(value);
        if (content?.['type'] === 'text') endOpen(emit); // the offsets of its annotations count in it alone
        if (content) read(content, emit);
      }
    },
    read,
    end(_event, _isCut, emit) {
      endOpen(emit);
    },
    turn() {
      if (contents.length === 0) return undefined;
      return { ...echoOf(step), content: contents.map((part) => part.content()) };
    },
  };
}
