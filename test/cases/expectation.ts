import { isDeepStrictEqual } from 'node:util';
import { reasoningOf, textOf, toolCallsOf, type Snapshot, type ToolCallBlock } from 'rx-model-stream';
import type { Result } from './bugReport';

/** What must come of a report. A key that is absent is not checked. */
export interface Expectation {
  readonly events?: readonly { readonly event?: string; readonly data: string; readonly id?: string }[];
  readonly lastEventId?: string;
  readonly values?: readonly unknown[];
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ExpectedCall[];
  readonly choices?: readonly { readonly index: number; readonly text: string; readonly finishReason: string }[];
  readonly signatures?: readonly string[];
  readonly redacted?: readonly string[];
  readonly usage?: Readonly<Record<string, number>>;
  readonly finishReason?: string;
  readonly error?: {
    readonly kind: unknown;
    readonly code?: unknown;
    readonly status?: number;
    readonly retryable?: boolean;
    readonly messageIncludes?: string;
  } | null;
  /** Further checks, in words. */
  readonly assert?: readonly string[];
  /** Further checks, in words, one of which must hold. */
  readonly assertAny?: readonly string[];
  /** What would be wrong, in words. */
  readonly never?: readonly string[];
}

/** What can be compared. */
type Key = Exclude<keyof Expectation, 'assert' | 'assertAny' | 'never'>;

interface ExpectedCall {
  readonly id: unknown;
  readonly name: string;
  readonly arguments?: string;
  /** The parsed value; no text at all counts as `{}`. */
  readonly argumentsValue?: unknown;
  /** The raw text is kept and marked as no JSON. */
  readonly argumentsInvalid?: true;
}

/** The words of the reports for our codes, where they differ. */
const KINDS: Readonly<Record<string, string>> = { malformed: 'parse', 'too-large': 'limit' };

/** The words of the reports for our finish reasons, where they differ. */
const REASONS: Readonly<Record<string, string>> = { unknown: 'other' };

/** Compares what came with what must have come, in one comparison, so that a failure shows all of it. */
export function expectResult(result: Result, expected: Expectation): void {
  const found = foundIn(result, expected);
  const wanted = Object.entries(wantedBy(expected)).filter(([key]) => key in found);
  expect(found).toEqual(resolved(Object.fromEntries(wanted), found));
}

export function isMet(result: Result, expected: Expectation): boolean {
  try {
    expectResult(result, expected);
    return true;
  } catch {
    return false;
  }
}

/** What the result has of each key that is expected. */
function foundIn(result: Result, expected: Expectation): Record<string, unknown> {
  const { frames, events, snapshot, error } = result;
  const reasoning = snapshot.blocks.flatMap((block) => (block.kind === 'reasoning' ? [block] : []));
  const finish = events.find((event) => event.type === 'finish');
  const found: Record<Key, () => unknown> = {
    events: () =>
      frames.flatMap((frame) =>
        frame.type === 'sse' ? [{ event: frame.name ?? 'message', data: frame.data, id: frame.lastEventId ?? '' }] : [],
      ),
    lastEventId: () => frames.flatMap((frame) => ('lastEventId' in frame ? [frame.lastEventId] : [])).at(-1),
    values: () => frames.flatMap((frame) => (frame.type === 'json' ? [frame.value] : [])),
    text: () => textOf(snapshot),
    reasoning: () => reasoningOf(snapshot),
    toolCalls: () => callsIn(snapshot, expected.toolCalls ?? []),
    choices: () =>
      finish?.choices?.map(({ choice, reason }) => ({
        index: choice,
        text: textOf(snapshot, choice),
        finishReason: reason,
      })),
    signatures: () => {
      const shown = reasoning.flatMap(({ signature }) => signature ?? []);
      const kept = signaturesIn(snapshot.turn);
      return shown.length === 0 || isDeepStrictEqual(shown, kept) ? kept : { shown, kept };
    },
    redacted: () => reasoning.flatMap(({ redacted, encrypted }) => (redacted ? [encrypted] : [])),
    usage: () => countersIn(snapshot, expected.usage ?? {}),
    finishReason: () => snapshot.finishReason,
    error: () =>
      error && {
        kind: KINDS[error.code] ?? error.code,
        code: error.providerCode,
        status: error.status,
        retryable: error.retryable,
        message: error.message,
        isUnfinished: expected.finishReason !== undefined || snapshot.status === 'failed',
      },
  };
  const keys = Object.keys(expected).filter((key): key is Key => key in found);
  return Object.fromEntries(keys.map((key) => [key, found[key]()]));
}

/** The signatures anywhere in a turn, in order. */
function signaturesIn(turn: unknown): readonly unknown[] {
  if (typeof turn !== 'object' || turn === null) return [];
  return Object.entries(turn).flatMap(([key, value]: [string, unknown]) =>
    /^(thoughtS|s)ignature$/.test(key) ? [value] : signaturesIn(value),
  );
}

/** The same keys, in the words of this library; what is absent inside them is open. */
function wantedBy(expected: Expectation): Record<string, unknown> {
  const { events, toolCalls, choices, finishReason, error } = expected;
  return {
    ...expected,
    ...(events && { events: events.map(({ event = 'message', data, id = '' }) => ({ event, data, id })) }),
    ...(toolCalls && { toolCalls: toolCalls.map(callWanted) }),
    ...(choices && { choices: choices.map((choice) => ({ ...choice, finishReason: ourReason(choice.finishReason) })) }),
    ...(finishReason !== undefined && { finishReason: ourReason(finishReason) }),
    ...(error && { error: errorWanted(error) }),
    ...(error === null && { error: undefined }),
  };
}

function callWanted(call: ExpectedCall): Record<string, unknown> {
  const { argumentsInvalid: isCut = false, ...fields } = call;
  return { ...fields, isCut };
}

function callsIn(snapshot: Snapshot, wanted: readonly ExpectedCall[]): unknown[] {
  return toolCallsOf(snapshot).map((call, index) => ({
    id: call.id,
    name: call.name,
    ...argumentsIn(call, wanted[index]),
    isCut: call.state === 'cut',
  }));
}

function argumentsIn({ arguments: text }: ToolCallBlock, wanted: ExpectedCall | undefined): Record<string, unknown> {
  return {
    ...(wanted?.arguments !== undefined && { arguments: text }),
    ...(wanted && 'argumentsValue' in wanted && { argumentsValue: JSON.parse(text) as unknown }),
  };
}

function countersIn({ usage }: Snapshot, wanted: Readonly<Record<string, number>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([counter]) => counter in wanted));
}

function errorWanted({
  kind,
  code,
  status,
  retryable,
  messageIncludes = '',
}: NonNullable<Expectation['error']>): unknown {
  const open = { $any: true };
  return {
    kind,
    code: code ?? open,
    status: status ?? open,
    retryable: retryable ?? open,
    message: { $includes: messageIncludes },
    isUnfinished: true,
  };
}

function ourReason(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', '-');
}

/** What is wanted, with what was found in place of each matcher that it meets. */
function resolved(wanted: unknown, found: unknown): unknown {
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  if (Array.isArray(wanted)) return wanted.map((entry, index) => resolved(entry, Array.isArray(found) && found[index]));
  const isMatcher = Object.keys(wanted).some((key) => key.startsWith('$'));
  if (isMatcher) return matches(wanted, found) ? found : wanted;
  const fields: object = typeof found === 'object' && found !== null ? found : {};
  return Object.fromEntries(
    Object.entries(wanted).map(([key, entry]) => [
      key,
      resolved(entry, Object.entries(fields).find(([name]) => name === key)?.[1]),
    ]),
  );
}

function matches(matcher: object, found: unknown): boolean {
  if ('$any' in matcher) return true;
  if ('$nonEmpty' in matcher) return typeof found === 'string' && found !== '';
  if ('$includes' in matcher) return String(found).includes(String(matcher.$includes));
  if ('$oneOf' in matcher && Array.isArray(matcher.$oneOf)) return matcher.$oneOf.includes(found ?? null);
  return false;
}
