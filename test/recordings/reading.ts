import { from, type OperatorFunction } from 'rxjs';
import {
  accumulateBlocks,
  errorAsEvent,
  normalize,
  parseAwsEventStream,
  parseJsonArray,
  parseNdjson,
  parseSSE,
  reasoningOf,
  textOf,
  toolCallsOf,
  withUsage,
  emptySnapshot,
  type Frame,
  type ModelStreamError,
  type Provider,
  type Snapshot,
  type TokenUsage,
  type ToolCallBlock,
} from 'rx-model-stream';
import {
  anthropic,
  bedrockConverse,
  cohere,
  gemini,
  geminiInteractions,
  geminiLive,
  ollama,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  xai,
} from 'rx-model-stream/providers';

/** What a recording means, in the words of `EXPECT.json`. */
export interface Expectation {
  readonly provider: string | null;
  readonly framing: string;
  /** Payloads after framing. */
  readonly records: number;
  readonly check: readonly string[];
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ExpectedCall[];
  readonly serverToolCalls?: readonly { readonly id: string; readonly name: string }[];
  readonly finishReason?: string | null;
  readonly rawFinishReason?: string | null;
  readonly usage?: Readonly<Record<string, number>>;
  readonly usageUnchecked?: readonly string[];
  readonly error?: { readonly code: unknown; readonly message: string; readonly codeAnyOf?: readonly unknown[] } | null;
  readonly truncated?: boolean;
  readonly responseId?: string;
  readonly model?: string;
  /** How many responses of a session have an ending. */
  readonly turns?: number;
  /** Each response of a session; one that has no ending has no reason. */
  readonly perTurn?: readonly ExpectedTurn[];
}

type ExpectedTurn = Pick<
  Expectation,
  'text' | 'reasoning' | 'toolCalls' | 'usage' | 'finishReason' | 'rawFinishReason' | 'responseId'
> & {
  readonly transcript?: string;
};

interface ExpectedCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments?: unknown;
  readonly argumentsInvalid?: boolean;
  readonly argumentsUnchecked?: boolean;
  readonly freeText?: boolean;
}

/** The provider of each kind of recording that can be read; the others join as they are built. */
const PROVIDERS: Readonly<Record<string, () => Provider>> = {
  anthropic,
  bedrock: bedrockConverse,
  cohere,
  gemini,
  'gemini-interactions': geminiInteractions,
  'gemini-live': geminiLive,
  ollama,
  'openai-chat': openaiChat,
  'openai-realtime': openaiRealtime,
  'openai-responses': openaiResponses,
  xai,
};

/** The framing of each kind of recording that can be read. */
const FRAMINGS: Readonly<Record<string, () => OperatorFunction<Uint8Array, Frame>>> = {
  'aws-eventstream': parseAwsEventStream,
  'json-array': parseJsonArray,
  ndjson: parseNdjson,
  sse: parseSSE,
  'ws-jsonl': parseNdjson,
};

/** How many payloads the framing finds in a recording; undefined where its framing cannot be read. */
export function recordCountOf({ framing }: Expectation, chunks: readonly Uint8Array[]): number | undefined {
  let count = 0;
  const frame = FRAMINGS[framing];
  if (frame === undefined) return undefined;
  from(chunks)
    .pipe(frame())
    .subscribe(({ type }) => {
      if (type === 'sse' || type === 'json') count += 1;
    });
  return count;
}

export function isReadable({ provider, framing }: Expectation): boolean {
  return provider !== null && provider in PROVIDERS && framing in FRAMINGS;
}

export function providerOf({ provider }: Expectation): Provider {
  return PROVIDERS[provider!]!();
}

/** The last snapshot of each response of a whole recording, read in these chunks; at least the empty one. */
export function responsesOf(expectation: Expectation, chunks: readonly Uint8Array[]): readonly Snapshot[] {
  const provider = providerOf(expectation);
  const frame = FRAMINGS[expectation.framing]!;
  const responses: Snapshot[] = [emptySnapshot];
  from(chunks)
    .pipe(frame(), normalize(provider), withUsage(), errorAsEvent(), accumulateBlocks())
    .subscribe((snapshot) => {
      responses[snapshot.ordinal] = snapshot;
    });
  return responses;
}

/** The keys of `check` that the responses do not meet, and the turns, each with what was found. */
export function mismatchesOf(expected: Expectation, responses: readonly Snapshot[]): Record<string, unknown> {
  const snapshot = responses.at(-1) ?? emptySnapshot;
  const found = {
    text: responses.map((response) => textOf(response)).join(''),
    reasoning: responses.map((response) => reasoningOf(response)).join(''),
    toolCalls: responses.flatMap((response) => toolCallsOf(response)),
    serverToolCalls: responses.flatMap(serverCallsOf),
    finishReason: finishReasonOf(snapshot),
    rawFinishReason: snapshot.rawFinishReason,
    usage: snapshot.usage,
    error: failureOf(snapshot),
    truncated: snapshot.error?.code === 'truncated',
    responseId: snapshot.responseId,
    model: snapshot.model,
    turns: responses.filter(({ finishReason }) => finishReason !== undefined).length,
  };
  const isMet: Record<keyof typeof found, () => boolean> = {
    text: () => found.text === (expected.text ?? ''),
    reasoning: () => found.reasoning === (expected.reasoning ?? ''),
    toolCalls: () => areCallsMet(expected.toolCalls ?? [], found.toolCalls),
    serverToolCalls: () => isSame(found.serverToolCalls, expected.serverToolCalls ?? []),
    finishReason: () =>
      found.finishReason === (expected.finishReason ?? undefined) ||
      (expected.truncated === true && expected.finishReason == null),
    rawFinishReason: () => found.rawFinishReason === (expected.rawFinishReason ?? undefined),
    usage: () => isUsageMet(expected.usage, expected.usageUnchecked, found.usage ?? {}),
    error: () => isErrorMet(expected.error ?? undefined, found.error),
    truncated: () => found.truncated === (expected.truncated ?? false),
    responseId: () => found.responseId === expected.responseId,
    model: () => found.model === expected.model,
    turns: () => found.turns === expected.turns,
  };
  const missed = (expected.check as (keyof typeof found)[]).filter((key) => !isMet[key]());
  return {
    ...Object.fromEntries(missed.map((key) => [key, { expected: expected[key], found: found[key] }])),
    ...mismatchedTurns(expected, responses),
  };
}

/** A translation has no turns: what is expected of it has no ending, and its usage is that of the last stretch only. */
function mismatchedTurns(
  { perTurn = [], usageUnchecked = [] }: Expectation,
  responses: readonly Snapshot[],
): Record<string, unknown> {
  const missed = perTurn.flatMap((turn, place): [string, unknown][] => {
    const found = responses[place] ?? emptySnapshot;
    const isMet =
      textOf(found) === turn.text &&
      reasoningOf(found) === turn.reasoning &&
      transcriptOf(found) === turn.transcript &&
      areCallsMet(turn.toolCalls ?? [], toolCallsOf(found)) &&
      (turn.finishReason == null || isEndingMet(turn, found, usageUnchecked));
    return isMet ? [] : [[`turn ${place}`, { expected: turn, found }]];
  });
  return Object.fromEntries(missed);
}

function isEndingMet(turn: ExpectedTurn, found: Snapshot, usageUnchecked: readonly string[]): boolean {
  return (
    found.finishReason === turn.finishReason &&
    found.rawFinishReason === (turn.rawFinishReason ?? undefined) &&
    found.responseId === turn.responseId &&
    isUsageMet(turn.usage, usageUnchecked, found.usage ?? {})
  );
}

/** What is said in all that is heard. */
function transcriptOf({ blocks }: Snapshot): string {
  return blocks.map((block) => (block.kind === 'media' ? (block.transcript ?? '') : '')).join('');
}

function serverCallsOf(snapshot: Snapshot): { id: string; name: string }[] {
  return snapshot.blocks.flatMap((block) =>
    block.kind === 'tool-call' && block.providerExecuted ? [{ id: block.id, name: block.name }] : [],
  );
}

function finishReasonOf({ error, finishReason }: Snapshot): string | undefined {
  return error && error.code !== 'truncated' ? 'error' : finishReason;
}

function failureOf({ error }: Snapshot): ModelStreamError | undefined {
  return error?.code === 'truncated' ? undefined : error;
}

function areCallsMet(expected: readonly ExpectedCall[], found: readonly ToolCallBlock[]): boolean {
  return expected.length === found.length && expected.every((call, index) => isCallMet(call, found[index]!));
}

function isCallMet(expected: ExpectedCall, found: ToolCallBlock): boolean {
  const hasId = expected.id === null ? found.syntheticId === true : expected.id === found.id && !found.syntheticId;
  if (!hasId || expected.name !== found.name) return false;
  if (expected.argumentsUnchecked) return found.state === 'cut';
  if (expected.argumentsInvalid) return found.state === 'cut' && found.arguments === expected.arguments;
  if (found.state !== 'whole') return false;
  if (expected.freeText) return found.format === 'text' && found.arguments === expected.arguments;
  return isSame(JSON.parse(found.arguments), expected.arguments);
}

const COUNTERS = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'totalTokens',
  'costUsd',
] as const;

/** A key that is missing in the expectation must be missing in the result; a total may always be the sum. */
function isUsageMet(
  usage: Expectation['usage'] = {},
  usageUnchecked: readonly string[] = [],
  found: TokenUsage,
): boolean {
  return COUNTERS.every((key) => {
    if (usageUnchecked.includes(key) || found[key] === usage[key]) return true;
    return key === 'totalTokens' && found.totalTokens === (found.inputTokens ?? NaN) + (found.outputTokens ?? NaN);
  });
}

function isErrorMet(
  expected: NonNullable<Expectation['error']> | undefined,
  found: ModelStreamError | undefined,
): boolean {
  if (expected === undefined || found === undefined) return expected === found;
  const codes = (expected.codeAnyOf ?? [expected.code]).map(String);
  return codes.includes(String(found.providerCode)) && found.message.includes(expected.message);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
