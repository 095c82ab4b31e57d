import {
  accumulateBlocks,
  fromModel,
  withUsage,
  type ModelOptions,
  type ModelRequest,
  type Provider,
} from 'rx-model-stream';
import { anthropic, openaiResponses } from 'rx-model-stream/providers';
import { fakeFetch, type FakeAnswer } from 'rx-model-stream/testing';
import { startFakeProvider } from 'rx-model-stream/testing/node';
import { anthropicAnswer, eventStream, responsesAnswer, wholeAnswer } from '../support/answers';
import { readProjectFile } from '../support/project';

/* The table of the README: each row is played, and has to say what came of it. */

interface Row {
  readonly situation: string;
  readonly code: string;
  readonly retryable: boolean;
  /** Fields of the error. */
  readonly inHand: readonly string[];
}

const section = /\n### What can go wrong\n([^]*?)\n### /.exec(readProjectFile('README.md'))![1]!;

const rows: readonly Row[] = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const [situation = '', code = '', retryable, inHand = ''] = line
      .slice(1)
      .split('|')
      .map((cell) => cell.trim());
    return { situation, code: code.replaceAll('`', ''), retryable: retryable === 'yes', inHand: wordsIn(inHand) };
  });

/** What stands between backticks. */
function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
}

/** A way in which it comes to a row. */
interface Scene {
  readonly provider?: Provider;
  readonly request?: Partial<ModelRequest>;
  readonly options?: ModelOptions;
  /** What is done once the stream has said all it can, before time goes on. */
  readonly afterwards?: () => void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BEGINNING = eventStream(...anthropicAnswer.opening, ...anthropicAnswer.text);

function answered(...answers: FakeAnswer[]): Scene {
  return { request: { fetch: fakeFetch(...answers) } };
}

/** A refusal in the words of Anthropic. */
function refused(status: number, type: string, headers: Record<string, string> = {}): Scene {
  const body = JSON.stringify({ type: 'error', error: { type, message: 'It failed' }, request_id: 'req_1' });
  return answered({ status, headers: { ...JSON_TYPE, ...headers }, body });
}

/** The beginning of an answer, and then this. */
function begun(then: string): Scene {
  return answered({ body: BEGINNING + then });
}

function reported(type: string, message: string): Scene {
  return begun(eventStream({ type: 'error', error: { type, message }, request_id: 'req_1' }));
}

function brokenRun(): Scene {
  const [created, ...more] = responsesAnswer.opening;
  const events = [
    { ...created, response: { id: 'resp_1', model: 'm', background: true } },
    ...more,
    ...responsesAnswer.text,
  ];
  const body = eventStream(...events.map((event, number) => ({ ...event, sequence_number: number })));
  const lost: FakeAnswer = { body, fault: { type: 'reset', afterBytes: body.length } };
  return { ...answered(lost), provider: openaiResponses(), options: { retry: { initialDelayMs: 0 } } };
}

function aborting(): Scene {
  const controller = new AbortController();
  const stalled: FakeAnswer = { body: BEGINNING, fault: { type: 'stall', afterBytes: BEGINNING.length } };
  return {
    ...answered(stalled),
    options: { signal: controller.signal },
    afterwards() {
      controller.abort('enough');
    },
  };
}

/** A request that was redirected, over a real connection: a fake follows nothing. */
async function redirected(): Promise<Scene> {
  const service = await startFakeProvider({
    '/': { status: 302, headers: { location: '/elsewhere' } },
    '/elsewhere': ({ method }) => (method === 'POST' ? { body: wholeAnswer(anthropicAnswer) } : { status: 405 }),
  });
  closing.push(() => service.close());
  return { request: { url: service.url } };
}

async function unheard(): Promise<Scene> {
  const service = await startFakeProvider({});
  await service.close();
  return { request: { url: service.url } };
}

const closing: (() => Promise<void>)[] = [];

/** By the beginning of the situation: several where it names several. */
const SCENES: readonly (readonly [situation: string, scenes: readonly (() => Scene | Promise<Scene>)[]])[] = [
  ['the request is wrong', [400, 401, 403, 404, 422].map((status) => () => refused(status, 'invalid_request_error'))],
  ['a limit was exceeded', [() => refused(429, 'rate_limit_error', { 'retry-after': '2' })]],
  ['nothing is left to spend', [() => refused(429, 'insufficient_quota')]],
  [
    'the service has too much to do',
    [500, 502, 503, 504, 529].map((status) => () => refused(status, 'overloaded_error', { 'retry-after': '2' })),
  ],
  [
    'the body of a refusal stalls',
    [
      () =>
        answered({ status: 503, headers: { 'retry-after': '2' }, body: '{', fault: { type: 'stall', afterBytes: 1 } }),
    ],
  ],
  ['the answer is a page', [() => answered({ headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' })]],
  ['the answer reports a failure as JSON', [() => refused(200, 'overloaded_error')]],
  ['the answer has no content', [204, 205].map((status) => () => answered({ status }))],
  ['a redirection', [redirected]],
  ['nothing listens', [unheard]],
  [
    'the connection breaks in the middle',
    [() => answered({ body: BEGINNING, fault: { type: 'reset', afterBytes: BEGINNING.length } })],
  ],
  ['the connection of a background run', [brokenRun]],
  ['the answer ends too early', [() => begun('')]],
  [
    'the answer is an event stream without events',
    [() => answered({ body: '' }), () => answered({ body: ': ping\n\n' })],
  ],
  ['the service reports a failure', [() => reported('rate_limit_error', 'Please try again in 1.2s')]],
  ['the service refuses in its stream', [() => reported('invalid_request_error', 'It failed')]],
  ['a frame is not JSON', [() => begun('data: {oops\n\n')]],
  ['a frame is larger', [() => ({ ...begun(`data: "${'x'.repeat(2000)}"\n\n`), options: { maxFrameBytes: 1000 } })]],
  ['no headers come', [() => ({ ...answered({ fault: { type: 'stall' } }), options: { headersWithinMs: 1000 } })]],
  [
    'the answer falls silent',
    [
      () => ({
        ...answered({ body: BEGINNING, fault: { type: 'stall', afterBytes: BEGINNING.length } }),
        options: { idleWithinMs: 1000 },
      }),
    ],
  ],
  ['the caller aborts', [aborting]],
];

/** The error with which a scene ends. */
async function errorOf({
  provider = anthropic(),
  request,
  options,
  afterwards,
}: Scene): Promise<Record<string, unknown>> {
  let error: unknown;
  fromModel(provider, { url: 'https://api.example', body: {}, ...request }, options)
    .pipe(withUsage(), accumulateBlocks())
    .subscribe({ error: (failure: unknown) => (error = failure) });
  const isReal = request?.fetch === undefined;
  for (let step = 0; step < 1000 && error === undefined; step += 1) {
    if (step === 1) afterwards?.();
    await (isReal ? new Promise(setImmediate) : jest.advanceTimersByTimeAsync(step < 2 ? 0 : 100));
  }
  return { ...(error as { snapshot?: object }), cause: (error as Error).cause };
}

describe('the table of what can go wrong', () => {
  afterEach(async () => {
    jest.useRealTimers();
    for (const close of closing.splice(0)) await close();
  });

  it('has a scene for every row', () => {
    expect(rows.map(({ situation }) => situation)).toEqual(
      SCENES.map(([beginning]) => expect.stringContaining(beginning) as string),
    );
  });

  it.each(rows.map((row, place) => [row.situation, row, SCENES[place]![1]] as const))(
    '%s',
    async (_situation, { code, retryable, inHand }, scenes) => {
      for (const create of scenes) {
        const scene = await create();
        jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
        const error = await errorOf(scene);
        jest.useRealTimers();
        expect(error).toMatchObject({ code, retryable });
        const { usage } = (error['snapshot'] ?? {}) as { usage?: unknown };
        const facts = { ...error, usage };
        const missing = inHand.filter(
          (name) => !Object.entries(facts).some(([key, fact]) => key === name && fact !== undefined),
        );
        expect(missing).toEqual([]);
      }
    },
  );
});
