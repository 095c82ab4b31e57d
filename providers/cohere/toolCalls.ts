import type { ModelEvent } from '../../src/events';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import { objectIn, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { CohereTurn } from './turn';

export type EmitEvent = Emit<ModelEvent<CohereTurn>>;

/** The index of the wire; what leaves it out goes on with what left it out before. */
export type Index = number | undefined;

/** The tool calls of one message. They are told apart by index, their `tool_calls` is one object in spite of its name. */
export interface ToolCalls {
  /** Whether a call begins here: one without a name cannot be answered. */
  begins(wire: WireObject | undefined): boolean;
  start(index: Index, wire: WireObject | undefined, emit: EmitEvent): void;
  grow(index: Index, wire: WireObject | undefined, emit: EmitEvent): void;
  end(index: Index, event: unknown, emit: EmitEvent): void;
  /** As the next request echoes them. */
  turn(): readonly WireObject[];
}

interface ToolCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly written: WrittenBlock;
}

export function createToolCalls(writer: ResponseWriter<CohereTurn>): ToolCalls {
  const calls: ToolCall[] = [];
  const callAt = new Map<Index, ToolCall>();

  function grow(index: Index, wire: WireObject | undefined, emit: EmitEvent): void {
    const call = callAt.get(index);
    if (call) writer.append(call.written, textIn(objectIn(wire, 'function'), 'arguments') ?? '', emit);
  }

  function end(index: Index, event: unknown, emit: EmitEvent): void {
    const call = callAt.get(index);
    if (call) writer.end(call.written, {}, event, emit);
  }

  return {
    begins: (wire) => nameIn(wire) !== undefined,
    start(index, wire, emit) {
      const name = nameIn(wire);
      if (name === undefined) return;
      end(index, undefined, emit);
      const id = wordIn(wire, 'id');
      const block = { kind: 'tool-call', id: id ?? '', name, arguments: '', format: 'json', state: 'open' } as const;
      const call = { id, name, written: writer.open(block, emit) };
      callAt.set(index, call);
      calls.push(call);
      grow(index, wire, emit);
    },
    grow,
    end,
    turn: () => calls.map(echoOf),
  };
}

function nameIn(wire: WireObject | undefined): string | undefined {
  return wordIn(objectIn(wire, 'function'), 'name');
}

/** No arguments are `{}`: empty text is no JSON. An id that was made up is left out. */
function echoOf({ id, name, written: { content } }: ToolCall): WireObject {
  const called = { name, arguments: content.trim() === '' ? '{}' : content };
  return { ...present({ id }), type: 'function', function: called };
}
