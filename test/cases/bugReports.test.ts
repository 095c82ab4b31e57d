import { from, NEVER, concat, throwError } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  normalize,
  parseSSE,
  reasoningOf,
  textOf,
  toolCallsOf,
  withUsage,
  type ModelStreamError,
  type Provider,
  type Snapshot,
  type SseOutput,
} from 'rx-model-stream';
import { anthropic, openaiResponses } from 'rx-model-stream/providers';
import { slices } from '../support/chunkings';
import { collectionJson, describeCollection } from '../support/shared';

/** A failure that somebody reported in public, re-created small. */
interface BugReport {
  readonly id: string;
  readonly title: string;
  readonly api: string;
  readonly encoding?: 'latin1';
  readonly chunks?: readonly string[];
  readonly end?: 'open' | 'reset';
  readonly expect: Expectation;
  readonly expectAny?: readonly Expectation[];
}

interface Expectation {
  readonly events?: readonly { readonly event?: string; readonly data: string; readonly id?: string }[];
  readonly lastEventId?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments?: string }[];
  readonly signatures?: readonly string[];
  readonly redacted?: readonly string[];
  readonly usage?: Readonly<Record<string, number>>;
  readonly finishReason?: string;
  readonly error?: {
    readonly kind: string | { readonly $oneOf: readonly string[] };
    readonly code?: string;
    readonly messageIncludes?: string;
  } | null;
}

const PROVIDERS: Readonly<Record<string, () => Provider>> = { anthropic, 'openai-responses': openaiResponses };

/** The words of the reports for our codes. */
const KINDS: Readonly<Record<string, string>> = { malformed: 'parse', 'too-large': 'limit' };

/** What came of one report, in the words of the reports. */
interface Result {
  readonly frames: readonly SseOutput[];
  readonly snapshot: Snapshot;
  readonly error: ModelStreamError | undefined;
}

function read(report: BugReport, chunks: readonly Uint8Array[]): Result {
  const ending =
    report.end === 'open' ? NEVER : report.end === 'reset' ? throwError(() => new TypeError('terminated')) : [];
  const frames: SseOutput[] = [];
  let snapshot: Snapshot = emptySnapshot;
  let error: ModelStreamError | undefined;
  const framed = concat(from([...chunks]), ending).pipe(parseSSE());
  const observer = {
    error: (failure: ModelStreamError) => {
      error = failure;
      snapshot = failure.snapshot ?? snapshot;
    },
  };
  const provider = PROVIDERS[report.api.split('/')[1] ?? ''];
  if (provider === undefined) framed.subscribe({ ...observer, next: (frame) => frames.push(frame) });
  else {
    framed.pipe(normalize(provider()), withUsage(), accumulateBlocks()).subscribe({
      ...observer,
      next: (next) => {
        snapshot = next;
      },
    });
  }
  return { frames, snapshot, error };
}

function expectResult({ frames, snapshot, error }: Result, expected: Expectation): void {
  const found: Record<string, unknown> = {};
  const wanted: Record<string, unknown> = {};
  const compare = (key: string, has: unknown, wants: unknown): void => {
    found[key] = has;
    wanted[key] = wants;
  };
  if (expected.events) {
    const events = frames.flatMap((frame) => (frame.type === 'sse' ? [frame] : []));
    compare(
      'events',
      events.map(({ name, data, lastEventId }) => ({ event: name ?? 'message', data, id: lastEventId ?? '' })),
      expected.events.map(({ event = 'message', data, id = '' }) => ({ event, data, id })),
    );
  }
  if (expected.lastEventId !== undefined) {
    const ids = frames.flatMap((frame) => ('lastEventId' in frame ? [frame.lastEventId] : []));
    compare('lastEventId', ids.at(-1), expected.lastEventId);
  }
  if (expected.text !== undefined) compare('text', textOf(snapshot), expected.text);
  if (expected.reasoning !== undefined) compare('reasoning', reasoningOf(snapshot), expected.reasoning);
  if (expected.toolCalls) {
    const calls = toolCallsOf(snapshot).map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
    compare('toolCalls', calls, expected.toolCalls);
  }
  const reasoning = snapshot.blocks.flatMap((block) => (block.kind === 'reasoning' ? [block] : []));
  if (expected.signatures)
    compare(
      'signatures',
      reasoning.map((block) => block.signature),
      expected.signatures,
    );
  if (expected.redacted) {
    const redacted = reasoning.filter((block) => block.redacted).map((block) => block.encrypted);
    compare('redacted', redacted, expected.redacted);
  }
  if (expected.usage) compare('usage', snapshot.usage, expect.objectContaining(expected.usage));
  if (expected.finishReason) {
    compare('finishReason', snapshot.finishReason, expected.finishReason.replaceAll('_', '-'));
  }
  if (expected.error === null) compare('error', error, undefined);
  if (expected.error) {
    const { kind, code, messageIncludes = '' } = expected.error;
    const kinds = typeof kind === 'string' ? [kind] : kind.$oneOf;
    compare('error kind', kinds.includes(KINDS[error?.code ?? ''] ?? error?.code ?? 'none'), true);
    if (code !== undefined) compare('error code', error?.providerCode, code);
    compare('error message', error?.message.includes(messageIncludes), true);
    compare('no finish', snapshot.status, expected.finishReason ? snapshot.status : 'failed');
  }
  expect(found).toEqual(wanted);
}

function holds(result: Result, expected: Expectation): boolean {
  try {
    expectResult(result, expected);
    return true;
  } catch {
    return false;
  }
}

/** How the bytes of a report are handed over: always with the same result. */
function chunkingsOf({ chunks = [], encoding }: BugReport): Uint8Array[][] {
  const given = chunks.map((chunk) => new Uint8Array(Buffer.from(chunk, encoding ?? 'utf8')));
  const whole = new Uint8Array(Buffer.concat(given));
  return [given, [whole], ...[1, 2, 3, 5, 17].map((size) => slices(whole, size))];
}

function concerns({ api, chunks }: BugReport): boolean {
  if (chunks === undefined) return false; // described servers are played in test/http
  const [operator, provider] = api.split('/');
  return operator === 'parseSSE' || (provider !== undefined && provider in PROVIDERS && operator !== 'retryWithResume');
}

describeCollection('what others reported as broken works here', 21, () => {
  const reports = (collectionJson('cases/bug-reports.json') as BugReport[]).filter(concerns);

  it('has reports to answer', () => {
    expect(reports.length).toBeGreaterThanOrEqual(21);
  });

  it.each(reports.map((report) => [report.id, report.title, report] as const))('%s: %s', (_id, _title, report) => {
    for (const chunks of chunkingsOf(report)) {
      const result = read(report, chunks);
      expectResult(result, report.expect);
      if (report.expectAny) expect(report.expectAny.some((expected) => holds(result, expected))).toBe(true);
      expect(textOf(result.snapshot)).not.toContain('undefined');
    }
  });
});

describe('accumulateBlocks() folds a hundred thousand argument deltas (BR-P77)', () => {
  it('keeps every character and reads no snapshot on the way', () => {
    const count = 100_000;
    const event = (body: object): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`);
    const delta = (text: string): Uint8Array =>
      event({ type: 'response.function_call_arguments.delta', output_index: 0, delta: text });
    const whole = `{"body":"${'x'.repeat(count)}"}`;
    const item = { type: 'function_call', call_id: 'call_q', name: 'write' };
    function* body(): Generator<Uint8Array> {
      yield event({ type: 'response.created', response: { id: 'resp_q' } });
      yield event({ type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } });
      yield delta('{"body":"');
      for (let sent = 0; sent < count; sent += 1) yield delta('x');
      yield delta('"}');
      yield event({ type: 'response.function_call_arguments.done', output_index: 0, arguments: whole });
      yield event({ type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: whole } });
      yield event({ type: 'response.completed', response: { id: 'resp_q', output: [{ ...item, arguments: whole }] } });
    }
    let last: Snapshot = emptySnapshot;
    from(body())
      .pipe(parseSSE(), normalize(openaiResponses()), accumulateBlocks())
      .subscribe((snapshot) => {
        last = snapshot;
      });
    expect(toolCallsOf(last)).toEqual([
      { kind: 'tool-call', id: 'call_q', name: 'write', arguments: whole, format: 'json', state: 'whole' },
    ]);
    expect(last.finishReason).toBe('tool-calls');
  });
});
