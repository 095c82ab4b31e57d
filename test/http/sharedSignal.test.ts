import { getEventListeners } from 'node:events';
import { finalize, range, mergeMap, lastValueFrom, type Observable } from 'rxjs';
import { fromByteStream, fromModel, parseSSE } from 'rx-model-stream';
import { fakeFetch } from 'rx-model-stream/testing';
import { startFakeProvider, type FakeProvider } from 'rx-model-stream/testing/node';
import { anthropicAnswer, eventStream, wholeAnswer } from '../support/answers';
import { createExampleRunner, type ExampleRunner } from '../support/exampleRunner';
import { heardFrom } from '../support/heard';

const COUNT = 1000;

/** As many as run at the same time: each is a connection of its own where there is a server. */
const CONCURRENT = 100;

jest.setTimeout(60_000); // a thousand requests over a real connection
const { provider, opening } = anthropicAnswer;
const body = wholeAnswer(anthropicAnswer);

/** What a stream of each kind asks, and whom. */
type Ask = (signal: AbortSignal) => Observable<unknown>;

let service: FakeProvider;

beforeAll(async () => {
  service = await startFakeProvider({
    '/answer': { body },
    '/stalled': { body: eventStream(...opening), keepOpen: true },
  });
});

afterAll(() => service.close());

const fetchAnswer = fakeFetch({ body });

const asks: Readonly<Record<string, Ask>> = {
  'fromByteStream() with a fake': (signal) =>
    fromByteStream((inner) => fetchAnswer('https://api.example', { signal: inner }), { signal }).pipe(parseSSE()),
  'fromModel() with a fake': (signal) =>
    fromModel(provider, { url: 'https://api.example', fetch: fetchAnswer }, { signal }),
  'fromModel() with a fake, each answer lost and asked for again': (signal) =>
    fromModel(
      provider,
      {
        url: 'https://api.example',
        fetch: fakeFetch({ body, fault: { type: 'reset', afterBytes: body.length / 2 } }, { body }),
      },
      { signal, retry: { restart: 'always', initialDelayMs: 0 } },
    ),
};

const askServer: Ask = (signal) => fromModel(provider, { url: `${service.url}/answer` }, { signal });

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe.each([...Object.entries(asks), ['fromModel() with a server', askServer] as const])(
  'one signal over %s',
  (_name, ask) => {
    it(`has one listener while ${COUNT} streams run, ${CONCURRENT} at a time, and none after them`, async () => {
      const { signal } = new AbortController();
      let most = 0;
      const streams = range(0, COUNT).pipe(
        mergeMap(() => {
          most = Math.max(most, listenersOf(signal));
          return ask(signal).pipe(finalize(() => (most = Math.max(most, listenersOf(signal)))));
        }, CONCURRENT),
      );
      await lastValueFrom(streams);
      expect([most, listenersOf(signal)]).toEqual([1, 0]);
    });
  },
);

describe.each(Object.entries(asks))('one signal over %s', (_name, ask) => {
  it(`has none after each of ${COUNT} streams that run one after another`, async () => {
    const { signal } = new AbortController();
    const left: number[] = [];
    for (let nth = 0; nth < COUNT; nth += 1) {
      const { error } = await heardFrom(ask(signal));
      if (error !== undefined || listenersOf(signal) > 0) left.push(nth);
    }
    expect(left).toEqual([]);
  });
});

describe('one signal that is aborted', () => {
  it('ends every stream it was given to, and every connection, and has no listener then', async () => {
    const before = service.requests.length;
    const controller = new AbortController();
    const { signal } = controller;
    const url = `${service.url}/stalled`;
    const heard = Array.from({ length: 50 }, () => heardFrom(fromModel(provider, { url }, { signal })));
    const first = heardFrom(fromModel(provider, { url }, { signal }));
    controller.abort('enough');
    for (const { values, error } of await Promise.all([...heard, first])) {
      expect(values).toEqual([]);
      expect(error).toMatchObject({ code: 'aborted', retryable: false, cause: 'enough' });
    }
    expect(listenersOf(signal)).toBe(0);
    expect(service.requests.length).toBe(before);
  });
});

describe('Node, which warns at the eleventh listener,', () => {
  let runner: ExampleRunner;
  beforeAll(() => {
    runner = createExampleRunner(['--no-warnings']); // they are still told to who listens
  });
  afterAll(() => {
    runner.remove();
  });

  /** Prints the warnings that come of running this. */
  const printingWarnings = (code: string): string => `
    import { fromModel, anthropic } from 'rx-model-stream';
    import { fakeFetch } from 'rx-model-stream/testing';
    process.on('warning', ({ name }) => console.log(name));
    const { signal } = new AbortController();
    const fetch = fakeFetch({ body: ${JSON.stringify(body)} });
    const stream = () => fromModel(anthropic(), { url: 'https://api.example', fetch }, { signal });
    let ended = 0;
    ${code}
    while (ended < ${CONCURRENT}) await new Promise(setImmediate);
    console.log(ended);`;

  it.each([
    ['does not of a hundred streams', 'stream().subscribe({ complete: () => (ended += 1) });', []],
    [
      'does of listeners that are left behind',
      "signal.addEventListener('abort', () => undefined); ended += 1;",
      ['MaxListenersExceededWarning'],
    ],
  ])('%s', async (_what, once, warnings) => {
    const code = `for (let nth = 0; nth < ${CONCURRENT}; nth += 1) { ${once} }\nawait new Promise(setImmediate);`;
    expect(await runner.run(printingWarnings(code))).toEqual([...warnings, String(CONCURRENT)]);
  });
});
