import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startFakeProvider, type FakeExchange, type FakeProvider, type FakeRoute } from 'rx-model-stream/testing/node';
import { httpBody } from '../../support/httpBody';
import { until } from '../../support/until';

let provider: FakeProvider;

/** Starts a provider with one route and gives its address. */
async function serve(route: FakeRoute): Promise<string> {
  provider = await startFakeProvider({ '/stream': route });
  return `${provider.url}/stream`;
}

function exchange(nth = 0): FakeExchange {
  return provider.requests[nth]!;
}

/** Long enough to be noticed: a test that waits for it has failed. */
const FOREVER_MS = 60_000;

afterEach(() => provider.close());

describe('startFakeProvider()', () => {
  it('answers an event stream unless told otherwise', async () => {
    const response = await fetch(await serve({ body: 'data: hi\n\n' }));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe('data: hi\n\n');
    expect(await exchange().closedBy).toBe('server');
  });

  it('answers with the status and the headers it is given', async () => {
    const headers = { 'Content-Type': 'application/json', 'retry-after': '3' };
    const response = await fetch(await serve({ status: 429, headers, body: '{}' }));
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toEqual({});
  });

  it('answers 404 and an error as JSON on an unknown path', async () => {
    await serve({});
    for (const path of ['/other', '/constructor']) {
      const response = await fetch(provider.url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: { message: `No route for ${path}` } });
    }
  });

  it('answers below a path, the nearest one first', async () => {
    provider = await startFakeProvider({
      '/a/*': { body: 'below' },
      '/a/b/*': { body: 'nearer' },
      '/a/b/c': { body: 'at' },
    });
    const bodies = {
      '/a/': 'below',
      '/a/b': 'below',
      '/a/x/y': 'below',
      '/a/b/': 'nearer',
      '/a/b/x': 'nearer',
      '/a/b/c': 'at',
    };
    for (const [path, body] of Object.entries(bodies))
      expect(await (await fetch(provider.url + path)).text()).toBe(body);
    for (const path of ['/a', '/ab', '/']) expect((await fetch(provider.url + path)).status).toBe(404);
  });

  it('lets a route look at the request and its number', async () => {
    const url = await serve(({ body }, nth) => ({ body: `${body} ${nth}` }));
    for (const nth of [1, 2]) {
      const response = await fetch(url, { method: 'POST', body: 'hi' });
      expect(await response.text()).toBe(`hi ${nth}`);
    }
  });

  it('records what was asked', async () => {
    const url = await serve({});
    await fetch(`${url}?cursor=7`, { method: 'POST', headers: { 'X-Key': 'k' }, body: '{"a":1}' });
    const { method, path, query, headers, body } = exchange();
    expect([method, path, query.get('cursor'), headers['x-key'], body]).toEqual([
      'POST',
      '/stream',
      '7',
      'k',
      '{"a":1}',
    ]);
  });

  it('tells which requests share a connection', async () => {
    const url = await serve({ body: 'a' });
    await text(await httpBody(url));
    await text(await httpBody(url));
    expect(provider.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('answers 500 and the message when a route throws or is wrong', async () => {
    const url = await serve((_request, nth) => {
      if (nth === 2) throw new Error('no such fixture');
      return { body: 'a', chunkBytes: 0 };
    });
    const messages = ['RangeError: Cannot use chunkBytes 0: expected a whole number from 1', 'Error: no such fixture'];
    for (const message of messages) {
      const response = await fetch(url);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: { message } });
    }
  });

  it('breaks the connection when a body throws', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      await Promise.resolve();
      throw new Error('no more');
    }
    const response = await httpBody(await serve({ body: body() }));
    await expect(text(response)).rejects.toThrow('aborted');
    expect(await exchange().closedBy).toBe('server');
  });

  describe('pace', () => {
    it('waits before the headers', async () => {
      const url = await serve({ headersAfterMs: 30 });
      const start = performance.now();
      await fetch(url);
      expect(performance.now() - start).toBeGreaterThan(28);
    });

    it('waits between two writes, not before the first', async () => {
      const response = await httpBody(await serve({ body: 'abc', chunkBytes: 2, everyMs: FOREVER_MS }));
      expect(String((await once(response, 'data'))[0])).toBe('ab');
      expect(exchange().bytesWritten).toBe(2);
      response.destroy();
      expect(await exchange().closedBy).toBe('client');
    });

    it('sends the whole body at its pace', async () => {
      const url = await serve({ body: 'abc', chunkBytes: 1, everyMs: 15 });
      const start = performance.now();
      expect(await text(await httpBody(url))).toBe('abc');
      expect(performance.now() - start).toBeGreaterThan(28);
    });

    it('is held back by a client that does not read, and goes on when it does', async () => {
      const size = 200 * 1024 * 1024;
      const piece = new Uint8Array(64 * 1024);
      function* body(): Generator<Uint8Array> {
        for (let sent = 0; sent < size; sent += piece.length) yield piece;
      }
      const response = await httpBody(await serve(() => ({ body: body() })));
      await until(() => exchange().isPaused);
      expect(exchange().bytesWritten).toBeLessThan(size / 2);
      let received = 0;
      for await (const chunk of response) received += (chunk as Uint8Array).length;
      expect(received).toBe(size);
      expect(await exchange().closedBy).toBe('server');
      expect([exchange().bytesWritten, exchange().isPaused]).toEqual([size, false]);
    });
  });

  describe('faults', () => {
    it('reset breaks the connection after what was sent', async () => {
      const url = await serve({ body: 'abcdef', fault: { type: 'reset', afterBytes: 3 } });
      const response = await httpBody(url);
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      const [error] = (await once(response, 'error')) as [NodeJS.ErrnoException];
      expect([received, error.code]).toEqual(['abc', 'ECONNRESET']);
      expect(await exchange().closedBy).toBe('server');
    });

    it('reset without afterBytes breaks the connection before there is a response', async () => {
      const response = httpBody(await serve({ body: 'a', fault: { type: 'reset' } }));
      await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(exchange().bytesWritten).toBe(0);
      expect(await exchange().closedBy).toBe('server');
    });

    it('stall without afterBytes gives no response', async () => {
      const controller = new AbortController();
      const response = httpBody(await serve({ body: 'a', fault: { type: 'stall' } }), controller.signal);
      await until(() => provider.requests.length === 1);
      controller.abort();
      await expect(response).rejects.toMatchObject({ name: 'AbortError' });
      expect(await exchange().closedBy).toBe('client');
    });

    it('stall leaves the connection open and silent', async () => {
      const response = await httpBody(await serve({ body: 'abcdef', fault: { type: 'stall', afterBytes: 3 } }));
      expect(String((await once(response, 'data'))[0])).toBe('abc');
      expect(exchange().bytesWritten).toBe(3);
      response.destroy();
      expect(await exchange().closedBy).toBe('client');
    });

    it('truncate ends in good order', async () => {
      const response = await fetch(await serve({ body: 'abcdef', fault: { type: 'truncate', afterBytes: 3 } }));
      expect(await response.text()).toBe('abc');
    });

    it('error-event sends its text in place of the rest', async () => {
      const event = 'data: {"error":{}}\n\n';
      const url = await serve({ body: 'data: a\n\ndata: b\n\n', fault: { type: 'error-event', afterBytes: 9, event } });
      expect(await (await fetch(url)).text()).toBe(`data: a\n\n${event}`);
    });
  });

  describe('leaving', () => {
    it('keeps the connection open after the body when told so', async () => {
      const response = await httpBody(await serve({ body: 'abc', keepOpen: true }));
      expect(String((await once(response, 'data'))[0])).toBe('abc');
      response.destroy();
      expect(await exchange().closedBy).toBe('client');
    });

    it('sees a client leave before the headers', async () => {
      const controller = new AbortController();
      const response = fetch(await serve({ headersAfterMs: FOREVER_MS }), { signal: controller.signal });
      await until(() => provider.requests.length === 1);
      controller.abort();
      await expect(response).rejects.toThrow('aborted');
      expect(await exchange().closedBy).toBe('client');
    });

    it('sees a client leave that held it back, and gives the body up', async () => {
      let isGivenUp = false;
      function* body(): Generator<Uint8Array> {
        try {
          for (;;) yield new Uint8Array(64 * 1024);
        } finally {
          isGivenUp = true;
        }
      }
      const response = await httpBody(await serve({ body: body() }));
      await until(() => exchange().isPaused);
      response.destroy();
      expect(await exchange().closedBy).toBe('client');
      expect(isGivenUp).toBe(true);
    });
  });

  describe('close()', () => {
    it('ends every connection and leaves neither socket nor timer', async () => {
      const running = (kind: string): number =>
        process.getActiveResourcesInfo().filter((name) => name.startsWith(kind)).length;
      await until(() => running('TCP') === 0);
      const timers = running('Timeout');
      const url = await serve((_request, nth) => (nth === 1 ? { keepOpen: true } : { headersAfterMs: FOREVER_MS }));
      const open = await httpBody(url);
      const waiting = httpBody(url);
      await until(() => provider.requests.length === 2);
      const outcomes = Promise.allSettled([text(open), waiting]);
      await provider.close();
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await Promise.all(provider.requests.map(({ closedBy }) => closedBy))).toEqual(['server', 'server']);
      await expect(httpBody(url)).rejects.toThrow('ECONNREFUSED');
      await until(() => running('TCP') === 0);
      await until(() => running('Timeout') <= timers); // timers of others come and go; one of ours would stay
    });
  });
});
