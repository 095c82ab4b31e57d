import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { filter, map, take, type Observable } from 'rxjs';
import {
  checkResponse,
  fromByteStream,
  fromModel,
  isModelStreamError,
  lastEventIdResume,
  parseSSE,
  retryWithResume,
  type Frame,
  type ModelEvent,
  type Payload,
  type Provider,
  type RetryOptions,
} from 'rx-model-stream';
import { fakeFetch } from 'rx-model-stream/testing';
import { startFakeProvider, type FakeProvider, type FakeResponse } from 'rx-model-stream/testing/node';
import { heardFrom } from '../support/heard';
import { collectionJson, describeCollection } from '../support/shared';
import { until } from '../support/until';
import type { HttpCase, HttpEvent, HttpExchange, HttpOutcome } from './httpCase';

const COUNT = 72;

/** Rows that a client built on `fetch` does not play. */
const NOT_APPLICABLE: ReadonlyMap<string, string> = new Map([
  ['http-cache', 'EventSource gets, and says how to cache; a POST is not cached'],
  ['http-last-id-preflight', 'the browser makes the preflight'],
]);

const OTHER_ORIGIN = 'https://other.test';

/** What a client asks for, beside its address. */
interface Ask {
  readonly fetch?: typeof globalThis.fetch;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lastEventId?: string;
}

/** A request as it arrived. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  header(name: string): string | undefined;
}

/** What came of a row. */
interface Found {
  readonly events: readonly HttpEvent[];
  readonly error: unknown;
  readonly asked: readonly Asked[];
  /** When each request was made, in milliseconds. */
  readonly times: readonly number[];
}

/** The frames of one response. */
function framesOf(url: string, ask: Ask, flush = true): Observable<Frame> {
  const { fetch = globalThis.fetch, body, lastEventId = '' } = ask;
  const headers = {
    accept: 'text/event-stream',
    authorization: 'Bearer key',
    ...(lastEventId !== '' && { 'last-event-id': lastEventId }),
    ...ask.headers,
  };
  const check = checkResponse();
  const open = async (signal: AbortSignal): Promise<Response> =>
    check(await fetch(url, { method: 'POST', headers, body, signal }), signal);
  return fromByteStream(open).pipe(parseSSE({ flush, lastEventId }));
}

/** A relay whose events are text and hold no ending: as EventSource sees every service. */
const relay: Provider = {
  name: 'relay',
  eventData: 'text',
  resume: lastEventIdResume(),
  lifecycleOf: () => ({ phase: 'content' }),
  createMapper: () => ({
    push(payload, emit) {
      emit({ type: 'raw', provider: 'relay', event: payloadEvent(payload) });
    },
    end: () => undefined,
  }),
};

/** The same, where the end of the body is an ending: as a POST is read that nobody repeats. */
const finishing: Provider = { ...relay, lifecycleOf: () => ({ phase: 'content', ending: 'possible' }) };

/** Connects again at every end, as EventSource does, but not after an answer that is no stream. */
const AS_EVENT_SOURCE: RetryOptions = {
  restart: 'always',
  maxRetries: 10,
  initialDelayMs: 0,
  shouldRetry: ({ error }) => error.code !== 'http',
};

function reconnectingFrames(url: string, ask: Ask): Observable<Frame> {
  return framesOf(url, ask, false).pipe(
    retryWithResume(relay, {
      ...AS_EVENT_SOURCE,
      resume: ({ headers = {} }) => framesOf(url, { ...ask, headers }, false),
    }),
  );
}

function payloadEvent({ value, name = 'message', lastEventId = '' }: Payload): HttpEvent {
  return { type: name, data: String(value), lastEventId };
}

function eventsOf(frames: Observable<Frame>): Observable<HttpEvent> {
  return frames.pipe(
    map((frame) => {
      if (frame.type === 'json') return payloadEvent(frame);
      return frame.type === 'sse' ? payloadEvent({ ...frame, value: frame.data }) : undefined;
    }),
    filter((event) => event !== undefined),
  );
}

function rawEventsOf(events: Observable<ModelEvent>): Observable<HttpEvent> {
  return events.pipe(
    filter((event) => event.type === 'raw'),
    map(({ event }) => event as HttpEvent),
  );
}

function askOf({ exchange: [first] }: HttpCase): Ask {
  const { body = '{"n":1}', headers = {} } = first?.request ?? {};
  const { 'content-type': type, 'last-event-id': lastEventId = '' } = headers;
  return { body, lastEventId, ...(type !== undefined && { headers: { 'content-type': type } }) };
}

function answerTo({ response, networkError }: HttpExchange, otherUrl = ''): FakeResponse {
  if (!response) return { fault: { type: networkError ? 'reset' : 'stall' } };
  const { status, headers, body, encodeBody, then } = response;
  const bytes = new Uint8Array(encodeBody ? gzipSync(body ?? '') : Buffer.from(body ?? ''));
  const location = headers['location']?.replace(OTHER_ORIGIN, otherUrl);
  return {
    status,
    // An empty content type stands for none: the fakes have one by default.
    headers: { 'content-type': '', ...headers, ...(location !== undefined && { location }) },
    body: bytes,
    ...(then && { fault: { type: 'reset', afterBytes: bytes.length } }),
  };
}

/** A service that plays a row, with another one for what it redirects to elsewhere. */
async function serve({ exchange }: HttpCase, keepOpen = false) {
  const asked: Asked[] = [];
  const services: FakeProvider[] = [];
  const start = async (): Promise<FakeProvider> => {
    const route = (request: { method: string; path: string; body: string; headers: object }): FakeResponse => {
      const step = exchange[asked.length] ?? { response: { status: 500, headers: {}, body: 'no further request' } };
      const headers = new Map(Object.entries(request.headers));
      asked.push({ ...request, header: (name) => headers.get(name) as string | undefined });
      return { ...answerTo(step, services[1]?.url), keepOpen };
    };
    return startFakeProvider({ '/start': route, '/final': route });
  };
  services.push(await start(), await start());
  return {
    url: `${services[0]!.url}/start`,
    asked,
    exchanges: () => services.flatMap(({ requests }) => requests),
    close: () => Promise.all(services.map((service) => service.close())),
  };
}

/** Plays a row over a real connection. */
async function playServed(row: HttpCase, read: (url: string, ask: Ask) => Observable<HttpEvent>): Promise<Found> {
  const service = await serve(row);
  const hasNoBody = row.exchange[0]?.response?.body === null; // no connection can show that
  const ask = hasNoBody ? { ...askOf(row), fetch: () => Promise.resolve(bodiless(row)) } : askOf(row);
  const { values, error } = await heardFrom(read(service.url, ask));
  await service.close();
  return { events: values, error, asked: service.asked, times: [] };
}

function bodiless({ exchange: [first] }: HttpCase): Response {
  const { status = 200, headers = {} } = first?.response ?? {};
  return new Response(null, { status, headers });
}

/** Plays a row in virtual time. */
async function playFaked(row: HttpCase, read: (url: string, ask: Ask) => Observable<HttpEvent>): Promise<Found> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const fake = fakeFetch(...row.exchange.map((step) => answerTo(step)));
  const times: number[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    times.push(Date.now());
    return fake(input, init);
  };
  let heard: { values: readonly HttpEvent[]; error: unknown } | undefined;
  void heardFrom(read('https://relay.example/start', { ...askOf(row), fetch })).then((all) => (heard = all));
  for (let step = 0; step < 1000 && !heard; step += 1) await jest.advanceTimersByTimeAsync(10);
  jest.useRealTimers();
  const asked = await Promise.all(
    fake.calls.map(async ({ request }) => {
      const body = await request.text();
      const { pathname: path } = new URL(request.url);
      return { method: request.method, path, body, header: (name: string) => request.headers.get(name) ?? undefined };
    }),
  );
  return { events: heard?.values ?? [], error: heard ? heard.error : 'it did not end', asked, times };
}

/** What a request of the row has to be, and what it was. */
function expectRequests({ exchange }: HttpCase, asked: readonly Asked[]): void {
  for (const [place, request] of asked.entries()) {
    const { method, path, body, headers = {}, headersHex = {}, absent = [] } = exchange[place]?.request ?? {};
    expect(request).toMatchObject({ ...(method && { method }), ...(path && { path }), ...(body && { body }) });
    for (const [name, value] of Object.entries(headers)) expect([name, request.header(name)]).toEqual([name, value]);
    for (const [name, digits] of Object.entries(headersHex)) {
      expect(Buffer.from(request.header(name) ?? '', 'latin1').toString('hex')).toBe(digits);
    }
    for (const name of absent) expect([name, request.header(name)]).toEqual([name, undefined]);
  }
}

/** The outcomes that are right for a client that posts. */
function wantedOf({ fetchPost, expect: wanted, accept }: HttpCase): HttpOutcome[] {
  const outcome = fetchPost === 'same' || fetchPost === 'no' ? wanted.eventSource : wanted.fetchPost;
  return [...(outcome ? [outcome] : []), ...(accept?.fetchPost ?? [])];
}

function codeOf({ outcome, kind }: HttpOutcome): string | undefined {
  if (outcome !== 'fail' && outcome !== 'error') return undefined;
  return kind === 'network' ? 'network' : 'http';
}

/** What is wanted and what was found, in the same words. */
function comparisonOf(wanted: HttpOutcome, { events, error, asked, times }: Found): [found: object, wanted: object] {
  const { status, requests, redirectedRequest: redirected, delayMs = [] } = wanted;
  const failure = isModelStreamError(error) ? error : undefined;
  const waits = times.slice(1).map((time, place) => time - times[place]!);
  return [
    {
      code: failure?.code ?? error,
      events,
      ...(status !== undefined && { status: failure?.status }),
      ...(requests !== undefined && { requests: asked.length }),
      ...(redirected && { redirected: { method: asked[1]?.method, body: asked[1]?.body === '' ? 'none' : 'same' } }),
      areWaitsKept: delayMs.every((least, place) => waits[place]! >= least),
    },
    {
      code: codeOf(wanted),
      events: wanted.events,
      ...(status !== undefined && { status }),
      ...(requests !== undefined && { requests }),
      ...(redirected && { redirected }),
      areWaitsKept: true,
    },
  ];
}

function expectOutcome(row: HttpCase, found: Found): void {
  const comparisons = wantedOf(row).map((wanted) => comparisonOf(wanted, found));
  const met = comparisons.find((comparison) => isDeepStrictEqual(...comparison)) ?? comparisons[0]!;
  expect(met[0]).toEqual(met[1]);
}

/** What an error body says, as far as it is a report: its message, or its word for the failure. */
function reportIn(bodyText: string): string | undefined {
  try {
    const { error } = JSON.parse(bodyText) as { error?: { message?: string; type?: string } };
    return error?.message ?? error?.type;
  } catch {
    return bodyText;
  }
}

describeCollection('a POST is answered as the conformance data says', COUNT, () => {
  const rows = (collectionJson('conformance/sse-http.json') as HttpCase[]).filter(({ id }) => !NOT_APPLICABLE.has(id));
  const isReconnecting = ({ fetchPost, expect: wanted }: HttpCase): boolean =>
    fetchPost === 'no' || wanted.fetchPost?.outcome === 'reconnect';
  const isClosing = (row: HttpCase): boolean => wantedOf(row).some(({ outcome }) => outcome === 'closed');
  const titled = (some: readonly HttpCase[]) => some.map((row) => [row.id, row.title, row] as const);
  const single = rows.filter((row) => !isReconnecting(row) && !isClosing(row));
  const left = [...NOT_APPLICABLE].map(([id, reason]) => `${id} (${reason})`).join(', ');

  it(`plays ${rows.length} of ${COUNT} rows; not ${left}`, () => {
    expect(rows).toHaveLength(COUNT - NOT_APPLICABLE.size);
  });

  it.each(titled(single))('%s: %s', async (_id, _title, row) => {
    const found = await playServed(row, (url, ask) => eventsOf(framesOf(url, ask)));
    expectOutcome(row, found);
    expectRequests(row, found.asked);
  });

  it.each(titled(single.filter(({ expect: wanted }) => wanted.fetchPost?.bodyText !== undefined)))(
    '%s: %s, and the error says what the body reports',
    async (_id, _title, row) => {
      const { error } = await playServed(row, (url, ask) => eventsOf(framesOf(url, ask)));
      const report = reportIn(row.expect.fetchPost?.bodyText ?? '');
      const said = isModelStreamError(error) ? `${error.message} ${error.providerCode ?? ''}` : '';
      expect(said).toContain(report ?? 'content type "application/json"');
    },
  );

  it.each(titled(single.filter(({ id }) => /^http-(accept|first-no-last-id|post-request)$/.test(id))))(
    '%s: %s, by fromModel()',
    async (_id, _title, row) => {
      const found = await playServed(row, (url, { body, headers = {} }) =>
        rawEventsOf(fromModel(finishing, { url, body, headers })),
      );
      expectOutcome(row, found);
      expectRequests(row, found.asked);
    },
  );

  it.each(titled(rows.filter(isClosing)))('%s: %s', async (_id, _title, row) => {
    const service = await serve(row, true);
    const said: unknown[] = [];
    const subscription = eventsOf(framesOf(service.url, askOf(row))).subscribe({
      next(event) {
        said.push(event);
        subscription.unsubscribe();
      },
      error: (error: unknown) => said.push(error),
    });
    const wanted = wantedOf(row)[0]!;
    await until(() => service.exchanges().length > 0 && said.length === wanted.events.length);
    subscription.unsubscribe();
    expect(await service.exchanges()[0]!.closedBy).toBe('client');
    expectOutcome(row, { events: said as HttpEvent[], error: undefined, asked: service.asked, times: [] });
    await service.close();
  });

  describe('where reconnecting was asked for', () => {
    afterEach(() => jest.useRealTimers());

    const reconnecting = rows.filter(isReconnecting);
    const redirects = reconnecting.filter(({ rule }) => rule === 'redirect');
    const first = (row: HttpCase) =>
      take<HttpEvent>(codeOf(wantedOf(row)[0]!) ? Infinity : wantedOf(row)[0]!.events.length);

    it.each(titled(reconnecting.filter((row) => !redirects.includes(row))))('%s: %s', async (_id, _title, row) => {
      const found = await playFaked(row, (url, ask) => eventsOf(reconnectingFrames(url, ask)).pipe(first(row)));
      expectOutcome(row, found);
      expectRequests(row, found.asked);
    });

    it.each(titled(redirects))('%s: %s', async (_id, _title, row) => {
      const found = await playServed(row, (url, ask) => eventsOf(reconnectingFrames(url, ask)).pipe(first(row)));
      expectOutcome(row, found);
      expectRequests(row, found.asked);
    });

    it.each(
      titled(
        reconnecting.filter(({ id }) => /^http-(last-id-(sent|utf8|third|reset|only-block)|post-opt-in)/.test(id)),
      ),
    )('%s: %s, by fromModel()', async (_id, _title, row) => {
      const found = await playFaked(row, (url, { fetch = globalThis.fetch, body }) =>
        rawEventsOf(fromModel(relay, { url, body, fetch }, { retry: AS_EVENT_SOURCE })).pipe(first(row)),
      );
      expectOutcome(row, found);
      expectRequests(row, found.asked);
    });
  });
});
