import type { ToolResultBlock } from '../../src/blocks';
import type { WrittenBlock } from '../../src/responseWriter';
import { present, wordIn, type WireObject } from '../../src/wire';
import { echoOf, withTold, type EmitEvent, type ShownCall, type Step, type StepContext } from './step';
import type { WireStep } from './turn';

const RESULT = '_result';

/** Whether a step or a delta of this type is what a tool gave back. */
export function isResult(type: string): boolean {
  return type.endsWith(RESULT);
}

/**
 * What a tool gave back that Google ran, one block. The result of a function is one when its call is in the answer as well:
 * an agent ran it. Else it is what the client sent, told again.
 */
export function createResult(wire: WireStep, { writer, calls }: StepContext): Step {
  const isOfFunction = wire.type === 'function_result';
  let step = wire;
  let written: WrittenBlock | undefined;

  function call(): ShownCall | undefined {
    return calls.get(wordIn(step, 'call_id') ?? '');
  }

  function tell(told: WireObject, emit: EmitEvent): void {
    step = withTold(step, told);
    call()?.answer(emit);
    if ('result' in step) show(emit);
  }

  function show(emit: EmitEvent): void {
    if (isOfFunction && !call()) return;
    const block = blockOf(step, call()?.name);
    if (written) writer.update(written, block, emit);
    else written = writer.open(block, emit);
  }

  return {
    begin(emit) {
      tell({}, emit);
    },
    read(delta, emit) {
      if (delta['type'] === 'thought_signature') step = withTold(step, delta);
      else if (delta['type'] === wire.type) tell(delta, emit);
    },
    complete(whole, emit) {
      tell(whole, emit);
    },
    end(event, _isCut, emit) {
      if (!written) show(emit);
      if (written) writer.end(written, {}, event, emit);
    },
    turn() {
      return isOfFunction && !call() ? undefined : echoOf(step);
    },
  };
}

function blockOf(step: WireStep, callName: string | undefined): ToolResultBlock {
  return {
    kind: 'tool-result',
    name: wordIn(step, 'name') ?? callName ?? step.type.slice(0, -RESULT.length),
    content: step['result'] ?? null,
    ...present({ toolCallId: wordIn(step, 'call_id') }),
    ...(step['is_error'] === true && { isError: true }),
  };
}
