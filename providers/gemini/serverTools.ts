import type { ResponseWriter } from '../../src/responseWriter';
import { objectIn, present, without, wordIn, type WireObject } from '../../src/wire';
import type { EmitEvent } from './mapper';
import type { GeminiPart, GeminiTurn } from './turn';

const CODE_EXECUTION = 'code_execution';

/** The calls that Gemini runs itself, and their results, whole parts all of them. */
export interface ServerTools {
  knows(part: GeminiPart): boolean;
  read(part: GeminiPart, emit: EmitEvent): void;
}

export function createServerTools(
  writer: ResponseWriter<GeminiTurn>,
  choice: { readonly choice?: number },
): ServerTools {
  const names = new Map<string, string>(); // by id
  let latest: string | undefined; // id of the call that a result without an id answers

  function call(wire: WireObject, name: string, args: unknown, part: GeminiPart, emit: EmitEvent): void {
    const known = { id: wordIn(wire, 'id') ?? '', name, ...present({ signature: wordIn(part, 'thoughtSignature') }) };
    const written = writer.open(
      { kind: 'tool-call', ...known, arguments: '', format: 'json', state: 'open', providerExecuted: true, ...choice },
      emit,
    );
    writer.append(written, JSON.stringify(args ?? {}), emit);
    writer.end(written, {}, undefined, emit);
    if (written.block.kind === 'tool-call') latest = written.block.id;
    if (latest !== undefined) names.set(latest, name);
  }

  function result(wire: WireObject, named: string, content: unknown, isError: boolean, emit: EmitEvent): void {
    const toolCallId = wordIn(wire, 'id') ?? latest;
    const name = names.get(toolCallId ?? '') ?? named;
    const written = writer.open(
      { kind: 'tool-result', name, content, ...present({ toolCallId }), ...(isError && { isError: true }), ...choice },
      emit,
    );
    writer.end(written, {}, undefined, emit);
  }

  return {
    knows: (part) => KINDS.some((kind) => objectIn(part, kind) !== undefined),
    read(part, emit) {
      const code = objectIn(part, 'executableCode');
      const output = objectIn(part, 'codeExecutionResult');
      const called = objectIn(part, 'toolCall');
      const answered = objectIn(part, 'toolResponse');
      if (code) call(code, CODE_EXECUTION, without(code, 'id'), part, emit);
      else if (output) {
        const outcome = wordIn(output, 'outcome') ?? 'OUTCOME_OK';
        result(output, CODE_EXECUTION, without(output, 'id'), outcome !== 'OUTCOME_OK', emit);
      } else if (called) call(called, nameOf(called), called['args'], part, emit);
      else if (answered) result(answered, nameOf(answered), answered['response'], false, emit);
    },
  };
}

const KINDS: readonly string[] = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'];

/** `GOOGLE_SEARCH_WEB`. */
function nameOf(wire: WireObject): string {
  return wordIn(wire, 'toolType')?.toLowerCase() ?? 'tool';
}
