/**
 * Tern, a service that does not exist: `POST https://api.tern.example/v1/replies`.
 *
 * Wire: SSE, a JSON object with `event` in each; `tick` keeps the connection alive. `closed` is the terminal signal, and
 * `failed` reports a failure, in the body of a refused request too. There is no way to continue a reply that was cut.
 */
import {
  createResponseWriter,
  ModelStreamError,
  type FinishReason,
  type Lifecycle,
  type ModelEvent,
  type Payload,
  type Provider,
  type Stage,
  type TokenUsage,
  type ToolResult,
  type WrittenBlock,
} from 'rx-model-stream';

/** The reply as it goes into `messages` of the next request. */
export interface TernTurn {
  readonly from: 'model';
  readonly parts: readonly TernPart[];
}

type TernPart = { readonly say: string } | { readonly call: string; readonly tool: string; readonly input: string };

/** What answers one call. */
export interface TernToolMessage {
  readonly from: 'tool';
  readonly call: string;
  readonly output: string;
}

const NAME = 'tern';

/** Why a reply is closed. */
const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['done', 'stop'],
  ['calls', 'tool-calls'],
  ['full', 'length'],
]);

/** Failures after which the same request may succeed. */
const RETRYABLE: ReadonlySet<unknown> = new Set(['busy', 'restarting']);

/** The provider for Tern. It has no state: what belongs to one reply is in the mapper. */
export function tern(): Provider<TernTurn, TernToolMessage> {
  return { name: NAME, lifecycleOf, createMapper, toolResults };
}

function lifecycleOf({ value }: Payload): Lifecycle {
  const wire = fieldsOf(value);
  switch (wire['event']) {
    case 'tick':
      return { phase: 'idle' };
    case 'opened':
      return { phase: 'preamble' };
    case 'closed':
      return { phase: 'content', ending: 'final' };
    case 'failed':
      return { phase: 'content', error: failureOf(wire) };
    default:
      return { phase: 'content' }; // the unknown too
  }
}

function failureOf({ code, message }: Fields): ModelStreamError {
  return new ModelStreamError('provider', textOf(message) ?? 'Tern failed and does not say why', {
    provider: NAME,
    providerCode: textOf(code),
    retryable: RETRYABLE.has(code),
  });
}

/** Translates one reply. What it does not know it leaves alone: `normalize` makes it a `raw` event. */
function createMapper(): Stage<Payload, ModelEvent<TernTurn>> {
  const writer = createResponseWriter<TernTurn>(NAME);
  const blocks: WrittenBlock[] = [];
  const calls = new Map<string, WrittenBlock>();
  let text: WrittenBlock | undefined; // until a call begins
  let rawReason: string | undefined;

  function open(block: WrittenBlock): WrittenBlock {
    blocks.push(block);
    return block;
  }

  return {
    push({ value }, emit) {
      const wire = fieldsOf(value);
      const id = textOf(wire['call']);
      switch (wire['event']) {
        case 'opened':
          writer.begin(idsOf(wire), emit);
          return;
        case 'said': {
          const said = textOf(wire['text']);
          if (said === undefined) return;
          text ??= open(writer.open({ kind: 'text', text: '' }, emit));
          writer.append(text, said, emit);
          return;
        }
        case 'called': {
          const name = textOf(wire['tool']);
          if (id === undefined || name === undefined || calls.has(id)) return;
          if (text) writer.end(text, {}, value, emit);
          text = undefined;
          const call = { kind: 'tool-call', id, name, arguments: '', format: 'json', state: 'open' } as const;
          calls.set(id, open(writer.open(call, emit)));
          return;
        }
        case 'input': {
          const call = calls.get(id ?? '');
          if (call) writer.append(call, textOf(wire['json']) ?? '', emit);
          return;
        }
        case 'ready': {
          const call = calls.get(id ?? '');
          if (call) writer.end(call, {}, value, emit);
          return;
        }
        case 'spent':
          writer.usage(usageOf(wire), emit);
          return;
        case 'closed':
          rawReason = textOf(wire['why']);
      }
    },
    /** Called once, after `closed`: the writer closes what is open. */
    end(emit) {
      const turn: TernTurn = { from: 'model', parts: blocks.flatMap(partsOf) };
      const reason = REASONS.get(rawReason) ?? 'other';
      writer.finish({ reason, ...(rawReason !== undefined && { rawReason }), turn }, emit);
    },
  };
}

/** What the next request has to bring back of a block. */
function partsOf({ block, content }: WrittenBlock): TernPart[] {
  if (block.kind === 'text') return [{ say: content }];
  return block.kind === 'tool-call' ? [{ call: block.id, tool: block.name, input: content }] : [];
}

function idsOf({ reply, model }: Fields): { responseId?: string; model?: string } {
  const ids: { responseId?: string; model?: string } = {};
  if (typeof reply === 'string') ids.responseId = reply;
  if (typeof model === 'string') ids.model = model;
  return ids;
}

/** Tern counts what it read from a cache apart; here input contains it. A number that it does not tell stays absent. */
function usageOf({ read, cached, written, ...rest }: Fields): TokenUsage {
  const usage: { -readonly [Field in keyof TokenUsage]: TokenUsage[Field] } = {
    raw: { read, cached, written, ...rest },
  };
  if (typeof read === 'number') usage.inputTokens = read + (typeof cached === 'number' ? cached : 0);
  if (typeof cached === 'number') usage.cachedInputTokens = cached;
  if (typeof written === 'number') usage.outputTokens = written;
  return usage;
}

function toolResults(results: readonly ToolResult[]): TernToolMessage[] {
  return results.map(({ call, content = null, isError = false }) => {
    const outcome = isError ? { error: content } : content;
    return { from: 'tool', call: call.id, output: typeof outcome === 'string' ? outcome : JSON.stringify(outcome) };
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of decoded JSON, whose shape nobody vouches for. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
