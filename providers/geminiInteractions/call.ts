import type { WrittenBlock } from '../../src/responseWriter';
import { objectIn, present, wordIn, type WireObject } from '../../src/wire';
import { echoOf, withTold, type EmitEvent, type ShownCall, type Step, type StepContext } from './step';
import type { WireStep } from './turn';

const CALL = '_call';

/** Whether a step or a delta of this type is a call: of a function, or of a tool that Google runs itself. */
export function isCall(type: string): boolean {
  return type.endsWith(CALL);
}

/** A call is one block, shown once its name is known. Its arguments come as text in pieces, or as a whole object. */
export function createCall(wire: WireStep, { writer, calls, clientCalls }: StepContext): Step {
  const isFunction = wire.type === 'function_call';
  let step = wire;
  let held = ''; // arguments that came before the name
  let comesInPieces = false;
  let written: WrittenBlock | undefined;
  let shown: ShownCall | undefined;

  function tell(told: WireObject, emit: EmitEvent): void {
    step = withTold(step, told);
    show(nameOf(step), emit);
  }

  function show(name: string | undefined, emit: EmitEvent): void {
    if (name !== undefined && !written) {
      const block = { kind: 'tool-call', id: wordIn(step, 'id') ?? '', name, arguments: '', format: 'json' } as const;
      written = writer.open({ ...block, state: 'open', ...(!isFunction && { providerExecuted: true }) }, emit);
      writer.append(written, held, emit);
      shown = { name, answer };
      if (isFunction) clientCalls.add(shown);
    }
    const id = wordIn(step, 'id');
    if (shown && id !== undefined) calls.set(id, shown);
  }

  function answer(emit: EmitEvent): void {
    if (!shown || !clientCalls.delete(shown) || written?.block.kind !== 'tool-call') return;
    writer.update(written, { ...written.block, providerExecuted: true }, emit);
  }

  function grow(piece: string, emit: EmitEvent): void {
    if (written) writer.append(written, piece, emit);
    else held += piece;
  }

  return {
    begin(emit) {
      show(nameOf(step), emit);
    },
    read(delta, emit) {
      switch (delta['type']) {
        case 'arguments_delta': {
          const { arguments: piece, ...told } = delta;
          comesInPieces = true;
          tell(told, emit);
          grow(textOf(piece), emit);
          return;
        }
        case 'thought_signature':
          tell(delta, emit);
          if (written?.ended && written.block.kind === 'tool-call') {
            writer.update(written, { ...written.block, ...present({ signature: wordIn(step, 'signature') }) }, emit);
          }
          return;
        case wire.type:
          tell(delta, emit);
          if (!comesInPieces && written?.content === '') grow(textOf(delta['arguments']), emit);
          return;
      }
    },
    complete(whole, emit) {
      tell(whole, emit);
      if (textOf(whole['arguments']) !== '') comesInPieces = false; // these are the arguments, all of them
    },
    end(event, isCut, emit) {
      if (!isFunction) show(nameOf(step) ?? withoutCall(step.type), emit);
      if (!written) return; // a call without a name cannot be answered
      const whole = comesInPieces ? '' : textOf(step['arguments']);
      const patch = present({
        id: wordIn(step, 'id'),
        signature: wordIn(step, 'signature'),
        arguments: whole === '' ? undefined : whole,
        state: isCut ? ('cut' as const) : undefined,
      });
      writer.end(written, patch, event, emit);
    },
    turn() {
      if (!written) return undefined;
      const whole = jsonIn(written.content) ?? objectIn(step, 'arguments') ?? (isFunction ? {} : undefined);
      return { ...echoOf(step), ...present({ arguments: whole }) };
    },
  };
}

/** The name of a function or of a tool on a server; Google's own tools are named like their step. */
function nameOf(step: WireStep): string | undefined {
  const isNamed = step.type === 'function_call' || step.type === 'mcp_server_tool_call';
  return isNamed ? wordIn(step, 'name') : withoutCall(step.type);
}

function withoutCall(type: string): string {
  return type.slice(0, -CALL.length);
}

/** Arguments as text; the object without fields with which a call starts is a placeholder. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return '';
  return JSON.stringify(value);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // nothing, or cut by the token limit
  }
}
