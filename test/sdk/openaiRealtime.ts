import type { WordList } from './wordList';

/** Types of the events that a service sends: Realtime, translations and Live. */
export const EVENTS = {
  mapped: [
    ...['session.created', 'session.updated', 'response.created', 'response.done'],
    ...['response.output_item.added', 'response.output_item.done'],
    ...['response.content_part.added', 'response.content_part.done'],
    ...['response.output_text.delta', 'response.output_text.done', 'response.output_audio.delta'],
    ...['response.output_audio_transcript.delta', 'response.output_audio_transcript.done'],
    ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
    ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done'],
    ...['response.text.delta', 'response.text.done', 'response.audio.delta'],
    ...['response.audio_transcript.delta', 'response.audio_transcript.done', 'response.event'],
  ],
  raw: [
    {
      why: 'tells of the conversation, which is no answer',
      words: [
        ...['conversation.created', 'conversation.item.added', 'conversation.item.created', 'conversation.item.done'],
        ...['conversation.item.retrieved', 'conversation.item.deleted', 'conversation.item.truncated'],
      ],
    },
    {
      why: 'tells of what the user says',
      words: [
        'conversation.item.input_audio_transcription.delta',
        'conversation.item.input_audio_transcription.completed',
        'conversation.item.input_audio_transcription.failed',
        'conversation.item.input_audio_transcription.segment',
        ...['input_audio_buffer.committed', 'input_audio_buffer.cleared', 'input_audio_buffer.speech_started'],
        ...['input_audio_buffer.speech_stopped', 'input_audio_buffer.timeout_triggered'],
        ...['input_audio_buffer.dtmf_event_received', 'session.input_audio.append', 'session.input_transcript.delta'],
        ...['session.input_audio.muted', 'session.input_audio.unmuted', 'transport.dtmf.received'],
      ],
    },
    {
      why: 'tells of what is played or of the connection',
      words: [
        ...['output_audio_buffer.started', 'output_audio_buffer.stopped', 'output_audio_buffer.cleared'],
        ...['rate_limits.updated', 'error', 'info', 'session.usage.updated', 'session.closed', 'session.started'],
        ...['session.output_audio.fixture.playing', 'session.output_audio.fixture.played'],
        ...[
          'transport.dtmf.send',
          'transport.dtmf.sent',
          'transport.ringing',
          'transport.answered',
          'transport.failed',
        ],
      ],
    },
    {
      why: 'belongs to no response: a translation and a Live session have no turns',
      words: [
        ...['session.output_audio.delta', 'session.output_transcript.delta', 'session.delegation.created'],
        ...['session.instructions.appended', 'session.thinking.appended', 'session.commentary.appended'],
        ...['decision.event', 'decision.item.created', 'decision.item.deleted'],
      ],
    },
    {
      why: 'says nothing that the item does not say',
      words: [
        ...['response.output_audio.done', 'response.audio.done'],
        ...['response.mcp_call.in_progress', 'response.mcp_call.completed', 'response.mcp_call.failed'],
      ],
    },
    {
      why: 'tells which tools there are, or how the user is heard',
      words: [
        ...['mcp_list_tools.in_progress', 'mcp_list_tools.completed', 'mcp_list_tools.failed'],
        'transcription_session.updated',
      ],
    },
  ],
  elsewhere: [
    {
      source: 'the beta, in types of openai 6.49.0',
      words: [
        ...['response.text.delta', 'response.text.done', 'response.audio.delta', 'response.audio.done'],
        ...['response.audio_transcript.delta', 'response.audio_transcript.done', 'transcription_session.updated'],
      ],
    },
  ],
} as const satisfies WordList;

/** Types of items. */
export const ITEMS = {
  mapped: ['message', 'function_call', 'mcp_call', 'mcp_approval_request'],
  raw: [
    { why: 'the client gave it', words: ['function_call_output', 'mcp_approval_response'] },
    { why: 'tells which tools there are', words: ['mcp_list_tools'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** Types of the parts of a message of the model. */
export const PARTS = {
  mapped: ['text', 'audio', 'output_text', 'output_audio'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `status_details.reason` of a response that is incomplete. */
export const INCOMPLETE_REASONS = {
  mapped: ['max_output_tokens', 'content_filter'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `status_details.reason` of a response that was cancelled. */
export const CANCELLED_REASONS = {
  mapped: ['turn_detected', 'client_cancelled'],
  raw: [],
  elsewhere: [],
} as const satisfies WordList;

/** `status` of a response that has ended. */
export const STATUSES = {
  mapped: ['completed', 'cancelled', 'failed'],
  raw: [
    { why: 'without its reason', words: ['incomplete'] },
    { why: 'never that of an ending', words: ['in_progress'] },
  ],
  elsewhere: [],
} as const satisfies WordList;
