import { ModelStreamError } from '../../src/errors';
import type { ChoiceFinish, ModelEvent } from '../../src/events';
import { DONE, type Payload } from '../../src/payload';
import { createResponseWriter } from '../../src/responseWriter';
import type { Emit, Stage } from '../../src/stage';
import { listIn, numberIn, objectOf, present, wordIn, type WireObject } from '../../src/wire';
import { createChoice, type Choice } from './choice';
import { sourcesIn } from './citations';
import type { OpenAIChatTurn } from './turn';
import { usageIn } from './usage';

export type EmitEvent = Emit<ModelEvent<OpenAIChatTurn>>;

/** Translates the chunks of one answer. There are no block ids on the wire: blocks follow from what the choices say. */
export function createChatMapper(name: string): Stage<Payload, ModelEvent<OpenAIChatTurn>> {
  const writer = createResponseWriter<OpenAIChatTurn>(name);
  const choices = new Map<number, Choice>();
  let isDone = false; // `[DONE]` came

  function choiceAt(index: number): Choice {
    let choice = choices.get(index);
    if (!choice) choices.set(index, (choice = createChoice(writer, index, name)));
    return choice;
  }

  function read(chunk: WireObject, emit: EmitEvent): void {
    writer.begin(present({ responseId: wordIn(chunk, 'id'), model: wordIn(chunk, 'model') }), emit);
    for (const value of listIn(chunk, 'choices')) {
      const wire = objectOf(value);
      if (wire) choiceAt(numberIn(wire, 'index') ?? 0).read(wire, emit);
    }
    choices.get(0)?.cite(sourcesIn(chunk), emit);
    const usage = usageIn(chunk);
    if (usage) writer.usage(usage, emit);
  }

  /** How each alternative ended. One that gave no reason was cut, unless the service said that all is done. */
  function finishes(): ChoiceFinish[] {
    const ended = [...choices].map(([index, choice]) => ({ choice: index, ...choice.finish() }));
    if (!isDone && ended.some(({ rawReason }) => rawReason === undefined)) {
      throw new ModelStreamError('truncated', 'Stream ended before all its alternatives had finished', {
        provider: name,
        retryable: true,
      });
    }
    return ended.sort((a, b) => a.choice - b.choice);
  }

  return {
    push({ value }, emit) {
      if (value === DONE) isDone = true;
      const chunk = objectOf(value);
      if (chunk) read(chunk, emit);
    },
    end(emit) {
      const ended = finishes();
      for (const choice of choices.values()) choice.end(emit);
      const { choice, ...first } = ended[0] ?? { choice: 0, reason: 'other' };
      const turn = choices.get(choice)?.turn();
      writer.finish({ ...first, ...present({ turn }), ...(ended.length > 1 && { choices: ended }) }, emit);
    },
  };
}
