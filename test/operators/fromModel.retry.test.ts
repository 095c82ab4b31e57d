import { catchError, EMPTY, lastValueFrom, take, toArray } from 'rxjs';
import {
  accumulateBlocks,
  anthropic,
  fromModel,
  isModelStreamError,
  lastEventIdResume,
  openaiResponses,
  type ModelOptions,
  textDeltas,
  type ModelRequest,
  type Snapshot,
} from 'rx-model-stream';
import { fakeFetch, type FakeAnswer, type FakeFetch } from 'rx-model-stream/testing';
import { until } from '../support/until';

const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
const part = { type: 'output_text', text: 'Hello, world', annotations: [] };
const whole = { ...item, status: 'completed', content: [part] };

const AT_PART = { item_id: 'msg_1', output_index: 0, content_index: 0 };

/** A background run, event by event. */
const RUN = [
  { type: 'response.created', response: { id: 'resp_1', object: 'response', status: 'queued', background: true } },
  { type: 'response.output_item.added', output_index: 0, item },
  ...['Hello', ', ', 'world'].map((delta) => ({ ...AT_PART, type: 'response.output_text.delta', delta })),
  { ...AT_PART, type: 'response.output_text.done', text: part.text },
  { type: 'response.output_item.done', output_index: 0, item: whole },
  { type: 'response.completed', response: responseWith('completed', [whole]) },
].map((event, number) => `data: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`);

function responseWith(status: string, output: readonly object[]): object {
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  return { id: 'resp_1', object: 'response', status, background: true, model: 'm', output, usage };
}

/** The first events, and then a reset connection. */
function cutAfter(events: number, from = 0): FakeAnswer {
  const body = RUN.slice(from).join('');
  return { body, fault: { type: 'reset', afterBytes: RUN.slice(from, events).join('').length } };
}

function json(value: object, status = 200): FakeAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

const BODY = { model: 'm', stream: true, background: true };

const REQUEST: ModelRequest = {
  url: 'http://127.0.0.1/v1/responses?api-version=1',
  headers: { authorization: 'Bearer key', 'Content-Type': 'application/json' },
  body: BODY,
};

function snapshotOf(fetch: FakeFetch, options: ModelOptions = { retry: true }): Promise<Snapshot> {
  return lastValueFrom(fromModel(openaiResponses(), { ...REQUEST, fetch }, options).pipe(accumulateBlocks()));
}

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0); // no wait is longer than it has to be
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('fromModel() with retry', () => {
  it('goes on by GET at the URL of the response, with the query and the headers of the request', async () => {
    const fetch = fakeFetch(cutAfter(4), { body: RUN.slice(4).join('') });
    expect(await snapshotOf(fetch)).toEqual(await snapshotOf(fakeFetch({ body: RUN.join('') })));
    const [, { request } = { request: undefined }] = fetch.calls;
    expect([request?.method, request?.url]).toEqual([
      'GET',
      'http://127.0.0.1/v1/responses/resp_1?api-version=1&stream=true&starting_after=3',
    ]);
    expect(request?.headers.get('authorization')).toBe('Bearer key');
    expect(request?.headers.get('accept')).toBe('text/event-stream');
    expect(request?.headers.get('content-type')).toBeNull();
    expect(fetch.calls).toHaveLength(2);
  });

  it.each([
    [[], 'stream=true&starting_after=3'],
    [['reasoning.encrypted_content'], 'include%5B%5D=reasoning.encrypted_content&stream=true&starting_after=3'],
    [['a', 1, 'b'], 'include%5B%5D=a&include%5B%5D=b&stream=true&starting_after=3'],
  ])('asks to include in the rest what was to be included: %j', async (include, query) => {
    const fetch = fakeFetch(cutAfter(4), { body: RUN.slice(4).join('') });
    const request = { ...REQUEST, url: 'http://127.0.0.1/v1/responses', body: { ...BODY, include }, fetch };
    await lastValueFrom(fromModel(openaiResponses(), request, { retry: true }));
    expect(new URL(fetch.calls[1]!.request.url).search).toBe(`?${query}`);
  });

  it('gives the events of the uncut stream, wherever and however often it was cut', async () => {
    const eventsOf = (fetch: FakeFetch): Promise<unknown[]> =>
      lastValueFrom(fromModel(openaiResponses(), { ...REQUEST, fetch }, { retry: true }).pipe(toArray()));
    const uncut = await eventsOf(fakeFetch({ body: RUN.join('') }));
    for (let first = 1; first < RUN.length; first += 1) {
      for (let second = first; second < RUN.length; second += 1) {
        const rest = { body: RUN.slice(second).join('') };
        expect(await eventsOf(fakeFetch(cutAfter(first), cutAfter(second, first), rest))).toEqual(uncut);
      }
    }
  });

  it.each([400, 404])('fetches the response whole where it is not streamed any more: %i', async (status) => {
    const refusal = json({ error: { message: 'This response can no longer be streamed' } }, status);
    const fetch = fakeFetch(
      cutAfter(4),
      refusal,
      json(responseWith('in_progress', [])),
      json(responseWith('completed', [whole])),
    );
    const { blocks, status: end, usage } = await snapshotOf(fetch);
    const uncut = await snapshotOf(fakeFetch({ body: RUN.join('') }));
    expect({ blocks, end, usage }).toEqual({ blocks: uncut.blocks, end: 'complete', usage: uncut.usage });
    expect(fetch.calls.map(({ request }) => `${request.method} ${new URL(request.url).search}`)).toEqual([
      'POST ?api-version=1',
      'GET ?api-version=1&stream=true&starting_after=3',
      'GET ?api-version=1',
      'GET ?api-version=1',
    ]);
    expect(fetch.calls[2]?.request.headers.get('accept')).toBe('application/json');
  });

  it('fails with what it has where the response is not known any more', async () => {
    const refusal = json({ error: { message: 'Not found' } }, 404);
    await expect(snapshotOf(fakeFetch(cutAfter(4), refusal))).rejects.toMatchObject({
      code: 'http',
      status: 404,
      snapshot: { status: 'failed', blocks: [{ kind: 'text', text: 'Hello, ' }] },
    });
  });

  it('does not ask for a run that ended with its connection, and does not send the request again after content', async () => {
    const fetch = fakeFetch({
      body: RUN.join('').replace('"background":true', '"background":false'),
      fault: { type: 'truncate', afterBytes: RUN.slice(0, 4).join('').length },
    });
    await expect(snapshotOf(fetch)).rejects.toMatchObject({ code: 'truncated' });
    expect(fetch.calls).toHaveLength(1);
  });

  it('sends the request again where nothing had come, whoever sends it', async () => {
    const fetch = fakeFetch({ status: 503 }, { body: RUN.join('') });
    const send = (signal: AbortSignal): Promise<Response> => fetch(REQUEST.url, { method: 'POST', signal });
    const events = await lastValueFrom(fromModel(openaiResponses(), send, { retry: true }).pipe(toArray()));
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'restart', attempt: 1, cause: { status: 503 } },
      { type: 'response-start' },
    ]);
  });

  it('does not reconnect unless it is asked to', async () => {
    const fetch = fakeFetch({ status: 503 });
    await expect(snapshotOf(fetch, {})).rejects.toMatchObject({ status: 503 });
    expect(fetch.calls).toHaveLength(1);
  });

  it('is aborted at once while it waits', async () => {
    const controller = new AbortController();
    const fetch = fakeFetch({ status: 503, headers: { 'retry-after': '60' } });
    const retry = {
      onRetry: () => {
        queueMicrotask(() => {
          controller.abort('enough');
        });
      },
    };
    const failure = await snapshotOf(fetch, { retry, signal: controller.signal }).catch((error: unknown) => error);
    expect(isModelStreamError(failure) && [failure.code, failure.cause]).toEqual(['aborted', 'enough']);
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('fromModel() with cancelRun', () => {
  function read(fetch: FakeFetch, options: ModelOptions, events: number): Promise<unknown> {
    const answer$ = fromModel(openaiResponses(), { ...REQUEST, fetch }, options);
    return lastValueFrom(
      answer$.pipe(
        take(events),
        toArray(),
        catchError(() => EMPTY),
      ),
      { defaultValue: undefined },
    );
  }

  it.each<[string, ModelOptions]>([
    ['without retry', { cancelRun: true }],
    ['with retry', { cancelRun: true, retry: true }],
  ])('ends the run when the consumer leaves, %s', async (_what, options) => {
    const fetch = fakeFetch({ body: RUN.join(''), chunkBytes: 100 }, json(responseWith('cancelled', [])));
    await read(fetch, options, 2);
    await until(() => fetch.calls.length === 2);
    const { request } = fetch.calls[1]!;
    expect([request.method, request.url]).toEqual([
      'POST',
      'http://127.0.0.1/v1/responses/resp_1/cancel?api-version=1',
    ]);
    expect(request.headers.get('authorization')).toBe('Bearer key');
    await until(() => fetch.calls[1]!.isCancelled || fetch.calls[1]!.reads > 0);
  });

  it('leaves a run alone that has ended, and one of which it was not asked', async () => {
    const fetch = fakeFetch({ body: RUN.join('') });
    await read(fetch, { cancelRun: true }, 100);
    await read(fetch, {}, 2);
    expect(fetch.calls.map(({ request }) => request.method)).toEqual(['POST', 'POST']);
  });
});

describe('fromModel() with retry, over a relay whose events have ids', () => {
  const relayed = { ...anthropic(), resume: lastEventIdResume() };
  const words = ['Hello', ', ', 'world'].map((text) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  }));
  const events = [
    { type: 'message_start', message: { id: 'msg_1', model: 'm' } },
    ...words,
    { type: 'message_stop' },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const request: ModelRequest = { ...REQUEST, url: 'https://relay.example/chat?tenant=a' };

  async function textAfter(first: FakeAnswer, rest: string): Promise<[text: string, fetch: FakeFetch]> {
    const fetch = fakeFetch(first, { body: rest });
    const text = await lastValueFrom(
      fromModel(relayed, { ...request, fetch }, { retry: { restart: 'never' } }).pipe(textDeltas(), toArray()),
    );
    return [text.join(''), fetch];
  }

  it('makes the request again, with its body and the id in UTF-8', async () => {
    const body = `${events[0]!}id: 1…\n${events[1]!}`;
    const [text, fetch] = await textAfter({ body }, events.slice(2).join(''));
    expect(text).toBe('Hello, world');
    const [first, again] = fetch.calls.map((call) => call.request);
    expect([again?.method, again?.url, await again?.text()]).toEqual(['POST', first?.url, await first?.text()]);
    expect(again?.headers.get('content-type')).toBe('application/json');
    expect(Buffer.from(again?.headers.get('last-event-id') ?? '', 'latin1').toString()).toBe('1…');
  });

  it('does not go by an id that the end of the body cut short', async () => {
    const whole = `id: 1\n${events[0]!}`;
    const cut = `id: 2\n${events[1]!.trimEnd()}`; // 2 may have been 23; what is said parses, and is whole
    const [text, fetch] = await textAfter({ body: whole + cut }, events.slice(1).join(''));
    expect(text).toBe('Hello, world');
    expect(fetch.calls[1]?.request.headers.get('last-event-id')).toBe('1');
  });
});
