import type { WrittenBlock } from '../../src/responseWriter';
import { listIn, objectOf, present, wordIn, type WireObject } from '../../src/wire';
import { mediaOf, writeMedia } from './media';
import { echoOf, withTold, type EmitEvent, type Step, type StepContext } from './step';
import type { WireStep } from './turn';

/**
 * A `thought`: one block of reasoning, which is there once there is something to read or a signature to carry, and a draft
 * for each picture.
 */
export function createThought(wire: WireStep, { writer }: StepContext): Step {
  const summary: WireObject[] = [];
  let step = wire;
  let written: WrittenBlock | undefined;

  function reasoning(emit: EmitEvent): WrittenBlock {
    return (written ??= writer.open({ kind: 'reasoning', text: '' }, emit));
  }

  function addToSummary(value: unknown, emit: EmitEvent): void {
    const item = typeof value === 'string' ? { type: 'text', text: value } : objectOf(value);
    if (item === undefined) return;
    const text = wordIn(item, 'text');
    const picture = mediaOf(item);
    if (text === undefined && picture === undefined) return;
    summary.push(item);
    if (text !== undefined) writer.append(reasoning(emit), text, emit);
    if (picture) writeMedia(writer, { ...picture, draft: true }, item, emit);
  }

  function sign(emit: EmitEvent): void {
    const signature = wordIn(step, 'signature');
    if (signature === undefined) return;
    const signed = reasoning(emit);
    if (signed.ended && signed.block.kind === 'reasoning') writer.update(signed, { ...signed.block, signature }, emit);
  }

  return {
    begin(emit) {
      const items = wire['summary']; // a list, or from some previews a text
      for (const item of Array.isArray(items) ? (items as unknown[]) : [items]) addToSummary(item, emit);
      sign(emit);
    },
    read(delta, emit) {
      switch (delta['type']) {
        case 'thought_summary':
          addToSummary(delta['content'], emit);
          return;
        case 'thought_signature':
          step = withTold(step, delta);
          sign(emit);
          return;
      }
    },
    complete(whole, emit) {
      for (const item of restOf(listIn(whole, 'summary'), summary)) addToSummary(item, emit);
      step = withTold(step, present({ signature: wordIn(whole, 'signature') }));
      sign(emit);
    },
    end(event, _isCut, emit) {
      if (written) writer.end(written, present({ signature: wordIn(step, 'signature') }), event, emit);
    },
    turn() {
      const echo = echoOf(step);
      if (summary.length > 0) return { ...echo, summary };
      return 'signature' in echo ? echo : undefined;
    },
  };
}

/** What is missing of a summary. How its text is cut into items is the affair of each telling. */
function restOf(whole: readonly unknown[], said: readonly unknown[]): readonly unknown[] {
  const isBeginning = said.every((item, place) => JSON.stringify(item) === JSON.stringify(whole[place]));
  if (isBeginning) return whole.slice(said.length);
  const [wholeText, saidText] = [summaryText(whole), summaryText(said)];
  return wholeText.startsWith(saidText) ? [wholeText.slice(saidText.length)].filter((text) => text !== '') : [];
}

function summaryText(summary: readonly unknown[]): string {
  return summary.map((item) => wordIn(objectOf(item), 'text') ?? '').join('');
}
