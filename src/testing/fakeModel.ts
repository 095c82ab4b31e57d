import type { Block } from '../blocks';
import type { FinishEvent, ModelEvent } from '../events';
import { createResponseWriter, type ResponseWriter, type WrittenBlock } from '../responseWriter';
import type { Emit, Stage } from '../stage';
import type { FakeMoment, FakeToolCall } from './fakeMoment';

/**
 * Turns what a model says into the events that say it, by the laws of the vocabulary: the response begins first, blocks
 * open and end once, and at the end of the input it is finished.
 *
 * `push` throws a `RangeError` where nothing lawful can be made of a moment.
 */
export function createFakeModel<Turn>(): Stage<FakeMoment<Turn>, ModelEvent<Turn>> {
  let life: 'waiting' | 'speaking' | 'finished' = 'waiting';
  let writer: ResponseWriter<Turn> = createResponseWriter('fake');
  let open: WrittenBlock | undefined;
  let responseCount = 0;
  let callCount = 0;
  let hasCalled = false;
  let restartCount = 0;

  function start(named: NonNullable<FakeMoment['start']>, emit: Emit<ModelEvent<Turn>>): void {
    if (life === 'speaking') throw new RangeError('Cannot start a response: the one before has not finished');
    life = 'speaking';
    responseCount += 1;
    hasCalled = false;
    const { provider = 'fake', ...response } = named;
    writer = createResponseWriter(provider);
    writer.begin({ responseId: `fake_${responseCount}`, ...response }, emit);
  }

  /** Everything but a start needs a response that is not over. */
  function speak(emit: Emit<ModelEvent<Turn>>): void {
    if (life === 'finished') throw new RangeError('Cannot say more: the response has finished');
    if (life === 'waiting') start({}, emit);
  }

  function endOpen(emit: Emit<ModelEvent<Turn>>): void {
    if (open) writer.end(open, {}, undefined, emit);
    open = undefined;
  }

  function openBlock(block: Block, emit: Emit<ModelEvent<Turn>>): WrittenBlock {
    speak(emit);
    endOpen(emit);
    open = writer.open(block, emit);
    return open;
  }

  function say(kind: 'text' | 'reasoning', delta: string, emit: Emit<ModelEvent<Turn>>): void {
    const block = open?.block.kind === kind ? open : openBlock({ kind, text: '' }, emit);
    writer.append(block, delta, emit);
  }

  function call({ name, id, arguments: input }: FakeToolCall, emit: Emit<ModelEvent<Turn>>): void {
    callCount += 1;
    const named = { id: id ?? `call_${callCount}`, name };
    const block = openBlock({ kind: 'tool-call', ...named, arguments: '', format: 'json', state: 'open' }, emit);
    hasCalled = true;
    if (input === undefined) return;
    writer.append(block, typeof input === 'string' ? input : JSON.stringify(input), emit);
    endOpen(emit);
  }

  function appendArguments(delta: string, emit: Emit<ModelEvent<Turn>>): void {
    if (open?.block.kind !== 'tool-call') throw new RangeError('Cannot add arguments: no tool call is open');
    writer.append(open, delta, emit);
  }

  function finish(said: Partial<Omit<FinishEvent<Turn>, 'type'>>, emit: Emit<ModelEvent<Turn>>): void {
    speak(emit);
    writer.finish({ reason: hasCalled ? 'tool-calls' : 'stop', ...said }, emit);
    open = undefined;
    life = 'finished';
  }

  function restart(cause: NonNullable<FakeMoment['restart']>, emit: Emit<ModelEvent<Turn>>): void {
    if (life === 'finished') throw new RangeError('Cannot restart: the response has finished');
    open = undefined;
    life = 'waiting';
    restartCount += 1;
    emit({ type: 'restart', attempt: restartCount, cause });
  }

  return {
    push(moment, emit) {
      if (moment.restart) restart(moment.restart, emit);
      if (moment.start) start(moment.start, emit);
      if (moment.reasoning !== undefined) say('reasoning', moment.reasoning, emit);
      if (moment.text !== undefined) say('text', moment.text, emit);
      if (moment.toolCall) call(moment.toolCall, emit);
      if (moment.argumentsDelta !== undefined) appendArguments(moment.argumentsDelta, emit);
      if (moment.usage) {
        speak(emit);
        writer.usage(moment.usage, emit);
      }
      if (moment.finish) finish(typeof moment.finish === 'string' ? { reason: moment.finish } : moment.finish, emit);
      if (moment.error) throw moment.error;
    },
    end(emit) {
      if (life !== 'finished') finish({}, emit);
    },
  };
}
