import { fromModel, ModelStreamError } from 'rx-model-stream';
import { startFakeProvider, type FakeProvider, type FakeResponse } from 'rx-model-stream/testing/node';
import { answers, anthropicAnswer, eventStream, wholeAnswer, type Answer } from '../support/answers';
import { heardFrom, textIn } from '../support/heard';
import { plainError } from '../support/outcome';

let service: FakeProvider | undefined;

afterEach(async () => {
  await service?.close();
});

/** What a client hears of a service that answers so. */
async function heardOf(response: FakeResponse, { provider }: Answer = anthropicAnswer) {
  await service?.close();
  service = await startFakeProvider({ '/answer': response });
  return heardFrom(fromModel(provider, { url: `${service.url}/answer`, body: {} }));
}

/** Where the answer may be cut: between its events and in the middle of each, with the text that is whole by then. */
function cutsOf({ opening, text, closing }: Answer): { afterBytes: number; whole: string }[] {
  let bytes = 0;
  return [...opening, ...text, ...closing].flatMap((event, index) => {
    const start = bytes;
    bytes += eventStream(event).length;
    const whole = 'Hello'.slice(0, [0, 3, 5][Math.min(2, Math.max(0, index - opening.length))]);
    return [
      { afterBytes: start, whole },
      { afterBytes: Math.floor((start + bytes) / 2), whole },
    ];
  });
}

describe.each(answers)('a stream of %s over HTTP', (_name, answer) => {
  const body = wholeAnswer(answer);
  const name = answer.provider.name;

  it('ends with finish at its terminal signal', async () => {
    const { values, error } = await heardOf({ body, chunkBytes: 7 }, answer);
    expect([textIn(values), values.at(-1), error]).toMatchObject([
      'Hello',
      { type: 'finish', reason: 'stop' },
      undefined,
    ]);
  });

  it('is truncated, never finished, wherever its body ends before the terminal signal', async () => {
    for (const { afterBytes, whole } of cutsOf(answer)) {
      const { values, error } = await heardOf({ body, fault: { type: 'truncate', afterBytes } }, answer);
      expect([afterBytes, textIn(values)]).toEqual([afterBytes, whole]);
      expect(values.map(({ type }) => type)).not.toContain('finish');
      expect(error).toMatchObject({ code: 'truncated', retryable: true });
    }
  });

  it('fails with network, retryable, wherever its connection breaks, after everything that was whole', async () => {
    for (const { afterBytes, whole } of cutsOf(answer)) {
      const { values, error } = await heardOf({ body, fault: { type: 'reset', afterBytes } }, answer);
      expect([afterBytes, textIn(values)]).toEqual([afterBytes, whole]);
      expect(values.map(({ type }) => type)).not.toContain('finish');
      expect(error).toMatchObject({ code: 'network', retryable: true, cause: { message: 'terminated' } });
    }
  });

  it('has ended when its connection breaks after the terminal signal', async () => {
    const { values, error } = await heardOf({ body, fault: { type: 'reset', afterBytes: body.length } }, answer);
    expect([textIn(values), values.at(-1)?.type, error]).toEqual(['Hello', 'finish', undefined]);
  });

  it('fails with what its provider reports inside it, after everything that was whole', async () => {
    const event = eventStream(answer.failure);
    for (const { afterBytes, whole } of cutsOf(answer).filter((_cut, index) => index % 2 === 0)) {
      const { values, error } = await heardOf({ body, fault: { type: 'error-event', afterBytes, event } }, answer);
      expect([afterBytes, textIn(values)]).toEqual([afterBytes, whole]);
      expect(values.map(({ type }) => type)).not.toContain('finish');
      expect(error).toMatchObject({ code: 'provider', provider: name, retryable: true, message: 'Overloaded' });
    }
  });
});

describe('a service that does not stream', () => {
  it('is refused with what it says about it', async () => {
    const { values, error } = await heardOf({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '7', 'request-id': 'req_1' },
      body: JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }),
    });
    const message = 'Cannot stream: the service answered with status 429: Slow down';
    const expected = new ModelStreamError('http', message, {
      provider: 'anthropic',
      status: 429,
      providerCode: 'rate_limit_error',
      retryable: true,
      retryAfterMs: 7000,
      requestId: 'req_1',
    });
    expect([values, plainError(error)]).toEqual([[], plainError(expected)]);
  });

  it('is refused when it answers 200 with HTML', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const { error } = await heardOf({ headers, body: '<title>Sign in to the network</title>' });
    const message = 'Cannot stream: the service answered with content type "text/html"';
    expect(plainError(error)).toEqual(
      plainError(new ModelStreamError('http', message, { provider: 'anthropic', status: 200 })),
    );
  });

  it('is refused when nothing listens there', async () => {
    await service?.close();
    service = await startFakeProvider({});
    const { url } = service;
    await service.close();
    service = undefined;
    const { error } = await heardFrom(fromModel(anthropicAnswer.provider, { url }));
    expect(error).toMatchObject({ code: 'network', retryable: true, cause: { message: 'fetch failed' } });
  });

  it('is left after the beginning of an endless error body', async () => {
    function* body(): Generator<Uint8Array> {
      for (;;) yield new Uint8Array(16 * 1024).fill(32);
    }
    const { error } = await heardOf({ status: 500, body: body() });
    expect(error).toMatchObject({ code: 'http', status: 500, retryable: true });
    expect(await service!.requests[0]!.closedBy).toBe('client');
  });

  it('is refused although its error body breaks off', async () => {
    const fault = { type: 'reset', afterBytes: 10 } as const;
    const { error } = await heardOf({ status: 503, body: '{"error":{"message":"Busy"}}', fault });
    expect(error).toMatchObject({ code: 'http', status: 503, retryable: true });
  });
});
