import { listIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { createSound } from '../google/sound';
import { mediaOf, writeMedia } from './media';
import { echoOf, withTold, type EmitEvent, type Step, type StepContext } from './step';
import { createCitedText, type CitedText } from './text';
import type { WireStep } from './turn';

/**
 * A `model_output`: texts, pictures and sounds, each a block, one after another. What it holds shows with its first delta;
 * one step may hold several kinds.
 */
export function createOutput(wire: WireStep, { writer }: StepContext): Step {
  const contents: Pick<CitedText, 'content'>[] = [];
  const sound = createSound(writer, {});
  let step = wire;
  let text: CitedText | undefined; // the latest
  let isTextOpen = false;
  let soundType: string | undefined; // later pieces need not repeat it
  let waiting: WireObject[] = []; // annotations that came before any text

  function endText(emit: EmitEvent): void {
    if (isTextOpen) text?.end(emit);
    isTextOpen = false;
  }

  function endOpen(emit: EmitEvent): void {
    endText(emit);
    sound.end(emit);
    soundType = undefined;
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

  /** Says what is missing of a text and its annotations. */
  function completeText(open: CitedText, whole: WireObject | undefined, emit: EmitEvent): void {
    const said = open.content();
    const text = textIn(said, 'text') ?? '';
    const wholeText = textIn(whole, 'text') ?? '';
    if (wholeText.startsWith(text)) say(wholeText.slice(text.length), emit);
    for (const annotation of listIn(whole, 'annotations').slice(listIn(said, 'annotations').length)) {
      annotate({ annotations: [annotation] }, emit);
    }
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
    if (content['type'] === 'audio' && block.url === undefined) {
      endText(emit);
      soundType = block.mimeType ?? soundType;
      sound.attach(textIn(content, 'data') ?? '', { mimeType: soundType }, emit);
    } else {
      endOpen(emit);
      writeMedia(writer, block, content, emit);
    }
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
    complete(whole, emit) {
      const items = listIn(whole, 'content').map(objectOf);
      const shown = contents.map((part) => part.content());
      const isSameList = shown.every((content, place) => items[place]?.['type'] === content['type']);
      step = withTold(step, present({ signature: wordIn(whole, 'signature') }));
      if (!isSameList) return;
      if (isTextOpen && text) completeText(text, items[shown.length - 1], emit);
      for (const content of items.slice(shown.length)) {
        if (content?.['type'] === 'text') endOpen(emit);
        if (content) read(content, emit);
      }
    },
    end(_event, _isCut, emit) {
      endOpen(emit);
    },
    turn() {
      if (contents.length === 0) return undefined;
      return { ...echoOf(step), content: contents.map((part) => part.content()) };
    },
  };
}
