import type { Block, MediaBlock } from '../../src/blocks';
import { present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { WireItem } from './turn';

/** Where an output item has its result, unless in `output`. */
const RESULT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['program_output', 'result'],
  ['tool_search_output', 'tools'],
]);

/** What a tool that OpenAI ran gave back, where the finished item has it. */
export function resultOf(wire: WireItem): Block | undefined {
  switch (wire.type) {
    case 'mcp_call':
      return mcpResultOf(wire);
    case 'code_interpreter_call':
      if (!Array.isArray(wire['outputs'])) return undefined;
      return { kind: 'tool-result', name: 'code_interpreter', content: wire['outputs'], ...namesOf(wire, 'id') };
    default:
      if (!wire.type.endsWith('_output')) return undefined;
      return {
        kind: 'tool-result',
        content: wire[RESULT_FIELDS.get(wire.type) ?? 'output'],
        ...namesOf(wire, 'call_id'),
      };
  }
}

/** A failed MCP call does not fail the response. */
function mcpResultOf(wire: WireObject): Block | undefined {
  const error = wire['error'] ?? undefined;
  if (error !== undefined) return { kind: 'tool-result', content: error, isError: true, ...namesOf(wire, 'id') };
  const content = textIn(wire, 'output');
  return content === undefined ? undefined : { kind: 'tool-result', content, ...namesOf(wire, 'id') };
}

function namesOf(wire: WireObject, idField: string): { toolCallId?: string; name?: string } {
  return present({ toolCallId: wordIn(wire, idField), name: wordIn(wire, 'name') });
}

/** A picture: a preview or the finished one. */
export function pictureOf(data: string, wire: WireObject): MediaBlock {
  return { kind: 'media', mimeType: `image/${wordIn(wire, 'output_format') ?? 'png'}`, parts: [data] };
}
