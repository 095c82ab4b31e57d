import type { BlockPatch, ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import { listIn, objectIn, objectOf, present, textIn, without, wordIn, type WireObject } from '../../src/wire';
import type { GeminiOptions } from './index';
import type { EmitEvent } from './mapper';
import { createPartialArguments, type PartialArguments } from './partialArguments';
import type { GeminiPart, GeminiTurn, TurnParts } from './turn';

/** The function calls of one candidate. */
export interface FunctionCalls {
  /** Those that were shown: a call without a name cannot be answered. */
  readonly count: number;
  /** Reads a part with a `functionCall`; false when it says something that cannot be shown. */
  read(part: GeminiPart, emit: EmitEvent): boolean;
  /** Says that a part of another kind came: a call after it is no repetition. */
  interrupt(): void;
  /** Takes a call back that was shown; false when there is none of this id. */
  cancel(id: string, emit: EmitEvent): boolean;
  /** Ends a call whose end never came: cut, unless all was said. */
  end(isCut: boolean, emit: EmitEvent): void;
}

/** A call whose arguments come in pieces. */
interface StreamedCall {
  readonly id: string | undefined;
  /** The part that began it, with what the later ones have beside their pieces, such as a signature. */
  part: GeminiPart;
  /** Its place in the turn. */
  readonly place: number;
  readonly written: WrittenBlock;
  readonly partial: PartialArguments;
  /** Whether a piece had no place in the arguments. */
  isDamaged: boolean;
}

export function createFunctionCalls(
  writer: ResponseWriter<GeminiTurn>,
  choice: { readonly choice?: number },
  turn: TurnParts,
  { dropRepeatedCalls = false }: GeminiOptions,
): FunctionCalls {
  const seen = new Set<string>(); // calls with an id
  const shown = new Map<string, WrittenBlock>(); // by id
  let latest: string | undefined; // the call right before, where it came whole
  let streamed: StreamedCall | undefined;
  let count = 0;

  function open(call: WireObject, name: string, part: GeminiPart, emit: EmitEvent): WrittenBlock {
    count += 1;
    const known = { id: wordIn(call, 'id') ?? '', name, ...present({ signature: wordIn(part, 'thoughtSignature') }) };
    const block = { kind: 'tool-call', ...known, arguments: '', format: 'json', state: 'open', ...choice } as const;
    const written = writer.open(block, emit);
    shown.set(known.id, written);
    return written;
  }

  function readWhole(call: WireObject, name: string, part: GeminiPart, emit: EmitEvent): boolean {
    const id = wordIn(call, 'id');
    const json = JSON.stringify(call['args'] ?? {});
    const identity = JSON.stringify([id, name, json]);
    const isRepeated = id === undefined ? dropRepeatedCalls && identity === latest : seen.has(identity);
    if (isRepeated) return false;
    if (id !== undefined) seen.add(identity);
    latest = identity;
    turn.add(part);
    const written = open(call, name, part, emit);
    writer.append(written, json, emit);
    writer.end(written, {}, undefined, emit);
    return true;
  }

  function begin(call: WireObject, name: string, part: GeminiPart, emit: EmitEvent): StreamedCall {
    latest = undefined;
    const written = open(call, name, part, emit);
    writer.append(written, '{', emit);
    return {
      id: wordIn(call, 'id'),
      part,
      place: turn.add(part),
      written,
      partial: createPartialArguments(),
      isDamaged: false,
    };
  }

  function goOn(call: StreamedCall, part: GeminiPart, emit: EmitEvent): boolean {
    const wire = objectIn(part, 'functionCall');
    const pieces = listIn(wire, 'partialArgs').map(objectOf);
    let isPlaced = true;
    for (const piece of pieces) {
      const text = piece && call.partial.read(piece);
      if (text === undefined) isPlaced = false;
      else writer.append(call.written, text, emit);
    }
    call.part = { ...part, ...call.part };
    call.isDamaged ||= !isPlaced;
    const willContinue = [wire, ...pieces].some((told) => told?.['willContinue'] === true);
    if (!willContinue) end(false, emit);
    return isPlaced;
  }

  function end(isCut: boolean, emit: EmitEvent): void {
    if (!streamed) return;
    const { part, place, written, partial, isDamaged } = streamed;
    streamed = undefined;
    const whole = isCut || isDamaged ? undefined : partial.whole();
    const call = without(objectIn(part, 'functionCall'), 'partialArgs', 'willContinue');
    const args: unknown = whole === undefined ? undefined : JSON.parse(whole);
    const wholePart = { ...part, functionCall: { ...call, ...present({ args }) } };
    turn.replace(place, wholePart);
    const known: BlockPatch = whole === undefined ? { state: 'cut' } : { arguments: whole };
    writer.end(written, { ...known, ...present({ signature: wordIn(part, 'thoughtSignature') }) }, wholePart, emit);
  }

  return {
    get count() {
      return count;
    },
    read(part, emit) {
      const call = objectIn(part, 'functionCall') ?? {};
      const name = wordIn(call, 'name');
      const hasArguments = Object.keys(objectIn(call, 'args') ?? {}).length > 0;
      const hasPieces = listIn(call, 'partialArgs').length > 0;
      const isStreamed = hasPieces || (call['willContinue'] === true && !hasArguments);
      const goesOn = name === undefined || (streamed?.id !== undefined && streamed.id === textIn(call, 'id'));
      if (streamed && goesOn) return goOn(streamed, part, emit);
      if (name === undefined) return false;
      end(false, emit);
      if (!isStreamed) return readWhole(call, name, part, emit);
      streamed = begin(call, name, part, emit);
      return goOn(streamed, part, emit);
    },
    interrupt() {
      latest = undefined;
    },
    cancel(id, emit) {
      const written = shown.get(id);
      if (written?.block.kind !== 'tool-call') return false;
      if (written === streamed?.written) streamed = undefined;
      if (written.ended) writer.update(written, { ...written.block, state: 'cancelled' }, emit);
      else writer.end(written, { state: 'cancelled' }, undefined, emit);
      return true;
    },
    end,
  };
}
