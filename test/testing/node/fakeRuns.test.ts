import {
  eventRelay,
  interactionRun,
  openaiBackgroundRun,
  startFakeProvider,
  type FakeProvider,
  type FakeRoute,
} from 'rx-model-stream/testing/node';

let provider: FakeProvider;

async function serve(routes: Readonly<Record<string, FakeRoute>>): Promise<void> {
  provider = await startFakeProvider(routes);
}

afterEach(() => provider.close());

const JSON_TYPE = 'application/json';

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(provider.url + path, { headers });
}

function post(path: string, body: object = {}): Promise<Response> {
  return fetch(provider.url + path, { method: 'POST', body: JSON.stringify(body) });
}

function textAt(path: string): Promise<string> {
  return get(path).then((response) => response.text());
}

async function failureAt(path: string): Promise<unknown[]> {
  const response = await get(path);
  const { error } = (await response.json()) as { error: object };
  return [response.status, response.headers.get('content-type'), error];
}

function eventOf(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

const IN_BACKGROUND = { background: true, stream: true };

describe('openaiBackgroundRun()', () => {
  const item = { id: 'msg_1', type: 'message', content: [] };
  const events = [
    { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', status: 'queued', output: [] } },
    { type: 'response.in_progress', sequence_number: 1, response: { id: 'resp_1', status: 'in_progress', output: [] } },
    { type: 'keepalive', sequence_number: 4 },
    { type: 'response.output_item.done', sequence_number: 5, output_index: 0, item },
    { type: 'response.completed', sequence_number: 6, response: { id: 'resp_1', status: 'completed', output: [] } },
  ].map(eventOf);
  const body = events.join('');
  const whole = { object: 'response', id: 'resp_1', status: 'completed', output: [item] };

  it('creates the run with its stream', async () => {
    await serve(openaiBackgroundRun(body).routes);
    const response = await post('/v1/responses', IN_BACKGROUND);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe(body);
  });

  it('goes on with the numbers that are greater, at any place', async () => {
    await serve(openaiBackgroundRun(body).routes);
    await post('/v1/responses', IN_BACKGROUND);
    const counts = { '-1': 5, 0: 4, 1: 3, 2: 3, 3: 3, 4: 2, 5: 1, 6: 0, 70: 0 };
    for (const [number, count] of Object.entries(counts)) {
      const rest = events.slice(events.length - count).join('');
      expect(await textAt(`/v1/responses/resp_1?stream=true&starting_after=${number}`)).toBe(rest);
    }
    expect(await textAt('/v1/responses/resp_1?stream=true')).toBe(body);
    expect(await failureAt('/v1/responses/resp_1?stream=true&starting_after=x')).toMatchObject([400, JSON_TYPE, {}]);
  });

  it('knows only the run that was asked for in the background, with a stream', async () => {
    await serve(openaiBackgroundRun(body).routes);
    const missing = [404, JSON_TYPE, { type: 'invalid_request_error' }];
    const isMissing = async (path: string): Promise<void> => {
      expect(await failureAt(path)).toMatchObject(missing);
    };
    await isMissing('/v1/responses/resp_1?stream=true'); // nothing was created yet
    for (const request of [{ stream: true }, { background: true }]) {
      await post('/v1/responses', request);
      await isMissing('/v1/responses/resp_1?stream=true');
    }
    await post('/v1/responses', IN_BACKGROUND);
    await isMissing('/v1/responses/resp_2?stream=true');
    await isMissing('/v1/responses/resp_1/other/cancel');
    expect((await post('/v1/responses/resp_1')).status).toBe(405);
  });

  it('sends what is written and then what will be, whoever looks on', async () => {
    const run = openaiBackgroundRun(body, { written: 2 });
    await serve(run.routes);
    const first = chunksOf(await post('/v1/responses', IN_BACKGROUND));
    expect(await first()).toBe(events[0]! + events[1]!);
    const second = chunksOf(await get('/v1/responses/resp_1?stream=true&starting_after=0'));
    expect(await second()).toBe(events[1]);
    run.write(2);
    for (const read of [first, second]) expect(await read()).toBe(events[2]! + events[3]!);
    run.write();
    for (const read of [first, second]) expect([await read(), await read()]).toEqual([events[4], undefined]);
  });

  it('tells how it stands, and in the end the whole', async () => {
    const run = openaiBackgroundRun(body, { written: 1, unfinishedPolls: 1 });
    await serve(run.routes);
    await post('/v1/responses', IN_BACKGROUND).then((response) => response.body?.cancel());
    const standing = async (): Promise<unknown> => JSON.parse(await textAt('/v1/responses/resp_1'));
    expect(await standing()).toEqual({ id: 'resp_1', status: 'queued', output: [] });
    run.write(2);
    expect(await standing()).toEqual({ id: 'resp_1', status: 'in_progress', output: [] });
    run.write();
    expect(await standing()).toEqual({ id: 'resp_1', status: 'in_progress', output: [] });
    expect(await standing()).toEqual(whole);
  });

  it('tells what it is told to tell in the end', async () => {
    await serve(openaiBackgroundRun(body, { whole: { a: 1 } }).routes);
    await post('/v1/responses', IN_BACKGROUND);
    expect(await textAt('/v1/responses/resp_1')).toBe('{"a":1}');
  });

  it('is too old at some time, but not to be told whole', async () => {
    const run = openaiBackgroundRun(body, { maxStreams: 1 });
    await serve(run.routes);
    const tooOld = [400, JSON_TYPE, { message: expect.stringContaining('more than 5 minutes old') as unknown }];
    await post('/v1/responses', IN_BACKGROUND);
    expect(await textAt('/v1/responses/resp_1?stream=true')).toBe(body);
    expect(await failureAt('/v1/responses/resp_1?stream=true')).toMatchObject(tooOld);
    expect(JSON.parse(await textAt('/v1/responses/resp_1'))).toEqual(whole);
    run.forget();
    expect(await failureAt('/v1/responses/resp_1')).toMatchObject([404, JSON_TYPE, {}]);
  });

  it('expires when it is told to', async () => {
    const run = openaiBackgroundRun(body);
    await serve(run.routes);
    await post('/v1/responses', IN_BACKGROUND);
    run.expire();
    expect((await get('/v1/responses/resp_1?stream=true')).status).toBe(400);
  });

  it('is cancelled, which ends its streams, as often as it is asked to', async () => {
    const run = openaiBackgroundRun(body, { written: 2 });
    await serve(run.routes);
    const stream = await post('/v1/responses', IN_BACKGROUND);
    const cancel = (): Promise<Response> => post('/v1/responses/resp_1/cancel');
    for (const response of [await cancel(), await cancel()]) {
      expect(await response.json()).toEqual({ id: 'resp_1', status: 'cancelled', output: [] });
    }
    run.write();
    expect(await stream.text()).toBe(events[0]! + events[1]!);
    expect(run.isCancelled).toBe(true);
    expect(JSON.parse(await textAt('/v1/responses/resp_1'))).toMatchObject({ status: 'cancelled' });
  });

  it('is not cancelled any more when it is finished', async () => {
    const run = openaiBackgroundRun(body);
    await serve(run.routes);
    await post('/v1/responses', IN_BACKGROUND);
    expect(await (await post('/v1/responses/resp_1/cancel')).json()).toEqual(whole);
    expect(run.isCancelled).toBe(false);
  });

  it('goes wrong as it is told, one answer after another', async () => {
    const answers = [
      { fault: { type: 'truncate', afterBytes: 10 } },
      { status: 503, headers: { 'retry-after': '2' } },
      { fault: { type: 'reset', afterBytes: 3 } },
      {},
      { status: 429, body: 'slow down' },
    ] as const;
    await serve(openaiBackgroundRun(body, { answers }).routes);
    expect(await (await post('/v1/responses', IN_BACKGROUND)).text()).toBe(body.slice(0, 10));
    const failed = await get('/v1/responses/resp_1?stream=true');
    expect([failed.status, failed.headers.get('retry-after'), failed.headers.get('content-type')]).toEqual([
      503,
      '2',
      JSON_TYPE,
    ]);
    expect(await failed.json()).toMatchObject({ error: { message: 'Status 503' } });
    await expect(textAt('/v1/responses/resp_1?stream=true')).rejects.toThrow();
    expect(await textAt('/v1/responses/resp_1?stream=true')).toBe(body);
    const limited = await get('/v1/responses/resp_1');
    expect([limited.status, await limited.text()]).toEqual([429, 'slow down']);
    expect(await textAt('/v1/responses/resp_1?stream=true')).toBe(body);
  });

  it('begins again with a request that creates it again, at another path too', async () => {
    const run = openaiBackgroundRun(body, { path: '/proxy/openai/responses', written: 1 });
    await serve(run.routes);
    await post('/proxy/openai/responses', IN_BACKGROUND).then((response) => response.body?.cancel());
    run.write();
    expect(await textAt('/proxy/openai/responses/resp_1?stream=true')).toBe(body);
    const again = chunksOf(await post('/proxy/openai/responses', IN_BACKGROUND));
    expect(await again()).toBe(events[0]);
    run.write();
    expect(await again()).toBe(events.slice(1).join(''));
  });
});

describe('interactionRun()', () => {
  const events = [
    { event_type: 'interaction.created', event_id: 'e-1', interaction: { id: 'int_1', status: 'in_progress' } },
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', event_id: 'e 2/é', index: 0, delta: { type: 'text', text: 'Hi' } },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'interaction.completed', interaction: { id: 'int_1', status: 'completed' } },
  ].map(eventOf);
  const body = events.join('');

  it('goes on behind the event, those without an id sent again', async () => {
    await serve(interactionRun(body).routes);
    expect(await (await post('/v1beta/interactions', { stream: true })).text()).toBe(body);
    const path = '/v1beta/interactions/int_1?stream=true';
    expect(await textAt(path)).toBe(body);
    expect(await textAt(`${path}&last_event_id=e-1`)).toBe(events.slice(1).join(''));
    expect(await textAt(`${path}&last_event_id=${encodeURIComponent('e 2/é')}`)).toBe(events.slice(3).join(''));
    expect(await failureAt(`${path}&last_event_id=e-3`)).toMatchObject([400, JSON_TYPE, {}]);
    expect(await failureAt('/v1beta/interactions/int_2?stream=true')).toMatchObject([
      404,
      JSON_TYPE,
      { code: 404, status: 'NOT_FOUND' },
    ]);
  });

  it('is told whole, and known unless it was asked for without being stored', async () => {
    await serve(interactionRun(body).routes);
    await post('/v1beta/interactions', { stream: true });
    expect(JSON.parse(await textAt('/v1beta/interactions/int_1'))).toEqual({ id: 'int_1', status: 'completed' });
    await post('/v1beta/interactions', { stream: true, store: false });
    expect((await get('/v1beta/interactions/int_1')).status).toBe(404);
  });

  it('is cancelled in the background only', async () => {
    const run = interactionRun(body, { written: 1 });
    await serve(run.routes);
    await post('/v1beta/interactions', { stream: true }).then((response) => response.body?.cancel());
    expect((await post('/v1beta/interactions/int_1/cancel')).status).toBe(400);
    await post('/v1beta/interactions', IN_BACKGROUND).then((response) => response.body?.cancel());
    expect(await (await post('/v1beta/interactions/int_1/cancel')).json()).toEqual({
      id: 'int_1',
      status: 'cancelled',
    });
    expect(run.isCancelled).toBe(true);
  });
});

describe('eventRelay()', () => {
  async function relayed(lastEventId?: string): Promise<string> {
    const response = await get('/relay', lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId });
    return response.ok ? await response.text() : `status ${response.status}`;
  }

  it('numbers events that have no id, and goes on behind the last one', async () => {
    await serve({ '/relay': eventRelay('data: a\n\ndata: b\n\n', { retryMs: 3 }) });
    expect(await relayed()).toBe('retry: 3\nid: 1\ndata: a\n\nid: 2\ndata: b\n\n');
    expect(await relayed('1')).toBe('retry: 3\nid: 2\ndata: b\n\n');
    expect(await relayed('2')).toBe('retry: 3\n');
    expect(await relayed('3')).toBe('status 404');
  });

  it('leaves ids as they are, and goes wrong as it is told', async () => {
    const events = ['data: a\n\n', 'id: x\ndata: b\n\n', 'data: c\n\n'];
    await serve({
      '/relay': eventRelay(events.join(''), { answers: [{ fault: { type: 'truncate', afterBytes: 4 } }] }),
    });
    expect(await relayed()).toBe('data');
    expect(await relayed('x')).toBe(events[2]);
  });
});

/** Reads a response chunk by chunk; undefined at its end. */
function chunksOf({ body }: Response): () => Promise<string | undefined> {
  const reader = body!.getReader();
  return async () => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
}
