import type { WordList } from './wordList';

/** `type` of an event. */
export const EVENTS = {
  mapped: [
    ...['response.created', 'response.output_item.added', 'response.output_item.done', 'response.content_part.done'],
    ...['response.output_text.delta', 'response.output_text.done'],
    ...['response.output_audio.delta', 'response.output_audio_transcript.delta'],
    ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
    ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done', 'response.done'],
    ...['response.text.delta', 'response.text.done', 'response.audio.delta', 'response.audio_transcript.delta'],
  ],
  raw: [
    {
      why: 'says what the event before or after it says',
      words: [
        'response.content_part.added',
        'response.output_audio.done',
        'response.output_audio_transcript.done',
        'response.audio.done',
        'response.audio_transcript.done',
      ],
    },
    { why: 'refuses a message of the client; the response goes on', words: ['error'] },
    {
      why: 'the state of a hosted tool, whose call is its item',
      words: ['response.mcp_call.in_progress', 'response.mcp_call.completed', 'response.mcp_call.failed'],
    },
    {
      why: 'a list of tools',
      words: ['mcp_list_tools.in_progress', 'mcp_list_tools.completed', 'mcp_list_tools.failed'],
    },
    { why: 'of the session', words: ['session.created', 'session.updated', 'rate_limits.updated'] },
    {
      why: 'of the conversation, whose items are those of responses and of the user',
      words: [
        'conversation.created',
        'conversation.item.created',
        'conversation.item.added',
        'conversation.item.done',
        'conversation.item.deleted',
        'conversation.item.retrieved',
        'conversation.item.truncated',
      ],
    },
    {
      why: 'of what the user says',
      words: [
        'conversation.item.input_audio_transcription.delta',
        'conversation.item.input_audio_transcription.segment',
        'conversation.item.input_audio_transcription.completed',
        'conversation.item.input_audio_transcription.failed',
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'input_audio_buffer.cleared',
        'input_audio_buffer.timeout_triggered',
        'input_audio_buffer.dtmf_event_received',
      ],
    },
    {
      why: 'of the loudspeaker',
      words: ['output_audio_buffer.started', 'output_audio_buffer.stopped', 'output_audio_buffer.cleared'],
    },
  ],
  elsewhere: [
    {
      source: 'the beta, openai 6.49.0',
      words: [
        'response.text.delta',
        'response.text.done',
        'response.audio.delta',
        'response.audio.done',
        'response.audio_transcript.delta',
        'response.audio_transcript.done',
      ],
    },
  ],
} as const satisfies WordList;

/** `type` of an item. */
export const ITEMS = {
  mapped: ['message', 'function_call', 'mcp_call'],
  raw: [
    { why: 'written by the client', words: ['function_call_output', 'mcp_approval_response'] },
    { why: 'a list of tools', words: ['mcp_list_tools'] },
    { why: 'asks the user, not the model', words: ['mcp_approval_request'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `reason` in the details of a status. */
export const REASONS = {
  mapped: ['max_output_tokens', 'content_filter', 'turn_detected', 'client_cancelled'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;
