import { catchError, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  anthropic,
  fromByteStream,
  fromModel,
  headersWithin,
  idleWithin,
  isModelStreamError,
  normalize,
  pacedMap,
  parseSSE,
  textOf,
  withUsage,
  type ByteSource,
  type ModelEvent,
  type ModelOptions,
} from 'rx-model-stream';
import { startFakeProvider, type FakeProvider, type FakeResponse } from 'rx-model-stream/testing/node';
import { answers, anthropicAnswer, eventStream, wholeAnswer } from '../support/answers';
import { createGate } from '../support/gate';
import { heardFrom, textIn } from '../support/heard';
import { httpBody } from '../support/httpBody';
import { until } from '../support/until';

/* A real server, and a clock that only the test moves on: of the timers only those of RxJS are not real. */

const LIMIT_MS = 10_000;
/** Long enough that a test which waits for it has failed. */
const FOREVER_MS = 60_000;

const { opening, text } = anthropicAnswer;
const PREAMBLE = eventStream(opening[0]!);
const BEGINNING = eventStream(...opening, ...text);

let service: FakeProvider;

beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      'cancelAnimationFrame',
      'cancelIdleCallback',
      'clearImmediate',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'requestAnimationFrame',
      'requestIdleCallback',
      'setImmediate',
      'setTimeout',
    ],
  });
});

afterEach(async () => {
  jest.useRealTimers();
  await service.close();
});

async function serve(response: FakeResponse): Promise<string> {
  service = await startFakeProvider({ '/answer': response });
  return `${service.url}/answer`;
}

function* keptAlive(beginning: string): Generator<Uint8Array> {
  yield Buffer.from(beginning);
  for (;;) yield Buffer.from(eventStream({ type: 'ping' }));
}

/** What is heard of a stream so far. */
function listen<T>(source: Observable<T>): { readonly values: T[]; readonly ended: unknown[] } {
  const values: T[] = [];
  const ended: unknown[] = [];
  source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => ended.push(error),
    complete: () => ended.push('complete'),
  });
  return { values, ended };
}

describe('a limit of fromModel()', () => {
  const silent: FakeResponse = { headersAfterMs: FOREVER_MS };
  const stalledError: FakeResponse = { status: 500, body: '{"error":', keepOpen: true };
  const begun: FakeResponse = { body: PREAMBLE, keepOpen: true };
  const stopped: FakeResponse = { body: BEGINNING, keepOpen: true };

  it.each<[what: string, limits: ModelOptions, response: FakeResponse, said: string, reason: string]>([
    ['headersWithinMs: no headers', { headersWithinMs: LIMIT_MS }, silent, '', 'no headers came'],
    ['headersWithinMs: an endless refusal', { headersWithinMs: LIMIT_MS }, stalledError, '', 'no headers came'],
    ['firstTokenWithinMs: no headers', { firstTokenWithinMs: LIMIT_MS }, silent, '', 'no content came'],
    ['firstTokenWithinMs: only a preamble', { firstTokenWithinMs: LIMIT_MS }, begun, '', 'no content came'],
    ['idleWithinMs: no headers', { idleWithinMs: LIMIT_MS }, silent, '', 'nothing came'],
    ['idleWithinMs: the answer stops, as in BR-P74', { idleWithinMs: LIMIT_MS }, stopped, 'Hello', 'nothing came'],
    ['contentWithinMs: the answer stops', { contentWithinMs: LIMIT_MS }, stopped, 'Hello', 'nothing that counts came'],
  ])('%s', async (_what, limits, response, said, reason) => {
    const url = await serve(response);
    const { values, ended } = listen(fromModel(anthropic(), { url }, limits));
    const bytes = response.body === undefined ? -1 : (response.body as string).length;
    await until(() => service.requests[0] !== undefined && service.requests[0].bytesWritten >= bytes);
    if (said !== '') await until(() => textIn(values) === said);

    jest.advanceTimersByTime(LIMIT_MS - 1);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(ended).toMatchObject([{ code: 'timeout', retryable: true }]);
    expect(String(ended[0])).toContain(reason);
    expect(textIn(values)).toBe(said);
    expect(await service.requests[0]!.closedBy).toBe('client');
  });

  it.each<[what: string, limits: ModelOptions, beginning: string]>([
    ['firstTokenWithinMs', { firstTokenWithinMs: LIMIT_MS, idleWithinMs: LIMIT_MS }, PREAMBLE],
    ['contentWithinMs', { contentWithinMs: LIMIT_MS, idleWithinMs: LIMIT_MS }, BEGINNING],
  ])('%s sees behind keep-alives, as idleWithinMs does not', async (_what, limits, beginning) => {
    const url = await serve({ body: keptAlive(beginning), everyMs: 1 });
    const { values, ended } = listen(fromModel(anthropic(), { url }, { ...limits, raw: 'all' }));
    for (let quarter = 0; quarter < 4; quarter++) {
      const before = values.length;
      await until(() => values.length > before + 10);
      expect(ended).toEqual([]);
      jest.advanceTimersByTime(LIMIT_MS / 4);
    }
    expect(String(ended[0])).toMatch(/no content came|nothing that counts came/);
    expect(await service.requests[0]!.closedBy).toBe('client');
  });

  it('is of no account while what it waits for comes', async () => {
    const limits = { headersWithinMs: 1, firstTokenWithinMs: 1, idleWithinMs: 1, contentWithinMs: 1 };
    for (const [, answer] of answers) {
      const url = await serve({ body: wholeAnswer(answer), chunkBytes: 50 });
      const limited = await heardFrom(fromModel(answer.provider, { url }, limits));
      expect(limited).toEqual(await heardFrom(fromModel(answer.provider, { url })));
      await service.close();
    }
  });

  it('never fails an answer that has its ending, on a connection that stays open', async () => {
    const url = await serve({ body: wholeAnswer(anthropicAnswer), keepOpen: true });
    const limits = { idleWithinMs: 20, contentWithinMs: 20, firstTokenWithinMs: 20, headersWithinMs: 20 };
    const { values, ended } = listen(fromModel(anthropic(), { url }, limits));
    await until(() => values.at(-1)?.type === 'finish');
    jest.advanceTimersByTime(FOREVER_MS);
    expect(ended).toEqual(['complete']);
    expect(await service.requests[0]!.closedBy).toBe('client');
  });

  it('keeps what was there by then: text, and usage that is partial', async () => {
    const url = await serve({ body: BEGINNING, keepOpen: true });
    const answer = fromModel(anthropic(), { url }, { idleWithinMs: LIMIT_MS }).pipe(withUsage(), accumulateBlocks());
    const { values, ended } = listen(answer);
    await until(() => values.some((snapshot) => textOf(snapshot) === 'Hello'));
    jest.advanceTimersByTime(LIMIT_MS);
    const snapshot = isModelStreamError(ended[0]) ? ended[0].snapshot : undefined;
    expect(snapshot && textOf(snapshot)).toBe('Hello');
    expect(snapshot).toMatchObject({ status: 'failed', usage: { inputTokens: 3, partial: true } });
  });

  it('is refused by its name when it is out of range', async () => {
    const url = await serve({});
    for (const name of ['headersWithinMs', 'firstTokenWithinMs', 'idleWithinMs', 'contentWithinMs']) {
      expect(() => fromModel(anthropic(), { url }, { [name]: -1 })).toThrow(`Cannot use ${name} -1`);
    }
  });

  it.each<[what: string, limits: ModelOptions, first: FakeResponse]>([
    ['no headers', { headersWithinMs: LIMIT_MS }, silent],
    ['only a preamble', { firstTokenWithinMs: LIMIT_MS }, begun],
    ['a connection that falls silent', { idleWithinMs: LIMIT_MS }, stopped],
    ['an answer that stops', { contentWithinMs: LIMIT_MS }, stopped],
  ])('stands below the retry: after %s the request is sent again', async (_what, limits, first) => {
    const whole = wholeAnswer(anthropicAnswer);
    service = await startFakeProvider({ '/answer': (_request, nth) => (nth === 1 ? first : { body: whole }) });
    const retry = { restart: 'always', initialDelayMs: 0 } as const;
    const answer = fromModel(anthropic(), { url: `${service.url}/answer` }, { ...limits, retry });
    const { values, ended } = listen(answer.pipe(withUsage(), accumulateBlocks()));
    const isBegun = first.body !== undefined;
    await until(
      () => service.requests.length === 1 && (!isBegun || values.some(({ status }) => status === 'streaming')),
    );
    if (first === stopped) await until(() => values.some((snapshot) => textOf(snapshot) === 'Hello'));
    jest.advanceTimersByTime(LIMIT_MS);
    expect(await service.requests[0]!.closedBy).toBe('client');
    jest.advanceTimersByTime(1); // the wait before the second request
    await until(() => values.at(-1)?.status === 'complete');
    jest.advanceTimersByTime(250);
    expect([textOf(values.at(-1)!), service.requests.length, ended]).toEqual(['Hello', 2, ['complete']]);
    const { abandoned, ...own } = values.at(-1)?.usage ?? {};
    expect(own).toMatchObject({ inputTokens: 3, outputTokens: 2 });
    expect(abandoned ?? []).toMatchObject(isBegun ? [{ inputTokens: 3, partial: true }] : []);
  });

  it('leaves time to ask another service', async () => {
    service = await startFakeProvider({
      '/slow': { headersAfterMs: FOREVER_MS },
      '/fast': { body: wholeAnswer(anthropicAnswer) },
    });
    const slow = fromModel(anthropic(), { url: `${service.url}/slow` }, { headersWithinMs: LIMIT_MS });
    const fast = fromModel(anthropic(), { url: `${service.url}/fast` });
    const { values, ended } = listen(slow.pipe(catchError((): Observable<ModelEvent> => fast)));
    await until(() => service.requests.length === 1);
    jest.advanceTimersByTime(LIMIT_MS);
    await until(() => ended.length > 0);
    expect([textIn(values), ended]).toEqual(['Hello', ['complete']]);
    expect(await service.requests[0]!.closedBy).toBe('client');
  });
});

describe('the same limits by hand', () => {
  const clients: Record<string, (url: string, signal: AbortSignal) => Promise<ByteSource>> = {
    fetch: (url, signal) => fetch(url, { signal }),
    'node:http': httpBody,
  };

  describe.each(Object.entries(clients))('with %s', (_client, open) => {
    it('close the connection when the headers are late', async () => {
      const url = await serve({ headersAfterMs: FOREVER_MS });
      const { ended } = listen(fromByteStream(headersWithin(LIMIT_MS, (signal) => open(url, signal))));
      await until(() => service.requests.length === 1);
      jest.advanceTimersByTime(LIMIT_MS);
      expect(ended).toMatchObject([{ code: 'timeout', retryable: true }]);
      expect(await service.requests[0]!.closedBy).toBe('client');
    });

    it('close it when a client that does not look at the signal hands it over at last', async () => {
      const url = await serve({ body: BEGINNING, keepOpen: true });
      const gate = createGate();
      const { ended } = listen(
        fromByteStream(
          headersWithin(LIMIT_MS, async () => {
            const response = await open(url, new AbortController().signal);
            await gate.pass();
            return response;
          }),
        ),
      );
      await until(() => service.requests[0]?.bytesWritten === BEGINNING.length);
      jest.advanceTimersByTime(LIMIT_MS);
      expect(ended).toMatchObject([{ code: 'timeout' }]);
      gate.open();
      expect(await service.requests[0]!.closedBy).toBe('client');
    });

    it('close it when the body falls silent', async () => {
      const url = await serve({ body: BEGINNING, keepOpen: true });
      const bytes = fromByteStream((signal) => open(url, signal)).pipe(idleWithin(LIMIT_MS));
      const { values, ended } = listen(bytes.pipe(parseSSE(), normalize(anthropic())));
      await until(() => textIn(values) === 'Hello');
      jest.advanceTimersByTime(LIMIT_MS);
      expect(ended).toMatchObject([{ code: 'timeout', retryable: true }]);
      expect(await service.requests[0]!.closedBy).toBe('client');
    });

    it('wait for a consumer who holds the stream as long as he likes', async () => {
      const url = await serve({ body: wholeAnswer(anthropicAnswer), chunkBytes: 40 });
      const bytes = fromByteStream((signal) => open(url, signal)).pipe(idleWithin(LIMIT_MS));
      const gate = createGate();
      let isWorking = false;
      async function work(event: ModelEvent): Promise<ModelEvent> {
        isWorking = true;
        await gate.pass();
        return event;
      }
      const { values, ended } = listen(bytes.pipe(parseSSE(), normalize(anthropic()), pacedMap(work)));
      await until(() => isWorking);
      jest.advanceTimersByTime(10 * LIMIT_MS);
      expect(ended).toEqual([]);
      gate.open();
      await until(() => ended.length > 0);
      expect(textIn(values)).toBe('Hello');
      expect(ended).toEqual(['complete']);
    });
  });
});
