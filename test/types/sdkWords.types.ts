import type Anthropic from '@anthropic-ai/sdk';
import type {
  BlockedReason,
  Candidate,
  FinishReason,
  GenerateContentResponse,
  Interactions,
  LiveMusicServerContent,
  LiveMusicServerMessage,
  LiveServerContent,
  LiveServerMessage,
  Part,
  TurnCompleteReason,
} from '@google/genai';
import type OpenAI from 'openai';
import type * as anthropic from '../sdk/anthropic';
import type * as gemini from '../sdk/gemini';
import type * as geminiInteractions from '../sdk/geminiInteractions';
import type * as geminiLive from '../sdk/geminiLive';
import type * as lyria from '../sdk/lyria';
import type * as openaiChat from '../sdk/openaiChat';
import type * as openaiRealtime from '../sdk/openaiRealtime';
import type * as openaiResponses from '../sdk/openaiResponses';
import type { Difference } from '../sdk/wordList';

/** Compiles only when nothing differs; otherwise the message names the words. */
type None<Differences extends never> = Differences;

// OpenAI Responses, over HTTP and over a WebSocket, betas included.
type ResponsesEvent =
  | OpenAI.Responses.ResponseStreamEvent
  | OpenAI.Responses.ResponsesServerEvent
  | OpenAI.Beta.BetaResponseStreamEvent
  | OpenAI.Beta.BetaResponsesServerEvent;
type ResponsesItem = OpenAI.Responses.ResponseOutputItem | OpenAI.Beta.BetaResponseOutputItem;
type ResponsesPart =
  | OpenAI.Responses.ResponseContentPartAddedEvent['part']
  | OpenAI.Responses.ResponseReasoningSummaryPartAddedEvent['part']
  | OpenAI.Responses.ResponseOutputMessage['content'][number]
  | NonNullable<OpenAI.Responses.ResponseReasoningItem['content']>[number]
  | OpenAI.Responses.ResponseReasoningItem['summary'][number];
type ResponsesAnnotation =
  | NonNullable<OpenAI.Responses.ResponseOutputTextAnnotationAddedEvent['annotation']>
  | OpenAI.Responses.ResponseOutputText['annotations'][number];
type ResponsesReason = NonNullable<OpenAI.Responses.Response.IncompleteDetails['reason']>;

export type OpenAIResponsesWords = [
  None<Difference<ResponsesEvent['type'], typeof openaiResponses.EVENTS>>,
  None<Difference<ResponsesItem['type'], typeof openaiResponses.ITEMS>>,
  None<Difference<ResponsesPart['type'], typeof openaiResponses.PARTS>>,
  None<Difference<ResponsesAnnotation['type'], typeof openaiResponses.ANNOTATIONS>>,
  None<Difference<ResponsesReason, typeof openaiResponses.REASONS>>,
];

// OpenAI Realtime, with translations and Live. How a response ended is one type there, two lists here.
type RealtimeEvent =
  OpenAI.Realtime.RealtimeServerEvent | OpenAI.Realtime.RealtimeTranslationServerEvent | OpenAI.Live.ServerEvent;
type RealtimePart =
  OpenAI.Realtime.ResponseContentPartAddedEvent.Part | OpenAI.Realtime.RealtimeConversationItemAssistantMessage.Content;
type RealtimeReason = NonNullable<OpenAI.Realtime.RealtimeResponseStatus['reason']>;
type IncompleteReason = (typeof openaiRealtime.INCOMPLETE_REASONS)['mapped'][number];
type CancelledReason = (typeof openaiRealtime.CANCELLED_REASONS)['mapped'][number];

export type OpenAIRealtimeWords = [
  None<Difference<RealtimeEvent['type'], typeof openaiRealtime.EVENTS>>,
  None<Difference<OpenAI.Realtime.ConversationItem['type'], typeof openaiRealtime.ITEMS>>,
  None<Difference<NonNullable<RealtimePart['type']>, typeof openaiRealtime.PARTS>>,
  None<Difference<Exclude<RealtimeReason, CancelledReason>, typeof openaiRealtime.INCOMPLETE_REASONS>>,
  None<Difference<Exclude<RealtimeReason, IncompleteReason>, typeof openaiRealtime.CANCELLED_REASONS>>,
  None<Difference<NonNullable<OpenAI.Realtime.RealtimeResponse['status']>, typeof openaiRealtime.STATUSES>>,
];

// OpenAI Chat Completions, whose chunks are told by their fields.
type ChatChoice = OpenAI.ChatCompletionChunk.Choice;

export type OpenAIChatWords = [
  None<Difference<keyof OpenAI.ChatCompletionChunk, typeof openaiChat.CHUNK_FIELDS>>,
  None<Difference<keyof ChatChoice, typeof openaiChat.CHOICE_FIELDS>>,
  None<Difference<keyof ChatChoice['delta'], typeof openaiChat.DELTA_FIELDS>>,
  None<Difference<keyof OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall, typeof openaiChat.CALL_FIELDS>>,
  None<Difference<NonNullable<ChatChoice['finish_reason']>, typeof openaiChat.REASONS>>,
];

// Anthropic Messages, betas included.
type AnthropicBlock = Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock;
type AnthropicDelta = Anthropic.RawContentBlockDelta | Anthropic.Beta.BetaRawContentBlockDelta;
type AnthropicEvent = Anthropic.RawMessageStreamEvent | Anthropic.Beta.BetaRawMessageStreamEvent;
type AnthropicStarted =
  Anthropic.RawContentBlockStartEvent['content_block'] | Anthropic.Beta.BetaRawContentBlockStartEvent['content_block'];

export type AnthropicWords = [
  None<Difference<AnthropicEvent['type'], typeof anthropic.EVENTS>>,
  None<Difference<(AnthropicBlock | AnthropicStarted)['type'], typeof anthropic.BLOCKS>>,
  None<Difference<AnthropicDelta['type'], typeof anthropic.DELTAS>>,
  None<Difference<(Anthropic.TextCitation | Anthropic.Beta.BetaTextCitation)['type'], typeof anthropic.CITATIONS>>,
  None<Difference<Anthropic.StopReason | Anthropic.Beta.BetaStopReason, typeof anthropic.REASONS>>,
];

// Gemini, whose chunks are told by their fields.
export type GeminiWords = [
  None<Difference<keyof GenerateContentResponse, typeof gemini.CHUNK_FIELDS>>,
  None<Difference<keyof Candidate, typeof gemini.CANDIDATE_FIELDS>>,
  None<Difference<keyof Part, typeof gemini.PART_FIELDS>>,
  None<Difference<`${FinishReason}`, typeof gemini.REASONS>>,
  None<Difference<`${BlockedReason}`, typeof gemini.BLOCK_REASONS>>,
];

// Gemini Interactions, whose statuses are open to words to come.
type Named<Words> = Words extends string ? (string extends Words ? never : Words) : never;
type InteractionAnnotation = NonNullable<Interactions.TextContent['annotations']>[number];
type InteractionStatus = Exclude<Named<Interactions.Interaction['status']>, 'failed'>;

export type GeminiInteractionsWords = [
  None<Difference<Interactions.InteractionSSEEvent['event_type'], typeof geminiInteractions.EVENTS>>,
  None<Difference<Interactions.Step['type'], typeof geminiInteractions.STEPS>>,
  None<Difference<Interactions.StepDelta['delta']['type'], typeof geminiInteractions.DELTAS>>,
  None<Difference<Interactions.Content['type'], typeof geminiInteractions.CONTENTS>>,
  None<Difference<InteractionAnnotation['type'], typeof geminiInteractions.ANNOTATIONS>>,
  None<Difference<InteractionStatus, typeof geminiInteractions.STATUSES>>,
];

// Sessions of Google.
export type GoogleSessionWords = [
  None<Difference<keyof LiveServerMessage, typeof geminiLive.MESSAGE_FIELDS>>,
  None<Difference<keyof LiveServerContent, typeof geminiLive.CONTENT_FIELDS>>,
  None<Difference<`${TurnCompleteReason}`, typeof geminiLive.REASONS>>,
  None<Difference<keyof LiveMusicServerMessage, typeof lyria.MESSAGE_FIELDS>>,
  None<Difference<keyof LiveMusicServerContent, typeof lyria.CONTENT_FIELDS>>,
];
