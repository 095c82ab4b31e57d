import { objectIn, textIn, without, type WireObject } from '../../src/wire';
import type { ContentBlock, ConverseWriter, EmitEvent } from './contentBlock';

/** The only type that a request may echo; calls for the client are sent without one, or with one it refuses. */
const SERVER_TOOL_USE = 'server_tool_use';

/** A call, by the client or by Bedrock itself; its arguments come as pieces of JSON text. */
export function openToolUse(start: WireObject, name: string, writer: ConverseWriter, emit: EmitEvent): ContentBlock {
  const id = textIn(start, 'toolUseId') ?? '';
  const isServerTool = start['type'] === SERVER_TOOL_USE;
  const call = { kind: 'tool-call', id, name, arguments: '', format: 'json', state: 'open' } as const;
  const written = writer.open(isServerTool ? { ...call, providerExecuted: true } : call, emit);
  return {
    written,
    read(delta, emit) {
      writer.append(written, textIn(objectIn(delta, 'toolUse'), 'input') ?? '', emit);
    },
    end(event, emit) {
      writer.end(written, {}, event, emit);
    },
    turn() {
      const echo = isServerTool ? start : without(start, 'type');
      return [{ toolUse: { ...echo, input: inputOf(written.content) } }];
    },
  };
}

/** Arguments that were cut are no input: a call has to have one. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
