// The public surface: what is not named here is internal.

export type { Block, Citation, MediaBlock, ReasoningBlock, TextBlock, ToolCallBlock, ToolResultBlock } from './blocks';
export { isContent, isContentOf } from './content';
export { currentDemand, type Demand, type Hold } from './demand';
export {
  isModelStreamError,
  ModelStreamError,
  type ModelStreamErrorCode,
  type ModelStreamErrorDetails,
} from './errors';
export type {
  BlockEndEvent,
  BlockStartEvent,
  BlockUpdateEvent,
  ChoiceFinish,
  CitationEvent,
  ErrorEvent,
  FinishEvent,
  FinishReason,
  MediaDeltaEvent,
  ModelEvent,
  RawEvent,
  ReasoningDeltaEvent,
  ResponseStartEvent,
  RestartEvent,
  TextDeltaEvent,
  ToolCallDeltaEvent,
  UsageEvent,
} from './events';
export { applyEvent } from './applyEvent';
export type { Frame, HintFrame, JsonFrame, RestartFrame, SseFrame, StrayFrame } from './frame';
export type { AwsEventStreamOptions } from './framing/awsEventStream';
export type { JsonArrayOptions } from './framing/jsonArray';
export type { NdjsonOptions } from './framing/ndjson';
export type { SseOptions, SseOutput } from './framing/sse';
export { fromStage } from './fromStage';
export { joinStages } from './joinStages';
export { lastEventIdResume } from './lastEventIdResume';
export type { RawEvents } from './normalizer';
export type { Payload } from './payload';
export type { ModelPrice, PriceTable } from './prices';
export type { Lifecycle, Provider, SessionOptions } from './provider';
export { reasoningOf, textOf, toolCallsOf } from './reading';
export type { CancelPoint, ResumePoint, ResumeProtocol, ResumeTracker } from './resume';
export type { ResumeOptions, RetryContext, RetryOptions } from './retryOptions';
export type { SelectionOptions } from './selection';
export { createResponseWriter, type BlockPatch, type ResponseWriter, type WrittenBlock } from './responseWriter';
export { emptySnapshot, type Snapshot, type SnapshotStatus } from './snapshot';
export { checkResponse } from './sources/checkResponse';
export type { ErrorBodyOptions } from './sources/errorBody';
export type { ByteBody, ByteIterable, ByteSource } from './sources/chunkReader';
export { continueUrl, type RelativeUrl } from './sources/continueUrl';
export { fromByteStream, type ByteStreamOptions, type OpenByteSource } from './sources/fromByteStream';
export { fromWebSocketMessages, type OpenWebSocket, type WebSocketOptions } from './sources/fromWebSocketMessages';
export { headersWithin } from './sources/headersWithin';
export type { ModelRequest, SendModelRequest } from './sources/modelRequest';
export { pullChunks } from './sources/pullChunks';
export type { SocketEventType, WebSocketLike } from './sources/webSocket';
export type { Emit, Stage } from './stage';
export { toolResultsFor, type ToolResult } from './toolResults';
export type { TokenUsage } from './usage';
export {
  accumulateBlocks,
  errorAsEvent,
  eachValueFrom,
  firstTokenWithin,
  fromModel,
  idleWithin,
  normalize,
  pacedMap,
  parseAwsEventStream,
  parseJsonArray,
  parseNdjson,
  parseSSE,
  reasoningDeltas,
  retryWithResume,
  textDeltas,
  toolCalls,
  toReadableStream,
  withUsage,
  type FirstTokenOptions,
  type IdleOptions,
  type ModelOptions,
  type NormalizeOptions,
  type TimeLimitOptions,
  type UsageOptions,
} from '../operators';
export {
  anthropic,
  anthropicOnBedrock,
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
  type AnthropicContentBlock,
  type AnthropicToolResult,
  type AnthropicToolResults,
  type AnthropicTurn,
  type BedrockContentBlock,
  type BedrockToolResult,
  type BedrockToolResults,
  type BedrockTurn,
  type CohereToolMessage,
  type CohereTurn,
  type GeminiInteractionsStep,
  type GeminiInteractionsToolResult,
  type GeminiInteractionsTurn,
  type GeminiFunctionResponse,
  type GeminiLiveToolResponse,
  type GeminiOptions,
  type GeminiPart,
  type GeminiToolResults,
  type GeminiTurn,
  type OllamaToolMessage,
  type OllamaTurn,
  type OpenAIChatToolMessage,
  type OpenAIChatTurn,
  type OpenAIRealtimeToolMessage,
  type OpenAIResponsesItem,
  type OpenAIResponsesToolOutput,
  type OpenAIResponsesTurn,
  type XaiToolMessage,
  type XaiTurn,
} from '../providers';
