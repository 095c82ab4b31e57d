import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { lastValueFrom, tap, type Observable } from 'rxjs';
import { eachValueFrom, fromByteStream, fromModel, pacedMap, parseSSE, type SseOutput } from 'rx-model-stream';
import { startFakeProvider, type FakeProvider, type FakeResponse, type FakeRoute } from 'rx-model-stream/testing/node';
import { answers, eventStream, responsesAnswer, wholeAnswer } from '../support/answers';
import { createByteStream } from '../support/byteStream';
import { heardFrom, textIn } from '../support/heard';
import { httpBody } from '../support/httpBody';
import { retainedBytes } from '../support/retainedBytes';
import { until } from '../support/until';

/* Failures that users of other libraries reported, made again against a real server. */

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

let service: FakeProvider | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** Starts a service with one route and gives its address. */
async function serve(route: FakeRoute): Promise<string> {
  service = await startFakeProvider({ '/stream': route });
  return `${service.url}/stream`;
}

function exchange(nth = 0) {
  return service!.requests[nth]!;
}

describe.each(answers)('a stream of %s', (_name, answer) => {
  it('is an error when the service answers 200 and an error as JSON (BR-P12)', async () => {
    const body = '{"error":{"message":"no quota left","type":"billing","code":"quota_used"}}';
    const url = await serve({ headers: { 'content-type': 'application/json' }, body });
    const { values, error } = await heardFrom(fromModel(answer.provider, { url }));
    expect(values).toEqual([]);
    expect(error).toMatchObject({
      code: 'http',
      status: 200,
      providerCode: expect.stringMatching(/^(quota_used|billing)$/) as string,
    });
    expect(String(error)).toContain('no quota left');
  });

  it('is read whatever parameters and letters its content type has (BR-P13)', async () => {
    const url = await serve({
      headers: { 'content-type': 'Text/Event-Stream;charset=UTF-8' },
      body: wholeAnswer(answer),
    });
    const { values, error } = await heardFrom(fromModel(answer.provider, { url }));
    expect(error).toBeUndefined();
    expect([textIn(values), values.at(-1)]).toMatchObject(['Hello', { type: 'finish', reason: 'stop' }]);
  });

  it('completes soon after its terminal signal on a connection that stays open, then closes it (BR-P19)', async () => {
    const url = await serve({ body: wholeAnswer(answer), keepOpen: true });
    let finishedAt = NaN;
    const events = fromModel(answer.provider, { url }).pipe(
      tap(({ type }) => {
        if (type === 'finish') finishedAt = performance.now();
      }),
    );
    const { values, error } = await heardFrom(events);
    expect(performance.now() - finishedAt).toBeLessThan(1000);
    expect([textIn(values), values.at(-1)?.type, error]).toEqual(['Hello', 'finish', undefined]);
    expect(await exchange().closedBy).toBe('client');
  });
});

describe('parseSSE()', () => {
  it('gives up an event without an end before it fills the memory (BR-P17)', async () => {
    function* body(): Generator<Uint8Array> {
      yield Buffer.from('data: ');
      const piece = Buffer.alloc(64 * KIBIBYTE, 'x');
      for (let bytes = 0; bytes < 64 * MEBIBYTE; bytes += piece.length) yield piece;
    }
    const url = await serve({ body: body(), keepOpen: true });
    let bytesRead = 0;
    const frames = fromByteStream((signal) => httpBody(url, signal)).pipe(
      tap((chunk) => (bytesRead += chunk.length)),
      parseSSE({ maxFrameBytes: MEBIBYTE }),
    );
    const before = retainedBytes();
    let growth = NaN;
    const { values, error } = await heardFrom(
      frames.pipe(
        tap({
          error: () => {
            growth = retainedBytes() - before;
          },
        }),
      ),
    );
    expect([values, error]).toMatchObject([[], { code: 'too-large' }]);
    expect(bytesRead).toBeLessThan(2 * MEBIBYTE);
    expect(growth).toBeLessThan(8 * MEBIBYTE);
    expect(await exchange().closedBy).toBe('client');
  });
});

describe('fromByteStream()', () => {
  it('closes the connection when it is left after the first bytes (BR-P67)', async () => {
    function* ticks(): Generator<Uint8Array> {
      for (;;) yield Buffer.from('data: tick\n\n');
    }
    const url = await serve({ body: ticks(), everyMs: 5 });
    let body: ReadableStream | null = null;
    let events = 0;
    const subscription = fromByteStream(async (signal) => {
      const response = await fetch(url, { signal });
      body = response.body;
      return response;
    })
      .pipe(parseSSE())
      .subscribe(() => (events += 1));
    await until(() => events >= 2);
    subscription.unsubscribe();
    const before = events;
    const start = performance.now();
    expect(await exchange().closedBy).toBe('client');
    expect(performance.now() - start).toBeLessThan(500);
    expect(events).toBe(before);
    expect(body).toHaveProperty('locked', false);
  });

  it('leaves no listener on a signal that outlives many streams (BR-P68)', async () => {
    const { provider, opening } = responsesAnswer;
    const whole: FakeResponse = { body: wholeAnswer(responsesAnswer) };
    const stalled: FakeResponse = { body: eventStream(...opening), keepOpen: true };
    const url = await serve((_request, nth) => (nth > 200 ? stalled : whole));
    const controller = new AbortController();
    const { signal } = controller;
    const stream = fromModel(provider, () => fetch(url), { signal, lingerMs: 60_000 });
    for (let nth = 1; nth <= 200; nth += 1) {
      const heard = heardFrom(stream);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      expect((await heard).error).toBeUndefined();
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }
    const last = heardFrom(stream);
    await until(() => service!.requests.length === 201);
    controller.abort();
    expect((await last).error).toMatchObject({ code: 'aborted' });
    expect(await exchange(200).closedBy).toBe('client');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('releases the lock on its source on every way out (BR-P70)', async () => {
    for (const [end, wasCancelled] of [
      ['complete', false],
      ['error', false],
      ['leave', true],
    ] as const) {
      const body = createByteStream();
      const frames: SseOutput[] = [];
      const subscription = fromByteStream(() => body.stream)
        .pipe(parseSSE())
        .subscribe({ next: (frame) => frames.push(frame), error: () => undefined });
      await turn();
      expect(body.stream.locked).toBe(true);
      body.write('data: a\n\n');
      await turn();
      body.write('data: b\n\n');
      await turn();
      expect(frames).toHaveLength(2);
      if (end === 'complete') body.close();
      else if (end === 'error') body.fail(new Error('wire'));
      else subscription.unsubscribe();
      await turn();
      expect([end, body.stream.locked, body.isCancelled]).toEqual([end, false, wasCancelled]);
    }
  });
});

describe('a slow consumer (BR-P69)', () => {
  const EVENT_BYTES = 16 * KIBIBYTE;
  const EVENT_COUNT = (64 * MEBIBYTE) / EVENT_BYTES;

  /** Chunks of one event each, made as they are asked for. */
  function countedStream() {
    const counted = { pulls: 0, consumed: 0, mostAhead: 0 };
    const data = 'x'.repeat(EVENT_BYTES - 'data: \n\n'.length);
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          counted.pulls += 1;
          counted.mostAhead = Math.max(counted.mostAhead, counted.pulls - counted.consumed);
          controller.enqueue(Buffer.from(`data: ${data}\n\n`));
          if (counted.pulls === EVENT_COUNT) controller.close();
        },
      },
      { highWaterMark: 1 },
    );
    return { counted, frames: fromByteStream(() => stream).pipe(parseSSE()) };
  }

  type Work = (frame: SseOutput) => Promise<void>;

  async function consumeByLoop(frames: Observable<SseOutput>, work: Work): Promise<void> {
    for await (const frame of eachValueFrom(frames)) await work(frame);
  }

  async function consumeByOperator(frames: Observable<SseOutput>, work: Work): Promise<void> {
    await lastValueFrom(frames.pipe(pacedMap(work)));
  }

  it.each([
    ['pacedMap', consumeByOperator],
    ['eachValueFrom', consumeByLoop],
  ])('slows the reader down, with %s', async (_name, consume) => {
    const stream = countedStream();
    const before = retainedBytes();
    let growth = NaN;
    await consume(stream.frames, async () => {
      await turn();
      if (stream.counted.consumed === EVENT_COUNT / 2) growth = retainedBytes() - before;
      stream.counted.consumed += 1;
    });
    expect([stream.counted.pulls, stream.counted.consumed]).toEqual([EVENT_COUNT, EVENT_COUNT]);
    expect(stream.counted.mostAhead).toBeLessThanOrEqual(3); // one at work, one in the stream's own queue, one on its way
    expect(growth).toBeLessThan(16 * MEBIBYTE);
  });
});
