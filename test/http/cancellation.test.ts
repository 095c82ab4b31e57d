import { NEVER, type Observable } from 'rxjs';
import { fromByteStream, fromModel, pacedMap } from 'rx-model-stream';
import {
  startFakeProvider,
  type FakeExchange,
  type FakeProvider,
  type FakeResponse,
} from 'rx-model-stream/testing/node';
import { answers, anthropicAnswer, eventStream, wholeAnswer } from '../support/answers';
import { heardFrom } from '../support/heard';
import { httpBody } from '../support/httpBody';
import { until } from '../support/until';

const { provider, opening, text } = anthropicAnswer;

/** Long enough that a test which waits for it has failed. */
const FOREVER_MS = 60_000;
const BEGINNING = eventStream(...opening, ...text);

/** The answers of a service, by what it is doing when the consumer leaves. */
const routes = {
  '/silent': { headersAfterMs: FOREVER_MS },
  '/slow': { headersAfterMs: 50, keepOpen: true },
  '/stalled': { body: BEGINNING, keepOpen: true },
  '/stalled-error': { status: 500, body: '{"error":', keepOpen: true },
} as const satisfies Record<string, FakeResponse>;

type Path = keyof typeof routes;

let service: FakeProvider;

beforeEach(async () => {
  service = await startFakeProvider(routes);
});

afterEach(() => service.close());

/** The exchange of the only request, once its answer has got so far. */
async function exchangeWith(bytesWritten: number): Promise<FakeExchange> {
  await until(() => (service.requests[0]?.bytesWritten ?? -1) >= bytesWritten);
  return service.requests[0]!;
}

type Streams = Readonly<Record<string, (path: Path, signal?: AbortSignal) => Observable<unknown>>>;

/** Every way to read a stream of the service. */
const streams: Streams = {
  fromModel: (path, signal) => fromModel(provider, { url: service.url + path }, { signal }),
  'fromByteStream with fetch': (path, given) =>
    fromByteStream((signal) => fetch(service.url + path, { signal }), { signal: given }),
  'fromByteStream with node:http': (path, given) =>
    fromByteStream((signal) => httpBody(service.url + path, signal), { signal: given }),
};

/** The same, opened by a client that does not look at the signal. */
const heedlessStreams: Streams = {
  fromModel: (path, signal) => fromModel(provider, () => fetch(service.url + path), { signal }),
  'fromByteStream with fetch': (path, signal) => fromByteStream(() => fetch(service.url + path), { signal }),
  'fromByteStream with node:http': (path, signal) => fromByteStream(() => httpBody(service.url + path), { signal }),
};

/** Everything that is said, for streams that are left before they end. */
function listen(source: Observable<unknown>) {
  const said: unknown[] = [];
  const subscription = source.subscribe({
    next: (value) => said.push(value),
    error: (error: unknown) => said.push({ error }),
    complete: () => said.push('complete'),
  });
  return { said, subscription };
}

describe.each(Object.entries(streams))('%s closes the connection', (_name, stream) => {
  it('when it is left before the headers', async () => {
    const { said, subscription } = listen(stream('/silent'));
    const exchange = await exchangeWith(0);
    subscription.unsubscribe();
    expect(await exchange.closedBy).toBe('client');
    expect(said).toEqual([]);
  });

  it('when it is left while a read is pending', async () => {
    const { said, subscription } = listen(stream('/stalled'));
    const exchange = await exchangeWith(BEGINNING.length);
    await until(() => said.length > 0);
    subscription.unsubscribe();
    const before = said.length;
    expect(await exchange.closedBy).toBe('client');
    expect(said).toHaveLength(before);
  });

  it('when it is left inside an emission', async () => {
    let emissions = 0;
    const subscription = stream('/stalled').subscribe(() => {
      emissions += 1;
      subscription.unsubscribe();
    });
    expect(await (await exchangeWith(BEGINNING.length)).closedBy).toBe('client');
    expect(emissions).toBe(1);
  });

  it('when it is left while a value is held', async () => {
    let held = 0;
    const subscription = stream('/stalled')
      .pipe(
        pacedMap(() => {
          held += 1;
          return NEVER;
        }),
      )
      .subscribe();
    await until(() => held > 0);
    subscription.unsubscribe();
    expect(await service.requests[0]!.closedBy).toBe('client');
  });

  it.each<Path>(['/silent', '/stalled'])('when the signal of its caller is aborted: %s', async (path) => {
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const heard = heardFrom(stream(path, controller.signal));
    const exchange = await exchangeWith(path === '/silent' ? 0 : BEGINNING.length);
    controller.abort(reason);
    expect((await heard).error).toMatchObject({ code: 'aborted', retryable: false });
    expect((await heard).error).toHaveProperty('cause', reason);
    expect(await exchange.closedBy).toBe('client');
  });

  it('when the signal of its caller is aborted inside an emission', async () => {
    const controller = new AbortController();
    const said: unknown[] = [];
    stream('/stalled', controller.signal).subscribe({
      next: () => {
        said.push('value');
        controller.abort();
      },
      error: (error: unknown) => said.push(error),
    });
    expect(await (await exchangeWith(BEGINNING.length)).closedBy).toBe('client');
    expect(said.at(-1)).toMatchObject({ code: 'aborted' });
  });
});

describe.each(Object.entries(heedlessStreams))(
  '%s closes the connection although its open ignores the signal',
  (_name, stream) => {
    it('when it is left before the headers', async () => {
      const { said, subscription } = listen(stream('/slow'));
      const exchange = await exchangeWith(0);
      subscription.unsubscribe();
      expect(await exchange.closedBy).toBe('client');
      expect(said).toEqual([]);
    });

    it('when it is left while a read is pending', async () => {
      const { said, subscription } = listen(stream('/stalled'));
      const exchange = await exchangeWith(BEGINNING.length);
      await until(() => said.length > 0);
      subscription.unsubscribe();
      expect(await exchange.closedBy).toBe('client');
    });

    it('when the signal of its caller is aborted', async () => {
      const controller = new AbortController();
      const heard = heardFrom(stream('/stalled', controller.signal));
      const exchange = await exchangeWith(BEGINNING.length);
      controller.abort();
      expect((await heard).error).toMatchObject({ code: 'aborted' });
      expect(await exchange.closedBy).toBe('client');
    });
  },
);

describe('fromModel() that is left while it reads an error body', () => {
  it.each([
    ['an open that uses the signal', streams['fromModel']!],
    ['an open that ignores it', heedlessStreams['fromModel']!],
  ])('closes the connection, with %s', async (_name, stream) => {
    const { said, subscription } = listen(stream('/stalled-error'));
    const exchange = await exchangeWith(1);
    await new Promise(setImmediate);
    subscription.unsubscribe();
    expect(await exchange.closedBy).toBe('client');
    expect(said).toEqual([]);
  });
});

describe.each(answers)('a stream of %s that has ended', (_name, answer) => {
  it('has aborted nothing, and its connection is used again', async () => {
    await service.close();
    service = await startFakeProvider({ '/answer': { body: wholeAnswer(answer) } });
    const signals: AbortSignal[] = [];
    const stream = fromModel(answer.provider, (signal) => {
      signals.push(signal);
      return fetch(`${service.url}/answer`, { signal });
    });
    for (const nth of [1, 2, 3]) {
      expect((await heardFrom(stream)).values.at(-1)).toMatchObject({ type: 'finish' });
      expect(service.requests).toHaveLength(nth);
      await new Promise(setImmediate);
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
    for (const { closedBy } of service.requests) expect(await closedBy).toBe('server');
  });
});

describe('fromByteStream() releases the lock on a body', () => {
  /** A stream of the service, and the body it reads. */
  function withBody(path: string) {
    const bodies: (ReadableStream<Uint8Array> | null)[] = [];
    const stream = fromByteStream(async (signal) => {
      const response = await fetch(service.url + path, { signal });
      bodies.push(response.body);
      return response;
    });
    return { stream, isLocked: () => bodies[0]?.locked };
  }

  it('that has ended', async () => {
    const { stream, isLocked } = withBody('/unknown');
    expect((await heardFrom(stream)).error).toBeUndefined();
    expect(isLocked()).toBe(false);
  });

  it('that has failed', async () => {
    await service.close();
    service = await startFakeProvider({ '/reset': { body: 'a', fault: { type: 'reset', afterBytes: 1 } } });
    const { stream, isLocked } = withBody('/reset');
    expect((await heardFrom(stream)).error).toMatchObject({ code: 'network' });
    expect(isLocked()).toBe(false);
  });

  it('that was left', async () => {
    const { stream, isLocked } = withBody('/stalled');
    const { said, subscription } = listen(stream);
    await until(() => said.length > 0);
    expect(isLocked()).toBe(true);
    subscription.unsubscribe();
    expect(isLocked()).toBe(false);
  });
});
