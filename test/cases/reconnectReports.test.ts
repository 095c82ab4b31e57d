import { tap } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  fromModel,
  withUsage,
  type ModelEvent,
  type ModelOptions,
  type ModelStreamError,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { anthropic, openaiChat, openaiResponses } from 'rx-model-stream/providers';
import { fakeFetch, type FakeAnswer, type FakeCall } from 'rx-model-stream/testing';
import { textIn } from '../support/heard';
import { collectionJson, describeCollection } from '../support/shared';
import type { Result } from './bugReport';
import { expectResult, isMet, type Expectation } from './expectation';

/* Reports of what a client asks for again, or does not, each played with its own answers in virtual time. */

/** What a described service answers, one request after another; the last answer is repeated. */
interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly string[];
  readonly then: string;
}

interface ServedReport {
  readonly id: string;
  readonly server: Response & { readonly responses?: readonly Response[] };
  readonly expect?: Expectation;
  readonly expectAny?: readonly Expectation[];
}

/** A report that is being played. */
interface Played {
  readonly calls: readonly FakeCall[];
  /** When each request was made, in milliseconds. */
  readonly times: readonly number[];
  readonly events: readonly ModelEvent[];
  result(): Promise<Result>;
  leave(): void;
}

const NOW = Date.UTC(2026, 0, 1);
const PROVIDERS = { anthropic, chat: openaiChat, responses: openaiResponses } satisfies Record<string, () => Provider>;

function answerOf({ status, headers, body, then }: Response): FakeAnswer {
  const pieces = body.map((piece) => new TextEncoder().encode(piece));
  const afterBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const type = then.startsWith('keep open') ? 'stall' : then.startsWith('reset') ? 'reset' : undefined;
  return { status, headers, body: pieces, ...(type && { fault: { type, afterBytes } }) };
}

function play(answers: readonly Response[], name: keyof typeof PROVIDERS, options: ModelOptions): Played {
  const fake = fakeFetch(...answers.map(answerOf));
  const times: number[] = [];
  const events: ModelEvent[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    times.push(Date.now() - NOW);
    return fake(input, init);
  };
  let snapshot: Snapshot = emptySnapshot;
  let ended: { error: ModelStreamError | undefined } | undefined;
  const provider: Provider = PROVIDERS[name]();
  const stream = fromModel(provider, { url: 'https://api.example/v1', body: {}, fetch }, options).pipe(
    withUsage(),
    tap((event) => events.push(event)),
    accumulateBlocks(),
  );
  const subscription = stream.subscribe({
    next: (next) => (snapshot = next),
    error(error: ModelStreamError) {
      snapshot = error.snapshot ?? snapshot;
      ended = { error };
    },
    complete: () => (ended = { error: undefined }),
  });
  return {
    calls: fake.calls,
    times,
    events,
    async result() {
      for (let step = 0; step < 10_000 && !ended; step += 1) await jest.advanceTimersByTimeAsync(10);
      if (!ended) throw new Error('The stream does not end');
      return { frames: [], events, snapshot, error: ended.error };
    },
    leave() {
      subscription.unsubscribe();
    },
  };
}

beforeEach(() => {
  jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describeCollection('what others reported of asking again works here', 7, () => {
  const reports = collectionJson('cases/bug-reports.json') as ServedReport[];

  function reportOf(id: string) {
    const report = reports.find((candidate) => candidate.id === id)!;
    return { ...report, answers: report.server.responses ?? [report.server] };
  }

  it('BR-P71: a retry after partial output repeats no text', async () => {
    const { answers, expectAny = [] } = reportOf('BR-P71');
    const [given, restarted] = expectAny;
    const once = play(answers, 'chat', { retry: true });
    expectResult(await once.result(), given!);
    expect(once.calls).toHaveLength(1);

    const twice = play(answers, 'chat', { retry: { restart: 'always' } });
    expectResult(await twice.result(), restarted!);
    expect(twice.events.filter(({ type }) => type === 'restart')).toHaveLength(1);
  });

  it('BR-P72: a replay that overlaps is delivered once', async () => {
    const { answers, expect: wanted } = reportOf('BR-P72');
    const played = play(answers, 'responses', { retry: true });
    expectResult(await played.result(), wanted!);
    const urls = played.calls.map(({ request }) => request.url);
    expect(urls).toEqual(['https://api.example/v1', 'https://api.example/v1/resp_b?stream=true&starting_after=3']);
    const deltas = played.events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(deltas).toEqual(['one ', 'two ', 'three']);
  });

  it('BR-P73: Retry-After as a date is waited for, and one that is no date is not there', async () => {
    const { answers, expect: wanted } = reportOf('BR-P73');
    const played = play(answers, 'chat', { retry: true });
    expectResult(await played.result(), wanted!);
    expect(played.times).toEqual([0, 5000]);

    const [limited, good] = answers;
    const soon = { ...limited!, headers: { ...limited!.headers, 'retry-after': 'soon' } };
    const start = Date.now() - NOW;
    const backedOff = play([soon, good!], 'chat', { retry: { initialDelayMs: 1000 } });
    expectResult(await backedOff.result(), wanted!);
    expect(backedOff.times).toEqual([start, start + 500]); // half of the first bound
  });

  it('BR-P74: a stream that falls silent ends, where a limit was set', async () => {
    const { answers, expect: wanted } = reportOf('BR-P74');
    const limited = play(answers, 'anthropic', { idleWithinMs: 1000 });
    expectResult(await limited.result(), wanted!);
    const waited = Date.now() - NOW;
    expect(waited >= 1000 && waited <= 1500).toBe(true);
    expect(limited.calls[0]!.isCancelled || limited.calls[0]!.isAborted).toBe(true);

    const endless = play(answers, 'anthropic', {});
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(endless.events.at(-1)).toMatchObject({ type: 'text-delta', text: 'begin' });
    expect(jest.getTimerCount()).toBe(0);
    endless.leave();
  });

  it('BR-P76: a stream that ended is not asked for again', async () => {
    const { answers, expect: wanted } = reportOf('BR-P76');
    const document = new EventTarget();
    Object.assign(globalThis, { document });
    const played = play(answers, 'chat', { retry: { restart: 'always' } });
    expectResult(await played.result(), wanted!);
    document.dispatchEvent(new Event('visibilitychange'));
    await jest.advanceTimersByTimeAsync(600_000);
    expect(played.calls).toHaveLength(1);
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('BR-P88: Retry-After: 0 is no wait, and never a loop without an end', async () => {
    const { answers, expect: wanted } = reportOf('BR-P88');
    const [limited, good] = answers;
    const played = play(answers, 'chat', { retry: { initialDelayMs: 5000 } });
    expectResult(await played.result(), wanted!);
    expect(played.times).toEqual([0, 0]);

    for (const [value, waitMs] of [
      ['1.5', 1500],
      ['-3', 2500], // half of the first bound: it is no wait
    ] as const) {
      const start = Date.now() - NOW;
      const told = { ...limited!, headers: { 'retry-after': value } };
      const again = play([told, good!], 'chat', { retry: { initialDelayMs: 5000 } });
      expectResult(await again.result(), wanted!);
      expect([value, again.times[1]! - start]).toEqual([value, waitMs]);
    }

    const bounded = play([limited!], 'chat', { retry: true });
    expect((await bounded.result()).error).toMatchObject({ code: 'http', status: 503, retryAfterMs: 0 });
    expect(bounded.calls).toHaveLength(4);
  });

  it('BR-P89: an abort by the user is not asked again', async () => {
    const { answers, expectAny = [] } = reportOf('BR-P89');
    const controller = new AbortController();
    const aborted = play(answers, 'chat', { retry: { restart: 'always' }, signal: controller.signal });
    await jest.advanceTimersByTimeAsync(100);
    expect(textIn(aborted.events)).toBe('ab');
    controller.abort('enough');
    const result = await aborted.result();
    expect(expectAny.some((wanted) => isMet(result, wanted))).toBe(true);
    expect(result.error?.cause).toBe('enough');
    await jest.advanceTimersByTimeAsync(600_000);
    expect([aborted.calls.length, jest.getTimerCount()]).toEqual([1, 0]);

    const left = play(answers, 'chat', { retry: { restart: 'always' } });
    await jest.advanceTimersByTimeAsync(100);
    left.leave();
    await jest.advanceTimersByTimeAsync(600_000);
    expect([textIn(left.events), left.calls.length, jest.getTimerCount()]).toEqual(['ab', 1, 0]);
    expect(left.calls[0]!.isCancelled || left.calls[0]!.isAborted).toBe(true);
  });
});
