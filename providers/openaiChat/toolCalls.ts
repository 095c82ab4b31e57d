import type { BlockPatch, ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import { listIn, numberIn, objectIn, objectOf, present, wordIn, type WireObject } from '../../src/wire';
import { createArgumentsText, type ArgumentsText } from './argumentsText';
import type { EmitEvent } from './mapper';
import type { OpenAIChatTurn } from './turn';

/** `function_call` is the deprecated form: one call, without an id. */
type Kind = 'function' | 'custom' | 'function_call';

/** A tool call, from its first piece on. */
interface Call {
  id: string | undefined;
  name: string | undefined;
  index: number | undefined;
  readonly kind: Kind;
  /** Arguments that came before the call had a name. */
  held: string;
  readonly text: ArgumentsText;
  written: WrittenBlock | undefined;
  /** What Gemini's compatible endpoint wants back on the call. */
  extraContent: WireObject | undefined;
}

/** One piece of a call, wherever the service puts its parts. An empty id or name is none. */
interface Piece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly index: number | undefined;
  readonly text: string;
  readonly kind: Kind;
  readonly extraContent: WireObject | undefined;
}

/** The tool calls of one choice. */
export interface ToolCalls {
  /** Those that were shown: a call without a name cannot be answered. */
  readonly count: number;
  /** Reads a piece; false when it cannot be told to which call it belongs. */
  read(piece: unknown, emit: EmitEvent): boolean;
  /** Ends the calls, in order. After the token limit the last one was cut. */
  end(isCut: boolean, emit: EmitEvent): void;
  /** The fields of the message that echo them, once they have ended. */
  turn(): WireObject;
}

/**
 * Puts the pieces of tool calls together. Services differ in what they leave out, repeat and send late: the id counts
 * first, then the index, then the name.
 */
export function createToolCalls(
  writer: ResponseWriter<OpenAIChatTurn>,
  choice: { readonly choice?: number },
): ToolCalls {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>(); // the latest at this index

  function callFor(piece: Piece): Call | undefined {
    const known = piece.id === undefined ? undefined : byId.get(piece.id);
    if (known) return isRepeatedId(known, piece) ? newCall(piece) : known;
    const atIndex = piece.index === undefined ? undefined : byIndex.get(piece.index);
    if (piece.id !== undefined) return atIndex && continuesUnderNewId(atIndex, piece) ? atIndex : newCall(piece);
    if (atIndex) return beginsAnother(atIndex, piece) ? newCall(piece) : atIndex;
    if (piece.name !== undefined || piece.index !== undefined) return newCall(piece);
    const latest = calls.at(-1); // neither id, index nor name
    return calls.length === 1 || latest?.index === undefined ? latest : undefined; // where calls have indexes: ambiguous
  }

  function newCall({ index, kind }: Piece): Call {
    const call: Call = {
      id: undefined,
      name: undefined,
      index,
      kind,
      held: '',
      text: createArgumentsText(),
      written: undefined,
      extraContent: undefined,
    };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  }

  /** A call is shown once its name is known; its id may come later still. */
  function show(call: Call, emit: EmitEvent): void {
    if (call.written || call.name === undefined) return;
    const format = call.kind === 'custom' ? 'text' : 'json';
    const block = {
      kind: 'tool-call',
      id: call.id ?? '',
      name: call.name,
      arguments: '',
      format,
      state: 'open',
    } as const;
    call.written = writer.open({ ...block, ...choice }, emit);
    writer.append(call.written, call.held, emit);
  }

  return {
    get count() {
      return calls.filter(({ written }) => written).length;
    },
    read(value, emit) {
      const piece = pieceOf(value);
      const call = piece && callFor(piece);
      if (!call) return false;
      if (piece.id !== undefined) {
        call.id ??= piece.id;
        byId.set(piece.id, call);
      }
      call.name ??= piece.name;
      call.extraContent = piece.extraContent ?? call.extraContent;
      call.text.read(piece.text);
      show(call, emit);
      if (call.written) writer.append(call.written, piece.text, emit);
      else call.held += piece.text;
      return true;
    },
    end(isCut, emit) {
      calls.forEach(({ id, written, extraContent }, place) => {
        if (!written) return;
        const signature = wordIn(objectIn(extraContent, 'google'), 'thought_signature');
        const patch: BlockPatch = present({ id, signature });
        writer.end(written, isCut && place === calls.length - 1 ? { ...patch, state: 'cut' } : patch, undefined, emit);
      });
    },
    turn() {
      const legacy = calls.find(({ kind }) => kind === 'function_call');
      const echoes = calls.flatMap(echoOf);
      if (legacy) return present({ function_call: echoes[0]?.['function'] });
      return echoes.length > 0 ? { tool_calls: echoes } : {};
    },
  };
}

/** A call as it is echoed, no arguments as `{}`: some services refuse empty text. */
function echoOf({ id, kind, written, extraContent }: Call): WireObject[] {
  if (written?.block.kind !== 'tool-call') return [];
  const { name, arguments: text } = written.block;
  const called =
    kind === 'custom'
      ? { type: 'custom', custom: { name, input: text } }
      : { type: 'function', function: { name, arguments: text } };
  return [{ ...present({ id }), ...called, ...present({ extra_content: extraContent }) }];
}

/** Two calls under one id: the index differs and the call begins anew. */
function isRepeatedId(known: Call, { index, name, text }: Piece): boolean {
  const isElsewhere = index !== undefined && known.index !== undefined && index !== known.index;
  return isElsewhere && name !== undefined && (text === '' || begins(text));
}

/** A late id, or one that changes with every chunk: the same call goes on. */
function continuesUnderNewId(call: Call, piece: Piece): boolean {
  if (call.id === undefined) return !beginsAnother(call, piece);
  return piece.name === undefined && !(begins(piece.text) && call.text.isClosed);
}

/** Another call at the same index, without an id: another name, or the same one again after whole arguments. */
function beginsAnother(call: Call, { name, text }: Piece): boolean {
  if (name === undefined || call.name === undefined) return false;
  return name !== call.name || (begins(text) && call.text.isClosed);
}

function begins(text: string): boolean {
  return text.trimStart().startsWith('{');
}

/** `{ index, id, type, function: { name, arguments } }` or `{ …, custom: { name, input } }`. */
function pieceOf(value: unknown): Piece | undefined {
  const wire = objectOf(value);
  if (wire === undefined) return undefined;
  const custom = objectIn(wire, 'custom');
  const called = custom ?? objectIn(wire, 'function');
  return {
    id: wordIn(wire, 'id'),
    name: wordIn(called, 'name'),
    index: numberIn(wire, 'index'),
    text: textOf(called?.[custom ? 'input' : 'arguments']),
    kind: custom ? 'custom' : wire['type'] === 'function_call' ? 'function_call' : 'function',
    extraContent: objectIn(wire, 'extra_content'),
  };
}

/** Arguments are text; Mistral may write them as an object, and null adds nothing. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

/** The pieces of calls in a delta. */
export function piecesIn(delta: WireObject): readonly unknown[] {
  const legacy = objectIn(delta, 'function_call');
  return legacy ? [{ index: 0, type: 'function_call', function: legacy }] : listIn(delta, 'tool_calls');
}
