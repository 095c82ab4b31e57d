import type { Block, Citation } from '../../src/blocks';
import type { WrittenBlock } from '../../src/responseWriter';
import { numberIn, objectIn, objectOf, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { WireBlock } from './turn';

/** A content block of the wire, from its start event on. */
export interface ContentBlock {
  readonly wire: WireBlock;
  /** Absent for a block that this vocabulary has no word for: it comes out as `raw`, and has its place in the turn. */
  readonly written: WrittenBlock | undefined;
  /** What deltas added that is not text: signature, the content of a compaction. */
  additions: WireObject;
  readonly citations: unknown[];
  closed: boolean;
}

const TOOL_RESULT = '_tool_result';

/** The block to draw for a content block as it starts, its contents still empty; undefined when there is none. */
export function blockOf(wire: WireBlock, callNames: ReadonlyMap<string, string>): Block | undefined {
  switch (wire.type) {
    case 'text':
      return { kind: 'text', text: '' };
    case 'thinking':
      return { kind: 'reasoning', text: '' };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', redacted: true, ...present({ encrypted: textIn(wire, 'data') }) };
    case 'tool_use':
      return callOf(wire);
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const call = callOf(wire);
      return call && { ...call, providerExecuted: true };
    }
    default:
      return wire.type.endsWith(TOOL_RESULT) ? resultOf(wire, callNames) : undefined;
  }
}

function callOf(wire: WireObject): Extract<Block, { kind: 'tool-call' }> | undefined {
  const name = wordIn(wire, 'name');
  if (name === undefined) return undefined;
  return { kind: 'tool-call', id: textIn(wire, 'id') ?? '', name, arguments: '', format: 'json', state: 'open' };
}

/** `web_search_tool_result` and its like, whole in the start event; named like the call it answers. */
function resultOf(wire: WireBlock, callNames: ReadonlyMap<string, string>): Block {
  const toolCallId = wordIn(wire, 'tool_use_id');
  const isError = wire['is_error'] === true || textIn(objectIn(wire, 'content'), 'type')?.endsWith('_error');
  return {
    kind: 'tool-result',
    name: callNames.get(toolCallId ?? '') ?? wire.type.slice(0, -TOOL_RESULT.length),
    content: wire['content'],
    ...present({ toolCallId }),
    ...(isError && { isError: true }),
  };
}

/** What a start event already holds of the contents: first words, or arguments that come whole and without deltas. */
export function initialContentOf(wire: WireBlock): string {
  const input = objectIn(wire, 'input');
  if (input) return Object.keys(input).length > 0 ? JSON.stringify(input) : '';
  return textIn(wire, wire.type === 'thinking' ? 'thinking' : 'text') ?? '';
}

/** Offsets in the cited document are no offsets in the text: they stay in `raw`. */
export function citationOf(raw: unknown): Citation {
  const wire = objectOf(raw);
  return {
    ...present({
      url: wordIn(wire, 'url'),
      title: wordIn(wire, 'title') ?? wordIn(wire, 'document_title'),
      source: wordIn(wire, 'source') ?? wordIn(wire, 'file_id') ?? documentOf(wire),
      quote: wordIn(wire, 'cited_text'),
    }),
    raw,
  };
}

function documentOf(wire: WireObject | undefined): string | undefined {
  const index = numberIn(wire, 'document_index');
  return index === undefined ? undefined : String(index);
}

/** The block as the next request has to echo it. */
export function turnBlockOf({ wire, written, additions, citations }: ContentBlock): WireBlock {
  const content = written?.content ?? '';
  switch (written?.block.kind) {
    case 'text':
      return { ...wire, text: content, ...(citations.length > 0 && { citations }) };
    case 'reasoning':
      return wire.type === 'thinking' ? { ...wire, thinking: content, ...additions } : wire;
    case 'tool-call':
      return { ...wire, input: inputOf(content) ?? wire['input'], ...additions };
    default:
      return { ...wire, ...additions };
  }
}

/** Arguments that were cut are no input: the placeholder of the start event stays. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
