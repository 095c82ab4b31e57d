import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { anthropic, fromByteStream, fromModel } from 'rx-model-stream';
import { fakeFetch, sliceBytes, type FakeAnswer } from 'rx-model-stream/testing';
import { fixtureBytes } from '../support/fixtures';
import { createGate } from '../support/gate';
import { until } from '../support/until';

const url = 'https://api.example/v1/messages';
const body = fixtureBytes('anthropic/tool-call.sse');

/** A body without end, and whether it was given up. */
function pieces() {
  const body = {
    isGivenUp: false,
    *[Symbol.iterator]() {
      try {
        for (;;) yield new TextEncoder().encode('a');
      } finally {
        body.isGivenUp = true;
      }
    },
  };
  return body;
}

function decoded(chunk: { readonly value?: Uint8Array | undefined }): string {
  return new TextDecoder().decode(chunk.value);
}

describe('fakeFetch()', () => {
  it('answers an empty event stream unless told otherwise', async () => {
    const response = await fakeFetch()(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe('');
  });

  it('answers with the status, the headers and the body it is given', async () => {
    const headers = { 'Content-Type': 'application/json', 'retry-after': '3' };
    const response = await fakeFetch({ status: 429, headers, body: '{}' })(url);
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'application/json', 'retry-after': '3' });
    expect(await response.json()).toEqual({});
  });

  it.each([204, 205, 304])('answers %i without a body', async (status) => {
    const response = await fakeFetch({ status, body: 'a' })(url);
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('1. plays its answers one after another and the last one again and again', async () => {
    const fetch = fakeFetch({ body: 'a' }, { body: 'b' });
    const texts = [];
    for (let call = 0; call < 4; call += 1) texts.push(await (await fetch(url)).text());
    expect(texts).toEqual(['a', 'b', 'b', 'b']);
    expect(fetch.calls).toHaveLength(4);
  });

  it('1. records what was asked, at once', async () => {
    const fetch = fakeFetch();
    const answering = fetch(new URL(url), { method: 'post', headers: { 'X-Key': 'k' }, body: '{"a":1}' });
    const [{ request }] = fetch.calls as [(typeof fetch.calls)[0]];
    expect([request.method, request.url, request.headers.get('x-key')]).toEqual(['POST', url, 'k']);
    expect(await request.json()).toEqual({ a: 1 });
    await answering;
  });

  it('rejects what fetch rejects', async () => {
    await expect(fakeFetch()('no address')).rejects.toMatchObject({ name: 'TypeError' });
    await expect(fakeFetch()(url, { method: 'GET', body: 'a' })).rejects.toMatchObject({ name: 'TypeError' });
  });

  it('2. reads nothing ahead and counts what is read, the end included', async () => {
    const fetch = fakeFetch({ body: 'abcde', chunkBytes: 2 });
    const response = await fetch(url);
    expect(fetch.calls[0]?.reads).toBe(0);
    const reader = response.body!.getReader();
    expect(decoded(await reader.read())).toBe('ab');
    expect(fetch.calls[0]?.reads).toBe(1);
    await reader.read();
    await reader.read();
    expect((await reader.read()).done).toBe(true);
    expect(fetch.calls[0]).toMatchObject({ reads: 4, isAborted: false, isCancelled: false });
  });

  it('2. cuts the body where sliceBytes does', async () => {
    const chunkBytes = { seed: 3, max: 50 };
    const source = fromByteStream(() => fakeFetch({ body, chunkBytes })(url));
    expect(await lastValueFrom(source.pipe(toArray()))).toEqual(sliceBytes(body, chunkBytes));
  });

  describe('3. aborting', () => {
    const reason = new Error('No longer needed');

    it('before the call rejects it', async () => {
      const fetch = fakeFetch();
      await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(fetch.calls[0]?.isAborted).toBe(true);
    });

    it('while there is no response rejects the call', async () => {
      const controller = new AbortController();
      const fetch = fakeFetch({ fault: { type: 'stall' } });
      const answering = fetch(url, { signal: controller.signal });
      controller.abort(reason);
      await expect(answering).rejects.toBe(reason);
      expect(fetch.calls[0]).toMatchObject({ reads: 0, isAborted: true });
    });

    it('while the body is read fails it and gives its pieces up', async () => {
      const controller = new AbortController();
      const body = pieces();
      const fetch = fakeFetch({ body, fault: { type: 'stall', afterBytes: 1 } });
      const reader = (await fetch(url, { signal: controller.signal })).body!.getReader();
      await reader.read();
      const pending = reader.read();
      await until(() => fetch.calls[0]?.reads === 2);
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
      expect(body.isGivenUp).toBe(true);
      expect(fetch.calls[0]).toMatchObject({ reads: 2, isAborted: true, isCancelled: false });
    });

    it('after the end changes nothing', async () => {
      const controller = new AbortController();
      const response = await fakeFetch({ body: 'a' })(url, { signal: controller.signal });
      const text = await response.text();
      controller.abort(reason);
      expect(text).toBe('a');
    });
  });

  it('says that the body was cancelled, and gives its pieces up', async () => {
    const body = pieces();
    const fetch = fakeFetch({ body });
    const reader = (await fetch(url)).body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(body.isGivenUp).toBe(true);
    expect(fetch.calls[0]).toMatchObject({ reads: 1, isAborted: false, isCancelled: true });
  });

  describe('4. faults', () => {
    async function heardOf(answer: FakeAnswer): Promise<string> {
      let heard = '';
      const response = await fakeFetch(answer)(url);
      try {
        for await (const chunk of response.body!) heard += new TextDecoder().decode(chunk);
      } catch (error) {
        return `${heard} ${String(error)}`;
      }
      return heard;
    }

    it('reset before the response rejects the call', async () => {
      await expect(fakeFetch({ fault: { type: 'reset' } })(url)).rejects.toEqual(new TypeError('fetch failed'));
    });

    it('reset breaks the body after what was sent', async () => {
      expect(await heardOf({ body: 'abcdef', fault: { type: 'reset', afterBytes: 3 } })).toBe(
        'abc TypeError: terminated',
      );
    });

    it('truncate ends it in good order', async () => {
      expect(await heardOf({ body: 'abcdef', fault: { type: 'truncate', afterBytes: 3 } })).toBe('abc');
    });

    it('error-event sends its text in place of the rest', async () => {
      expect(await heardOf({ body: 'abcdef', fault: { type: 'error-event', afterBytes: 3, event: '!' } })).toBe('abc!');
    });

    it('a body that throws breaks with what it threw', async () => {
      function* body(): Generator<Uint8Array> {
        yield new TextEncoder().encode('a');
        throw new Error('no more');
      }
      expect(await heardOf({ body: body() })).toBe('a Error: no more');
    });
  });

  it('4. gives each piece of a body when the test does', async () => {
    const gate = createGate();
    async function* body(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('a');
      await gate.pass();
      yield new TextEncoder().encode('b');
    }
    const reader = (await fakeFetch({ body: body() })(url)).body!.getReader();
    expect(decoded(await reader.read())).toBe('a');
    const next = reader.read();
    gate.open();
    expect(decoded(await next)).toBe('b');
  });

  it.each([0, 1.5])('throws a RangeError when chunkBytes is %s', (chunkBytes) => {
    const message = `Cannot use chunkBytes ${chunkBytes}: expected a whole number from 1`;
    expect(() => fakeFetch({ chunkBytes })).toThrow(new RangeError(message));
  });

  describe('behind fromModel()', () => {
    it('shows that a whole answer was read to its end and nothing aborted', async () => {
      const fetch = fakeFetch({ body, chunkBytes: 100 });
      await lastValueFrom(fromModel(anthropic(), { url, fetch }));
      expect(fetch.calls).toEqual([
        expect.objectContaining({ reads: Math.ceil(body.length / 100) + 1, isAborted: false, isCancelled: false }),
      ]);
    });

    it('shows that a consumer who leaves closes the connection and reads no more', async () => {
      const fetch = fakeFetch({ body, chunkBytes: 400 });
      await firstValueFrom(fromModel(anthropic(), { url, fetch }));
      expect(fetch.calls).toMatchObject([{ reads: 1, isAborted: true, isCancelled: true }]);
    });
  });
});
