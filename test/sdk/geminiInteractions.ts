import type { WordList } from './wordList';

/** `event_type`. */
export const EVENTS = {
  mapped: [
    ...['interaction.created', 'interaction.status_update', 'interaction.completed', 'error'],
    ...['step.start', 'step.delta', 'step.stop'],
    ...['interaction.start', 'interaction.complete', 'content.start', 'content.delta', 'content.stop'],
  ],
  raw: [{ why: 'a status, as an event of its own', words: ['interaction.in_progress', 'interaction.requires_action'] }],
  elsewhere: [
    {
      source: '@google/genai 2.32.0',
      words: ['interaction.start', 'interaction.complete', 'content.start', 'content.delta', 'content.stop'],
    },
    {
      source: 'https://ai.google.dev/api/interactions-api, as events of a webhook',
      words: ['interaction.in_progress', 'interaction.requires_action'],
    },
  ],
} as const satisfies WordList;

/** `type` of a step. */
export const STEPS = {
  mapped: [
    ...['model_output', 'thought', 'function_call', 'function_result'],
    ...['code_execution_call', 'code_execution_result', 'url_context_call', 'url_context_result'],
    ...['google_search_call', 'google_search_result', 'google_maps_call', 'google_maps_result'],
    ...['file_search_call', 'file_search_result', 'retrieval_call', 'retrieval_result'],
    ...['mcp_server_tool_call', 'mcp_server_tool_result', 'processing_call', 'processing_result'],
  ],
  raw: [{ why: 'written by the client', words: ['user_input'] }],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of a delta. */
export const DELTAS = {
  mapped: [
    ...['text', 'image', 'audio', 'video', 'document', 'text_annotation_delta'],
    ...['thought_summary', 'thought_signature', 'arguments_delta', 'function_result'],
    ...['code_execution_call', 'code_execution_result', 'url_context_call', 'url_context_result'],
    ...['google_search_call', 'google_search_result', 'google_maps_call', 'google_maps_result'],
    ...['file_search_call', 'file_search_result', 'retrieval_call', 'retrieval_result'],
    ...['mcp_server_tool_call', 'mcp_server_tool_result', 'processing_call', 'processing_result'],
  ],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of a content of a step. */
export const CONTENTS = {
  mapped: ['text', 'image', 'audio', 'video', 'document'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of an annotation of a text. */
export const ANNOTATIONS = {
  mapped: ['url_citation', 'file_citation', 'place_citation'],
  raw: [{ why: 'says when and by whom a word is spoken', words: ['word_info', 'speech_metadata'] }],
  elsewhere: [],
} as const satisfies WordList;

/** `status` of an interaction that is over; `failed` is a failure. */
export const STATUSES = {
  mapped: [...['completed', 'requires_action', 'incomplete', 'budget_exceeded', 'requires_continuation', 'cancelled']],
  raw: [{ why: 'not of one that is over', words: ['queued', 'in_progress'] }],
  elsewhere: [],
} as const satisfies WordList;
