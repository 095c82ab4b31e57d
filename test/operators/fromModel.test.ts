import { lastValueFrom, of, Subject, toArray } from 'rxjs';
import { anthropic, fromModel, isModelStreamError, openaiResponses, type ModelRequest } from 'rx-model-stream';
import { fakeFetch } from 'rx-model-stream/testing';
import { concatBytes, encodeAwsMessage } from '../support/awsEventStream';
import { fixtureBytes } from '../support/fixtures';
import { tiny, type TinyWire } from '../support/tinyProvider';

const body = fixtureBytes('anthropic/tool-call.sse');

function answer(init: ResponseInit = {}): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' }, ...init });
}

async function send(request: Partial<ModelRequest>): Promise<Request> {
  const fetch = fakeFetch({ body });
  await lastValueFrom(fromModel(anthropic(), { url: 'http://127.0.0.1/v1/messages', fetch, ...request }));
  return fetch.calls[0]!.request;
}

describe('fromModel()', () => {
  it('is cold: each subscription is a request of its own', async () => {
    const fetch = fakeFetch({ body });
    const answer$ = fromModel(anthropic(), { url: 'http://127.0.0.1/v1/messages', fetch });
    expect(fetch.calls).toHaveLength(0);
    const first = await lastValueFrom(answer$.pipe(toArray()));
    const second = await lastValueFrom(answer$.pipe(toArray()));
    expect(fetch.calls).toHaveLength(2);
    expect(second).toEqual(first);
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it('sends an object as JSON, by POST, and asks for an event stream', async () => {
    const request = await send({ body: { model: 'm', stream: true }, headers: { 'X-Api-Key': 'key' } });
    expect(request.method).toBe('POST');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(request.headers.get('accept')).toBe('text/event-stream');
    expect(request.headers.get('x-api-key')).toBe('key');
    expect(await request.json()).toEqual({ model: 'm', stream: true });
  });

  it('sends text and bytes as they are, and the headers of the caller before its own', async () => {
    const text = await send({ body: '{"model":"m"}', headers: { 'Content-Type': 'application/json; v=1' } });
    expect(text.headers.get('content-type')).toBe('application/json; v=1');
    expect(await text.text()).toBe('{"model":"m"}');
    const bytes = await send({ body: new Uint8Array([123, 125]), headers: { accept: 'application/json' } });
    expect(bytes.headers.get('accept')).toBe('application/json');
    expect(await bytes.text()).toBe('{}');
  });

  it('can read a response again by GET, without a body', async () => {
    const request = await send({ method: 'GET' });
    expect(request.method).toBe('GET');
    expect(request.headers.get('content-type')).toBeNull();
  });

  it.each([
    ['a response', () => answer()],
    ['a promise', () => Promise.resolve(answer())],
    ['an Observable', () => of(answer())],
    ['an iterable', () => [answer()]],
  ])('takes %s from a client of the caller', async (_what, client) => {
    const events = await lastValueFrom(fromModel(anthropic(), client).pipe(toArray()));
    expect(events[0]).toMatchObject({ type: 'response-start', provider: 'anthropic' });
    expect(events.at(-1)).toMatchObject({ type: 'finish' });
  });

  it('leaves the Observable of a client open until the body has ended, and then leaves it', async () => {
    const responses = new Subject<Response>();
    const signals: AbortSignal[] = [];
    const done = lastValueFrom(
      fromModel(anthropic(), (signal) => {
        signals.push(signal);
        return responses;
      }),
    );
    responses.next(answer());
    expect(responses.observed).toBe(true);
    await done;
    expect(responses.observed).toBe(false);
    expect(signals[0]?.aborted).toBe(false);
  });

  it('checks the response first, with the words of the provider', async () => {
    const failure = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const client = () => new Response(failure, { status: 529, headers: { 'request-id': 'req_1' } });
    const error: unknown = await lastValueFrom(fromModel(anthropic(), client)).catch((reason: unknown) => reason);
    expect(isModelStreamError(error) && error.toJSON()).toMatchObject({
      code: 'http',
      provider: 'anthropic',
      status: 529,
      providerCode: 'overloaded_error',
      retryable: true,
      requestId: 'req_1',
    });
  });

  it('hands its options on', async () => {
    const all = await lastValueFrom(fromModel(anthropic(), () => answer(), { raw: 'all' }).pipe(toArray()));
    expect(all.filter(({ type }) => type === 'raw').length).toBeGreaterThan(10);
    const small = lastValueFrom(fromModel(anthropic(), () => answer(), { maxFrameBytes: 20 }));
    await expect(small).rejects.toMatchObject({ code: 'too-large' });
    expect(() => fromModel(anthropic(), () => answer(), { maxFrameBytes: 0 })).toThrow(RangeError);
    expect(() => fromModel(anthropic(), () => answer(), { lingerMs: -1 })).toThrow(RangeError);
  });

  describe('cuts the body as its content type says', () => {
    const wires: readonly TinyWire[] = [{ start: 'r1' }, { say: 'Hel' }, { say: 'lo' }, { reason: 'stop' }, 'stop'];
    const texts = wires.map((wire) => JSON.stringify(wire));
    const array = `[${texts.join()}]`;
    const lines = texts.join('\n');
    const stream = texts.map((text) => `data: ${text}\n\n`).join('');

    const messages = concatBytes(texts.map((payload) => encodeAwsMessage({ headers: {}, payload })));

    function answeredAs(contentType: string, bytes: string | Uint8Array<ArrayBuffer>): Response {
      return new Response(bytes, { headers: { 'content-type': contentType } });
    }

    it.each([
      ['application/json', array],
      ['application/json; charset=UTF-8', array],
      ['application/x-ndjson', lines],
      ['application/ndjson', lines],
      ['application/jsonl', lines],
      ['application/json-lines', lines],
      ['application/vnd.amazon.eventstream', messages],
      ['text/event-stream', stream],
      ['Text/Event-Stream;charset=utf-8', stream],
      ['text/plain', stream],
    ])('%s', async (contentType, bytes) => {
      const provider = { ...tiny(), contentTypes: [contentType.split(';')[0]!.toLowerCase()] };
      const events = await lastValueFrom(fromModel(provider, () => answeredAs(contentType, bytes)).pipe(toArray()));
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', turn: { said: 'Hello' } });
      expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(2);
    });

    it('of each subscription anew', async () => {
      const provider = { ...tiny(), contentTypes: ['application/json', 'text/event-stream'] };
      const answers = [answeredAs('application/json', array), answeredAs('text/event-stream', stream)];
      const answer$ = fromModel(provider, () => answers.splice(0, 1)).pipe(toArray());
      const first = await lastValueFrom(answer$);
      expect(await lastValueFrom(answer$)).toEqual(first);
      expect(answers).toEqual([]);
    });

    it('of the first response, whatever a client sends after it', async () => {
      const provider = { ...tiny(), contentTypes: ['application/json', 'text/event-stream'] };
      const client = () => [answeredAs('application/json', array), answeredAs('text/event-stream', stream)];
      const events = await lastValueFrom(fromModel(provider, client).pipe(toArray()));
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', turn: { said: 'Hello' } });
    });

    it('only where the provider answers in it: else JSON with status 200 is a failure', async () => {
      const client = () => answeredAs('application/json', '[]');
      for (const answer$ of [fromModel(anthropic(), client), fromModel(openaiResponses(), client)]) {
        await expect(lastValueFrom<unknown>(answer$)).rejects.toMatchObject({ code: 'http', status: 200 });
      }
    });

    it('and asks for those the provider answers in', async () => {
      const fetch = fakeFetch({ body });
      const provider = { ...anthropic(), contentTypes: ['application/json', 'text/event-stream'] };
      await lastValueFrom(fromModel(provider, { url: 'http://127.0.0.1', fetch }));
      expect(fetch.calls[0]?.request.headers.get('accept')).toBe('application/json, text/event-stream');
    });

    it('and tells the failure that comes in place of an array, or behind one', async () => {
      const provider = { ...anthropic(), contentTypes: ['application/json'] };
      const failure = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
      for (const text of [failure, `[${failure}]`, `[]\n${failure}`]) {
        const answer$ = fromModel(provider, () => answeredAs('application/json', text));
        await expect(lastValueFrom(answer$)).rejects.toMatchObject({
          code: 'provider',
          providerCode: 'overloaded_error',
        });
      }
    });

    it('within maxFrameBytes', async () => {
      for (const [contentType, text] of [
        ['application/json', array],
        ['application/x-ndjson', lines],
      ] as const) {
        const provider = { ...tiny(), contentTypes: [contentType] };
        const answer$ = fromModel(provider, () => answeredAs(contentType, text), { maxFrameBytes: 8 });
        await expect(lastValueFrom(answer$)).rejects.toMatchObject({ code: 'too-large' });
      }
    });
  });

  it('fails with aborted when the signal of the caller is, its reason as cause', async () => {
    const controller = new AbortController();
    const reason = new Error('No longer needed');
    controller.abort(reason);
    const fetch = fakeFetch({ body });
    const aborted = lastValueFrom(
      fromModel(anthropic(), { url: 'http://127.0.0.1', fetch }, { signal: controller.signal }),
    );
    await expect(aborted).rejects.toMatchObject({ code: 'aborted', retryable: false, cause: reason });
    expect(fetch.calls).toHaveLength(0);
  });
});
