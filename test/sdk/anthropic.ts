import type { WordList } from './wordList';

/** `type` of an event. */
export const EVENTS = {
  mapped: [
    ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta'],
    ...['message_stop', 'error'],
  ],
  raw: [{ why: 'of a host', words: ['vertex_event'] }],
  elsewhere: [
    { source: 'the documentation of streaming; the SDK takes it out', words: ['error'] },
    { source: 'the runtime of the SDK for Vertex', words: ['vertex_event'] },
  ],
} as const satisfies WordList;

/** `type` of a content block. */
export const BLOCKS = {
  mapped: [
    ...['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use'],
    ...['web_search_tool_result', 'web_fetch_tool_result', 'code_execution_tool_result'],
    ...['bash_code_execution_tool_result', 'text_editor_code_execution_tool_result', 'tool_search_tool_result'],
    ...['mcp_tool_result', 'advisor_tool_result'],
  ],
  raw: [
    { why: 'for the next turn only', words: ['compaction'] },
    { why: 'a file that only the Files API can read', words: ['container_upload'] },
    { why: 'says that another model goes on', words: ['fallback'] },
    { why: 'a list of tools', words: ['mcp_tool_listing'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of a delta. */
export const DELTAS = {
  mapped: ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta', 'citations_delta'],
  raw: [{ why: 'the content of a block for the next turn only', words: ['compaction_delta'] }],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of a citation. */
export const CITATIONS = {
  mapped: [
    ...['char_location', 'page_location', 'content_block_location', 'web_search_result_location'],
    'search_result_location',
  ],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `stop_reason`. */
export const REASONS = {
  mapped: [
    ...['end_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded', 'tool_use', 'pause_turn'],
    ...['compaction', 'refusal'],
  ],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;
