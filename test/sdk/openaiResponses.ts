import type { WordList } from './wordList';

/** `type` of an event. */
export const EVENTS = {
  mapped: [
    ...['response.created', 'response.queued', 'response.in_progress'],
    ...['response.output_item.added', 'response.output_item.done'],
    ...['response.content_part.added', 'response.content_part.done'],
    ...['response.reasoning_part.added', 'response.reasoning_part.done'],
    ...['response.output_text.delta', 'response.output_text.done', 'response.output_text.annotation.added'],
    ...['response.refusal.delta', 'response.refusal.done'],
    ...['response.reasoning_text.delta', 'response.reasoning_text.done'],
    ...['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'],
    ...['response.reasoning_summary_text.delta', 'response.reasoning_summary_text.done'],
    ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
    ...['response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done'],
    ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done'],
    'response.apply_patch_call_operation_diff.delta',
    'response.image_generation_call.partial_image',
    ...['response.completed', 'response.done', 'response.incomplete', 'response.cancelled', 'response.failed', 'error'],
  ],
  raw: [
    {
      why: 'the state of a hosted tool, whose call is its item',
      words: [
        'response.file_search_call.in_progress',
        'response.file_search_call.searching',
        'response.file_search_call.completed',
        'response.web_search_call.in_progress',
        'response.web_search_call.searching',
        'response.web_search_call.completed',
        'response.code_interpreter_call.in_progress',
        'response.code_interpreter_call.interpreting',
        'response.code_interpreter_call.completed',
        'response.image_generation_call.in_progress',
        'response.image_generation_call.generating',
        'response.image_generation_call.completed',
        'response.mcp_call.in_progress',
        'response.mcp_call.completed',
        'response.mcp_call.failed',
        'response.mcp_list_tools.in_progress',
        'response.mcp_list_tools.completed',
        'response.mcp_list_tools.failed',
      ],
    },
    {
      why: 'a part of arguments that are no JSON text; the finished item has them whole',
      words: [
        'response.code_interpreter_call_code.delta',
        'response.code_interpreter_call_code.done',
        'response.shell_call_command.added',
        'response.shell_call_command.delta',
        'response.shell_call_command.done',
        'response.apply_patch_call_operation_diff.done',
      ],
    },
    {
      why: 'a result that is not whole; the finished item has it',
      words: ['response.shell_call_output_content.delta', 'response.shell_call_output_content.done'],
    },
    {
      why: 'names no item and no format, and no model sends it',
      words: [
        'response.audio.delta',
        'response.audio.done',
        'response.audio.transcript.delta',
        'response.audio.transcript.done',
      ],
    },
    { why: 'a state of the conversation, not of the answer', words: ['response.compaction.compacting'] },
    {
      why: 'says what became of a message of the client, over a WebSocket',
      words: [
        'response.steer.accepted',
        'response.steer.pending',
        'response.steer.failed',
        'response.inject.created',
        'response.inject.failed',
      ],
    },
  ],
  elsewhere: [
    {
      source: 'a stream of OpenRouter and LM Studio',
      words: ['response.reasoning_part.added', 'response.reasoning_part.done'],
    },
    {
      source: 'a stream of OpenAI with the tool apply_patch',
      words: ['response.apply_patch_call_operation_diff.delta', 'response.apply_patch_call_operation_diff.done'],
    },
    { source: 'a stream of xAI', words: ['response.done'] },
    { source: 'the status of a cancelled response', words: ['response.cancelled'] },
  ],
} as const satisfies WordList;

/** `type` of an output item. */
export const ITEMS = {
  mapped: [
    ...['message', 'reasoning', 'function_call', 'custom_tool_call', 'computer_call', 'local_shell_call', 'shell_call'],
    ...['apply_patch_call', 'tool_search_call', 'mcp_approval_request', 'mcp_call', 'web_search_call'],
    ...['file_search_call', 'code_interpreter_call', 'image_generation_call', 'program', 'program_output'],
    ...['tool_search_output', 'function_call_output', 'custom_tool_call_output', 'computer_call_output'],
    ...['local_shell_call_output', 'shell_call_output', 'apply_patch_call_output', 'multi_agent_call_output'],
  ],
  raw: [
    { why: 'for the next turn only', words: ['compaction'] },
    { why: 'a list of tools', words: ['mcp_list_tools', 'additional_tools'] },
    { why: 'written by the client', words: ['mcp_approval_response'] },
    { why: 'between agents', words: ['agent_message', 'multi_agent_call'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of a part of a message or of reasoning. */
export const PARTS = {
  mapped: ['output_text', 'refusal', 'reasoning_text', 'summary_text'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `type` of an annotation of a text. */
export const ANNOTATIONS = {
  mapped: ['file_citation', 'url_citation', 'container_file_citation', 'file_path'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `reason` of an incomplete response. */
export const REASONS = {
  mapped: ['max_output_tokens', 'content_filter', 'max_messages', 'steered'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;
