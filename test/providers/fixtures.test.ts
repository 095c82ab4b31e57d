import { isModelStreamError, type Frame, type ModelEvent, type Provider } from 'rx-model-stream';
import {
  anthropic,
  bedrockConverse,
  cohere,
  gemini,
  geminiInteractions,
  geminiLive,
  lyria,
  ollama,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  replicate,
  watsonxText,
  writerCompletions,
  xai,
} from 'rx-model-stream/providers';
import { DONE, payloadOf, type Payload } from '../../src/payload';
import {
  eventsFileOf,
  expectedEventsOf,
  fixtureFiles,
  fixturesOf,
  fixtureText,
  framingOf,
  type WireSample,
} from '../support/fixtures';
import { framesIn, readBody } from '../support/frames';

interface Folder {
  readonly provider: Provider;
  /** Where its streams are. Default: the name of the provider. */
  readonly folder?: string;
  /** Every word of the protocol that stands in a `type` or `event_type` field: events, items, blocks, parts, deltas, citations. */
  readonly types: readonly string[];
  /** Every field of payloads that have no type and are told by their fields. */
  readonly fields?: readonly string[];
  /** Every word of the protocol that stands in a `status` field. */
  readonly statuses?: readonly string[];
  /** Every name of a frame, where it alone says what the payload is. */
  readonly names?: readonly string[];
  /** Finds a line end that the stream of this name cannot have. Default: a carriage return. */
  readonly strangeLineEnd?: (name: string) => RegExp;
}

const CARRIAGE_RETURN = /\r/;
const LINE_FEED_ALONE = /(?<!\r)\n/;

/** What Gemini runs itself in Interactions. */
const HOSTED_TOOLS = [
  ...['code_execution', 'file_search', 'google_maps', 'google_search', 'mcp_server_tool', 'processing', 'retrieval'],
  'url_context',
];

const FOLDERS: readonly Folder[] = [
  {
    provider: anthropic(),
    types: [
      ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta'],
      ...['message_stop', 'ping', 'error', 'vertex_event'],
      ...['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use'],
      ...['web_search_tool_result', 'web_fetch_tool_result', 'code_execution_tool_result'],
      ...['bash_code_execution_tool_result', 'text_editor_code_execution_tool_result', 'tool_search_tool_result'],
      ...['mcp_tool_result', 'advisor_tool_result'],
      ...['container_upload', 'compaction', 'fallback', 'mcp_tool_listing'],
      ...['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta', 'citations_delta', 'compaction_delta'],
      ...['char_location', 'page_location', 'content_block_location', 'web_search_result_location'],
      'search_result_location',
    ],
  },
  {
    provider: openaiResponses(),
    types: [
      ...['response.created', 'response.queued', 'response.in_progress', 'response.completed', 'response.incomplete'],
      ...['response.failed', 'response.cancelled', 'error', 'keepalive', 'response.compaction.compacting'],
      ...['response.output_item.added', 'response.output_item.done'],
      ...['response.content_part.added', 'response.content_part.done'],
      ...['response.reasoning_part.added', 'response.reasoning_part.done'],
      ...['response.output_text.delta', 'response.output_text.done', 'response.output_text.annotation.added'],
      ...['response.refusal.delta', 'response.refusal.done'],
      ...['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'],
      ...['response.reasoning_summary_text.delta', 'response.reasoning_summary_text.done'],
      ...['response.reasoning_text.delta', 'response.reasoning_text.done'],
      ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
      ...['response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done'],
      ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done'],
      ...['response.code_interpreter_call_code.delta', 'response.code_interpreter_call_code.done'],
      ...['response.shell_call_command.added', 'response.shell_call_command.delta', 'response.shell_call_command.done'],
      ...['response.shell_call_output_content.delta', 'response.shell_call_output_content.done'],
      ...['response.apply_patch_call_operation_diff.delta', 'response.apply_patch_call_operation_diff.done'],
      ...['in_progress', 'searching', 'completed'].map((status) => `response.file_search_call.${status}`),
      ...['in_progress', 'searching', 'completed'].map((status) => `response.web_search_call.${status}`),
      ...['in_progress', 'interpreting', 'completed'].map((status) => `response.code_interpreter_call.${status}`),
      ...['in_progress', 'generating', 'completed'].map((status) => `response.image_generation_call.${status}`),
      ...['in_progress', 'completed', 'failed'].map((status) => `response.mcp_call.${status}`),
      ...['in_progress', 'completed', 'failed'].map((status) => `response.mcp_list_tools.${status}`),
      'response.image_generation_call.partial_image',
      ...['response.audio.delta', 'response.audio.done'],
      ...['response.audio.transcript.delta', 'response.audio.transcript.done'],
      ...['message', 'reasoning', 'compaction', 'program', 'mcp_list_tools', 'mcp_call', 'mcp_approval_request'],
      ...['function_call', 'custom_tool_call', 'computer_call', 'local_shell_call', 'shell_call', 'apply_patch_call'],
      ...['tool_search_call', 'web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
      ...['shell_call_output', 'tool_search_output', 'program_output', 'function_call_output'],
      ...['custom_tool_call_output', 'computer_call_output', 'local_shell_call_output', 'apply_patch_call_output'],
      ...['mcp_approval_response', 'additional_tools', 'agent_message', 'multi_agent_call', 'multi_agent_call_output'],
      ...['output_text', 'refusal', 'reasoning_text', 'summary_text'],
      ...['file_citation', 'url_citation', 'container_file_citation', 'file_path'],
    ],
  },
  {
    provider: openaiChat(),
    types: [
      ...['function', 'custom', 'url_citation', 'text', 'thinking', 'reference', 'image_url', 'document_url', 'file'],
      ...['reasoning.text', 'reasoning.summary', 'reasoning.encrypted', 'reasoning.server_tool_call'],
    ],
    fields: [
      ...['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'choices', 'usage', 'obfuscation'],
      ...['error', 'citations', 'search_results', 'moderation', 'x_groq', 'provider', 'user_id', 'p', 'timings'],
      ...['time_info', 'latency_checkpoint', 'copilot_usage', 'generationId', 'prompt_filter_results'],
      'prompt_annotations',
      ...['index', 'delta', 'message', 'finish_reason', 'native_finish_reason', 'stop_reason', 'logprobs', 'text'],
      ...['seed', 'content_filter_results', 'content_filter_offsets', 'content_filter_raw'],
      ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'audio', 'annotations', 'images', 'token_id'],
      ...['reasoning', 'reasoning_content', 'reasoning_details', 'executed_tools', 'provider_metadata', 'channel'],
      ...['extra_content', 'usage_breakdown'],
      ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_tokens_details', 'completion_tokens_details'],
      ...['prompt_token_details', 'num_cached_tokens', 'cached_tokens', 'prompt_cache_hit_tokens', 'cost'],
      ...['cost_in_usd_ticks', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
    ],
    strangeLineEnd: (name) => (name === 'perplexity.sse' ? LINE_FEED_ALONE : CARRIAGE_RETURN),
  },
  {
    provider: xai(),
    types: [
      ...['response.created', 'response.in_progress', 'response.completed', 'response.done', 'response.incomplete'],
      ...['response.failed', 'error'],
      ...['in_progress', 'searching', 'completed'].map((status) => `response.x_search_call.${status}`),
      ...['in_progress', 'executing', 'completed'].map((status) => `response.code_execution_call.${status}`),
      ...['response.code_interpreter_call.executing', 'response.mcp_call.executing'],
      ...['response.mcp_call_output.delta', 'response.mcp_call_output.done'],
      ...['message', 'reasoning', 'function_call', 'custom_tool_call', 'mcp_call', 'web_search_call', 'x_search_call'],
      ...['code_interpreter_call', 'code_execution_call', 'view_image_call', 'view_x_video_call'],
      ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta'],
      ...['message_stop', 'ping', 'function'],
    ],
    fields: ['choices', 'reasoning_content', 'tool_calls', 'citations', 'num_sources_used', 'cost_in_usd_ticks'],
  },
  {
    provider: geminiInteractions(),
    types: [
      ...['interaction.created', 'interaction.status_update', 'interaction.in_progress', 'interaction.requires_action'],
      ...['interaction.completed', 'step.start', 'step.delta', 'step.stop', 'error'],
      ...['interaction.start', 'interaction.complete', 'content.start', 'content.delta', 'content.stop'],
      ...['model_output', 'thought', 'function_call', 'function_result', 'user_input'],
      ...HOSTED_TOOLS.flatMap((tool) => [`${tool}_call`, `${tool}_result`]),
      ...['text', 'image', 'audio', 'video', 'document', 'thought_summary', 'thought_signature', 'arguments_delta'],
      ...['text_annotation_delta', 'text_annotation', 'url_citation', 'file_citation', 'place_citation'],
    ],
    fields: [
      ...['event_id', 'interaction', 'interaction_id', 'id', 'object', 'model', 'agent', 'created', 'updated'],
      ...['service_tier', 'status', 'usage', 'steps', 'outputs', 'continuation_token', 'error', 'code', 'message'],
      ...['index', 'step', 'delta', 'content', 'step_usage', 'metadata', 'total_usage', 'summary', 'signature'],
      ...['name', 'arguments', 'call_id', 'result', 'is_error', 'server_name', 'search_type', 'retrieval_type'],
      ...['text', 'data', 'uri', 'mime_type', 'resolution', 'sample_rate', 'channels'],
      ...['annotations', 'start_index', 'end_index', 'url', 'title', 'document_uri', 'file_name', 'source'],
      ...['page_number', 'place_id', 'review_snippets'],
      ...['total_input_tokens', 'total_cached_tokens', 'total_output_tokens', 'total_thought_tokens'],
      ...['total_tool_use_tokens', 'total_tokens', 'input_tokens_by_modality', 'output_tokens_by_modality'],
      ...['tool_use_tokens_by_modality', 'cached_tokens_by_modality', 'grounding_tool_count'],
      ...['initial_input_tokens', 'raw_prompt_token'],
    ],
    statuses: [
      ...['queued', 'in_progress', 'completed', 'requires_action', 'incomplete', 'requires_continuation'],
      ...['budget_exceeded', 'failed', 'cancelled'],
    ],
  },
  {
    provider: bedrockConverse(),
    types: ['tool_use', 'server_tool_use', 'nova_code_interpreter_result'],
    fields: [
      ...['p', 'role', 'contentBlockIndex', 'start', 'delta', 'stopReason', 'additionalModelResponseFields'],
      ...['toolUse', 'toolUseId', 'name', 'type', 'input', 'toolResult', 'status', 'json', 'text'],
      ...['image', 'format', 'source', 'bytes', 's3Location', 'uri', 'error'],
      ...['reasoningContent', 'signature', 'redactedContent'],
      ...['citation', 'title', 'sourceContent', 'location', 'web', 'url', 'domain', 'documentChar', 'documentPage'],
      ...['documentChunk', 'searchResultLocation', 'documentIndex', 'searchResultIndex'],
      ...['usage', 'inputTokens', 'outputTokens', 'totalTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
      ...['cacheDetails', 'serverToolUsage', 'metrics', 'latencyMs', 'trace', 'guardrail', 'performanceConfig'],
      ...['serviceTier', 'message', 'originalStatusCode', 'originalMessage', 'code'],
    ],
    names: [
      ...['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata'],
      ...['internalServerException', 'modelStreamErrorException', 'serviceUnavailableException'],
      ...['throttlingException', 'validationException', 'error'],
    ],
  },
  {
    provider: geminiLive(),
    types: [],
    fields: [
      ...['setupComplete', 'sessionId', 'serverContent', 'modelTurn', 'parts', 'text', 'thought', 'inlineData'],
      ...['executableCode', 'codeExecutionResult', 'outputTranscription', 'finished', 'languageCode'],
      ...['inputTranscription', 'interimInputTranscription', 'generationComplete', 'turnComplete'],
      ...['turnCompleteReason', 'interrupted', 'waitingForInput', 'interactionStatus', 'groundingMetadata'],
      ...['toolCall', 'functionCalls', 'id', 'name', 'args', 'toolCallCancellation', 'ids', 'usageMetadata'],
      ...['promptTokenCount', 'responseTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'],
      ...['toolUsePromptTokenCount', 'cachedContentTokenCount', 'totalTokenCount', 'trafficType'],
      ...['goAway', 'timeLeft', 'sessionResumptionUpdate', 'newHandle', 'resumable'],
      ...['lastConsumedClientMessageIndex', 'voiceActivity', 'voiceActivityDetectionSignal', 'error'],
    ],
  },
  {
    provider: lyria(),
    types: [],
    fields: ['setupComplete', 'serverContent', 'audioChunks', 'data', 'mimeType', 'sourceMetadata', 'filteredPrompt'],
  },
  {
    provider: openaiRealtime(),
    types: [
      ...['session.created', 'session.updated', 'conversation.created', 'error', 'rate_limits.updated'],
      ...['added', 'done', 'created', 'retrieved', 'deleted', 'truncated'].map((state) => `conversation.item.${state}`),
      ...['delta', 'completed', 'failed', 'segment'].map(
        (state) => `conversation.item.input_audio_transcription.${state}`,
      ),
      ...['committed', 'cleared', 'speech_started', 'speech_stopped', 'timeout_triggered', 'dtmf_event_received'].map(
        (state) => `input_audio_buffer.${state}`,
      ),
      ...['started', 'stopped', 'cleared'].map((state) => `output_audio_buffer.${state}`),
      ...['response.created', 'response.done', 'response.output_item.added', 'response.output_item.done'],
      ...['response.content_part.added', 'response.content_part.done'],
      ...['response.output_text.delta', 'response.output_text.done'],
      ...['response.output_audio_transcript.delta', 'response.output_audio_transcript.done'],
      ...['response.output_audio.delta', 'response.output_audio.done'],
      ...['response.function_call_arguments.delta', 'response.function_call_arguments.done'],
      ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done'],
      ...['in_progress', 'completed', 'failed'].map((state) => `response.mcp_call.${state}`),
      ...['in_progress', 'completed', 'failed'].map((state) => `mcp_list_tools.${state}`),
      // the beta
      ...['response.text.delta', 'response.text.done', 'response.audio.delta', 'response.audio.done'],
      ...['response.audio_transcript.delta', 'response.audio_transcript.done', 'transcription_session.updated'],
      // xAI
      'ping',
      // OpenAI Live and translations
      ...['session.started', 'session.input_audio.muted', 'session.input_audio.unmuted', 'session.input_audio.append'],
      ...['session.output_audio.fixture.playing', 'session.output_audio.fixture.played', 'session.output_audio.delta'],
      ...['session.instructions.appended', 'session.thinking.appended', 'session.commentary.appended'],
      ...['session.input_transcript.delta', 'session.output_transcript.delta', 'session.delegation.created'],
      ...['decision.event', 'decision.item.created', 'decision.item.deleted', 'response.event', 'info'],
      ...['session.usage.updated', 'session.closed'],
      ...['transport.dtmf.received', 'transport.dtmf.send', 'transport.dtmf.sent'],
      ...['transport.ringing', 'transport.answered', 'transport.failed'],
      ...['message', 'function_call', 'function_call_output', 'mcp_call', 'mcp_approval_request', 'mcp_list_tools'],
      ...['text', 'audio', 'output_text', 'output_audio'],
    ],
    statuses: ['in_progress', 'completed', 'incomplete', 'cancelled', 'failed'],
    fields: [
      ...['phase', 'status_details', 'output_audio_format', 'cached_tokens', 'reasoning_tokens'],
      ...['output_audio_seconds', 'billable_audio_seconds', 'previous_item_id'],
    ],
  },
  {
    provider: openaiResponses({ session: true }),
    folder: 'openai-responses-session',
    types: [
      ...['response.created', 'response.completed', 'response.incomplete', 'response.failed', 'error', 'keepalive'],
      ...['response.steer.accepted', 'response.steer.pending', 'response.steer.failed'],
      ...['response.inject.created', 'response.inject.failed'],
    ],
    fields: ['stream_id', 'status', 'status_code', 'previous_response_id'],
  },
  {
    provider: xai({ session: true }),
    folder: 'xai-session',
    types: ['response.created', 'response.completed', 'response.done', 'api_error'],
  },
  {
    provider: gemini(),
    types: [],
    fields: [
      ...['candidates', 'promptFeedback', 'usageMetadata', 'responseId', 'modelVersion', 'createTime', 'modelStatus'],
      ...['error', 'code', 'message', 'status', 'details', 'retryDelay', 'blockReason', 'blockReasonMessage'],
      ...['content', 'finishReason', 'finishMessage', 'continuationToken', 'index', 'safetyRatings', 'avgLogprobs'],
      ...['logprobsResult', 'tokenCount', 'citationMetadata', 'groundingMetadata', 'urlContextMetadata'],
      ...['role', 'parts', 'thought', 'thoughtSignature', 'text', 'functionCall', 'functionResponse'],
      ...['toolCall', 'toolResponse', 'executableCode', 'codeExecutionResult', 'inlineData', 'fileData'],
      ...['audioTranscription', 'videoMetadata', 'mediaResolution', 'mediaProcessing', 'partMetadata'],
      ...['speechMetadata', 'id', 'name', 'args', 'partialArgs', 'willContinue', 'jsonPath', 'stringValue'],
      ...['numberValue', 'boolValue', 'nullValue', 'toolType', 'response', 'language', 'outcome', 'output'],
      ...['mimeType', 'data', 'fileUri'],
      ...['citationSources', 'citations', 'startIndex', 'endIndex', 'uri', 'title', 'license', 'publicationDate'],
      ...['groundingChunks', 'groundingSupports', 'searchEntryPoint', 'webSearchQueries', 'retrievalMetadata'],
      ...['googleMapsWidgetContextToken', 'web', 'maps', 'retrievedContext', 'image', 'placeId', 'documentName'],
      ...['segment', 'partIndex', 'groundingChunkIndices', 'confidenceScores', 'urlMetadata'],
      ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount'],
      ...['cachedContentTokenCount', 'totalTokenCount', 'promptTokensDetails', 'candidatesTokensDetails'],
      ...['cacheTokensDetails', 'toolUsePromptTokensDetails', 'trafficType', 'serviceTier', 'initialPromptTokenCount'],
    ],
    // JSON that stands outside of events has line feeds; between the elements of an array there is one of each.
    strangeLineEnd: (name) => (name.endsWith('.json') ? /(?<!,)\r|\r(?!\n)/ : /^(?:data:.*)?(?<!\r)\n/m),
  },
  {
    provider: ollama(),
    types: [],
    fields: [
      ...['model', 'created_at', 'remote_model', 'remote_host', 'message', 'response', 'thinking', 'image', 'done'],
      ...['done_reason', 'context', 'completed', 'total', 'logprobs', 'error'],
      ...['total_duration', 'load_duration', 'prompt_eval_count', 'prompt_eval_duration'],
      ...['eval_count', 'eval_duration'],
      ...['role', 'content', 'images', 'tool_calls', 'id', 'function', 'index', 'name', 'arguments'],
      ...['token', 'logprob', 'top_logprobs'],
    ],
  },
  {
    provider: cohere(),
    types: [
      ...['message-start', 'content-start', 'content-delta', 'content-end', 'tool-plan-delta', 'message-end', 'debug'],
      ...['tool-call-start', 'tool-call-delta', 'tool-call-end', 'citation-start', 'citation-end'],
      ...['text', 'thinking', 'function', 'document', 'tool', 'TEXT_CONTENT', 'THINKING_CONTENT', 'PLAN'],
    ],
  },
  { provider: replicate(), types: [] },
  {
    provider: watsonxText(),
    types: [],
    fields: [
      ...['model_id', 'created_at', 'results', 'system', 'errors', 'trace', 'status_code'],
      ...['generated_text', 'generated_token_count', 'input_token_count', 'stop_reason', 'code', 'message'],
    ],
  },
  { provider: writerCompletions(), types: [], fields: ['value', 'tpe', 'errors', 'description', 'key'] },
];

/** Where a payload says what it is. */
const TYPE_FIELDS = ['event_type', 'type'] as const;

const TITLED = FOLDERS.map((folder) => [folder.folder ?? folder.provider.name, folder] as const);

describe.each(TITLED)('fixtures/%s', (name, folder) => {
  const samples = fixturesOf(name);
  const rows = samples.map((sample) => [sample.name, sample] as const);

  it('has the expected events beside each stream, and nothing else', () => {
    const streams = samples.map((sample) => sample.name);
    expect(fixtureFiles(name)).toEqual([...new Set([...streams, ...streams.map(eventsFileOf)])].sort());
  });

  it('has every event, item, block, part, delta, citation and field of the protocol', () => {
    const payloads = samples.flatMap((sample) => payloadsIn(folder.provider, sample)).map(({ value }) => value);
    const types = new Set(payloads.flatMap((payload) => wordsIn(payload, 'type', 'event_type')));
    const fields = new Set(payloads.flatMap(fieldsIn));
    expect(folder.types.filter((type) => !types.has(type))).toEqual([]);
    expect((folder.fields ?? []).filter((field) => !fields.has(field))).toEqual([]);
    const statuses = new Set(payloads.flatMap((payload) => wordsIn(payload, 'status')));
    expect((folder.statuses ?? []).filter((status) => !statuses.has(status))).toEqual([]);
    const names = new Set(samples.flatMap(framesOfSample).map((frame) => 'name' in frame && frame.name));
    expect((folder.names ?? []).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(rows)('%s is written as the provider writes: line ends, names that repeat the type', (_name, sample) => {
    const text = fixtureText(`${name}/${sample.name}`);
    expect(text).not.toContain('\uFEFF');
    expect(text).not.toMatch(folder.strangeLineEnd?.(sample.name) ?? CARRIAGE_RETURN);
    for (const { name: eventName, value } of namedPayloadsIn(folder.provider, sample)) {
      const field = TYPE_FIELDS.find((name) => name in value);
      const isUntyped = field === undefined && folder.fields !== undefined;
      if (!isUntyped) expect(value).toMatchObject({ [field ?? 'type']: eventName });
    }
  });

  it.each(rows)('%s means its expected events', (_name, sample) => {
    const { events, error } = readBody(folder.provider, framingOf(sample), [sample.bytes()]);
    const failure = error === undefined ? [] : [{ error: factsOf(error) }];
    expect([...events.map(asWritten), ...failure]).toStrictEqual(expectedEventsOf(name, sample));
  });
});

/** The failure of a response in a session stands in its ending. */
function asWritten(event: ModelEvent): unknown {
  return event.type === 'finish' && event.error ? { ...event, error: factsOf(event.error) } : event;
}

/** Of a failure, what the files say. */
function factsOf(error: unknown): Record<string, unknown> {
  if (!isModelStreamError(error)) return { error };
  const { code, providerCode, retryable } = error;
  return { code, ...(providerCode !== undefined && { providerCode }), retryable };
}

function framesOfSample(sample: WireSample): Frame[] {
  return framesIn(framingOf(sample), sample.bytes());
}

/** What a stream holds, the sentinel aside. */
function payloadsIn(provider: Provider, sample: WireSample): Payload[] {
  return framesOfSample(sample).flatMap((frame) => payloadsOf(provider, frame));
}

function payloadsOf({ eventData }: Provider, frame: Frame): Payload[] {
  const isWhole = frame.type === 'json' || (frame.type === 'sse' && !frame.incomplete);
  const payload = isWhole ? payloadOf(frame, eventData) : undefined;
  return payload === undefined || payload.value === DONE ? [] : [payload];
}

/** The payloads of events with an `event:` line: there the payload has a type of its own. */
function namedPayloadsIn(provider: Provider, sample: WireSample): { readonly name: string; readonly value: object }[] {
  return framesOfSample(sample)
    .filter(({ type }) => type === 'sse')
    .flatMap((frame) => payloadsOf(provider, frame))
    .flatMap(({ name, value }) =>
      name !== undefined && typeof value === 'object' && value !== null ? [{ name, value }] : [],
    );
}

/** The names of all fields, at any depth. */
function fieldsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(fieldsIn)];
}

/** The texts of all fields of these names, at any depth. */
function wordsIn(value: unknown, ...names: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    typeof entry === 'string' && names.includes(name) ? [entry] : wordsIn(entry, ...names),
  );
}
