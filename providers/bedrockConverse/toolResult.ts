import type { ToolResultBlock } from '../../src/blocks';
import { listIn, present, wordIn, type WireObject } from '../../src/wire';
import type { ContentBlock, ConverseWriter, EmitEvent } from './contentBlock';

/** What a tool gave back that Bedrock ran; named like the call it answers. */
export function openToolResult(
  start: WireObject,
  callNames: ReadonlyMap<string, string>,
  writer: ConverseWriter,
  emit: EmitEvent,
): ContentBlock {
  const toolCallId = wordIn(start, 'toolUseId');
  const name = callNames.get(toolCallId ?? '') ?? wordIn(start, 'type');
  const result: ToolResultBlock = {
    kind: 'tool-result',
    ...present({ toolCallId, name }),
    content: [],
    ...(start['status'] === 'error' && { isError: true }),
  };
  const written = writer.open(result, emit);
  const content: unknown[] = [];
  return {
    written,
    read(delta) {
      for (const part of listIn(delta, 'toolResult')) content.push(part);
    },
    end(event, emit) {
      writer.update(written, { ...result, content: [...content] }, emit);
      writer.end(written, {}, event, emit);
    },
    turn() {
      return [{ toolResult: { ...start, content } }];
    },
  };
}
