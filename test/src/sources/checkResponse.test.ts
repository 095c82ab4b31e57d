import {
  anthropic,
  bedrockConverse,
  checkResponse,
  gemini,
  isModelStreamError,
  openaiResponses,
  type ModelStreamError,
} from 'rx-model-stream';

type Checker = ReturnType<typeof checkResponse>;

const EVENT_STREAM = { 'content-type': 'text/event-stream' };
const JSON_BODY = { 'content-type': 'application/json' };

async function failureOf(response: Response, check: Checker = checkResponse()): Promise<ModelStreamError> {
  try {
    await check(response);
  } catch (error) {
    if (isModelStreamError(error)) return error;
    throw error;
  }
  throw new Error('The response passed');
}

function failedWith(body: unknown, status: number, headers: Record<string, string> = JSON_BODY): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
}

describe('checkResponse()', () => {
  describe('lets through, as it is,', () => {
    it.each(['text/event-stream', 'Text/Event-Stream;charset=UTF-8', ' text/event-stream ; charset=utf-8'])(
      'an event stream that is called %p',
      async (contentType) => {
        const response = new Response('data: a\n\n', { headers: { 'content-type': contentType } });
        expect(await checkResponse()(response)).toBe(response);
        expect(await response.text()).toBe('data: a\n\n');
      },
    );

    it.each(['application/json', 'application/json; charset=UTF-8', 'Application/X-NDJSON', 'text/event-stream'])(
      '%p where the provider answers in it',
      async (contentType) => {
        const contentTypes = ['application/json', 'application/x-ndjson', 'text/event-stream'];
        const response = new Response('[]', { headers: { 'content-type': contentType } });
        expect(await checkResponse({ ...anthropic(), contentTypes })(response)).toBe(response);
      },
    );

    it('one that was created', async () => {
      const response = new Response('data: a\n\n', { status: 201, headers: EVENT_STREAM });
      expect(await checkResponse()(response)).toBe(response);
    });

    it.each([200, 201])('an empty answer with status %i: it is known to be truncated later', async (status) => {
      const response = new Response(null, { status });
      expect(await checkResponse()(response)).toBe(response);
    });
  });

  describe('refuses', () => {
    it('an error status, with what the service says about it', async () => {
      const headers = { ...JSON_BODY, 'retry-after': '2', 'x-request-id': 'req_1' };
      const body = { error: { message: 'Slow down', code: 'rate_limit', type: 'requests' } };
      const error = await failureOf(failedWith(body, 429, headers));
      expect(error.toJSON()).toEqual({
        code: 'http',
        message: 'Cannot stream: the service answered with status 429: Slow down',
        provider: undefined,
        status: 429,
        providerCode: 'rate_limit',
        retryable: true,
        retryAfterMs: 2000,
        requestId: 'req_1',
        responseId: undefined,
        cursor: undefined,
      });
    });

    it('JSON with status 200, which reports a failure', async () => {
      const error = await failureOf(failedWith({ error: { message: 'No quota left', type: 'billing' } }, 200));
      expect(error).toMatchObject({ code: 'http', status: 200, providerCode: 'billing', retryable: false });
      expect(error.message).toBe(
        'Cannot stream: the service answered with content type "application/json": No quota left',
      );
    });

    it('HTML with status 200, and quotes nothing of it', async () => {
      const error = await failureOf(failedWith('<h1>Welcome to the proxy</h1>', 200, { 'content-type': 'text/html' }));
      expect(error).toMatchObject({ code: 'http', status: 200, providerCode: undefined, retryable: false });
      expect(error.message).toBe('Cannot stream: the service answered with content type "text/html"');
    });

    it('an event stream where the provider answers in something else only', async () => {
      const check = checkResponse({ ...anthropic(), contentTypes: ['application/json'] });
      const error = await failureOf(failedWith('data: a\n\n', 200, EVENT_STREAM), check);
      expect(error.message).toBe('Cannot stream: the service answered with content type "text/event-stream"');
    });

    it('a body without a content type', async () => {
      const error = await failureOf(new Response(new TextEncoder().encode('data: a\n\n')));
      expect(error.message).toBe('Cannot stream: the service answered with no content type');
    });

    it('an event stream with an error status', async () => {
      const error = await failureOf(failedWith('data: {"error":{}}\n\n', 500, EVENT_STREAM));
      expect(error).toMatchObject({ code: 'http', status: 500, retryable: true });
    });

    it.each([204, 205])('an answer without content: %i', async (status) => {
      const error = await failureOf(new Response(null, { status, headers: EVENT_STREAM }));
      expect(error).toMatchObject({ code: 'http', status, retryable: false });
      expect(error.message).toBe(`Cannot stream: the service answered with status ${status}`);
    });

    it.each([202, 203, 206, 210, 299])('a success that is another one: %i', async (status) => {
      expect(await failureOf(failedWith('data: a\n\n', status, EVENT_STREAM))).toMatchObject({
        status,
        retryable: false,
      });
    });

    it.each([300, 301, 302, 303, 304, 307, 308])('a redirection that nobody followed: %i', async (status) => {
      const response = new Response(null, { status, headers: { location: '/elsewhere' } });
      expect(await failureOf(response)).toMatchObject({ status, retryable: false });
    });

    it.each([
      ['opaqueredirect', 'the service answered with a redirection, which was not followed'],
      ['opaque', 'the answer must not be read'],
      ['error', 'the answer must not be read'],
    ])('what a browser shows nothing of: %s', async (type, problem) => {
      const response = Object.defineProperties(Response.error(), { type: { value: type } });
      const error = await failureOf(response);
      expect(error).toMatchObject({ code: 'http', status: undefined, retryable: false });
      expect(error.message).toBe(`Cannot stream: ${problem}`);
    });

    it.each([
      [405, JSON_BODY, 'status 405 after a redirection'],
      [200, { 'content-type': 'text/html' }, 'content type "text/html" after a redirection'],
    ])('what came of a redirected request, and says so: %i', async (status, headers, problem) => {
      const response = Object.defineProperties(failedWith('', status, headers), { redirected: { value: true } });
      const error = await failureOf(response);
      expect(error).toMatchObject({ status, retryable: false });
      expect(error.message).toBe(`Cannot stream: the service answered with ${problem}`);
    });

    it('a response whose body was read already', async () => {
      const response = failedWith({ error: { message: 'Busy' } }, 503);
      await response.text();
      expect(await failureOf(response)).toMatchObject({ code: 'http', status: 503, retryable: true });
    });
  });

  describe('says that asking again may help', () => {
    it.each([408, 409, 425, 429, 500, 502, 503, 504, 529, 599])('after status %i', async (status) => {
      expect((await failureOf(failedWith({}, status))).retryable).toBe(true);
    });

    it.each([400, 401, 402, 403, 404, 405, 406, 410, 413, 415, 422, 424, 499])(
      'not after status %i',
      async (status) => {
        expect((await failureOf(failedWith({}, status))).retryable).toBe(false);
      },
    );

    it.each(['insufficient_quota', 'billing_error', 'billing_hard_limit_reached'])('not after %s', async (code) => {
      expect((await failureOf(failedWith({ error: { code } }, 429))).retryable).toBe(false);
    });

    it('where the service says so, whatever the status', async () => {
      const told = (value: string) => ({ ...JSON_BODY, 'x-should-retry': value });
      expect((await failureOf(failedWith({}, 400, told('true')))).retryable).toBe(true);
      expect((await failureOf(failedWith({}, 503, told('false')))).retryable).toBe(false);
      expect((await failureOf(failedWith({}, 503, told('maybe')))).retryable).toBe(true);
    });

    it('where its provider knows the failure', async () => {
      const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
      const error = await failureOf(failedWith(body, 200), checkResponse(anthropic()));
      expect(error).toMatchObject({ provider: 'anthropic', providerCode: 'overloaded_error', retryable: true });
    });
  });

  it.each([
    ['the code', { error: { code: 'a', type: 'b' } }, 'a'],
    ['the type, where there is no code', { error: { code: null, type: 'b' } }, 'b'],
    ['a failure without an envelope', { code: 'a', message: 'm' }, 'a'],
    ['nothing where there is nothing', { detail: 'x' }, undefined],
    ['nothing in a list', [{ code: 'a' }], undefined],
    ['nothing in what is no JSON', 'oops', undefined],
  ])('reads as providerCode %s', async (_name, body, providerCode) => {
    expect((await failureOf(failedWith(body, 400))).providerCode).toBe(providerCode);
  });

  it.each([
    ['ValidationException', 400, false],
    ['ThrottlingException:http://internal.amazon.example/coral/', 429, true],
    ['ModelStreamErrorException', 424, true],
    ['AccessDeniedException', 403, false],
  ])('reads the header in which Amazon names the failure: %s', async (type, status, retryable) => {
    const response = (): Response => failedWith({ message: 'It failed' }, status, { 'x-amzn-errortype': type });
    const known = { status, providerCode: type.split(':')[0] };
    expect(await failureOf(response())).toMatchObject(known);
    const error = await failureOf(response(), checkResponse(bedrockConverse()));
    expect(error).toMatchObject({ ...known, provider: 'bedrock', retryable });
    expect(error.message).toBe(`Cannot stream: the service answered with status ${status}: It failed`);
  });

  it('reads a message that is only text', async () => {
    expect((await failureOf(failedWith({ error: 'No such model' }, 404))).message).toMatch(
      /status 404: No such model$/,
    );
  });

  it('lets its provider read the body', async () => {
    const body = { error: { message: 'Bad key', type: 'invalid_request_error', code: 'invalid_api_key' } };
    const error = await failureOf(failedWith(body, 401), checkResponse(openaiResponses()));
    expect(error).toMatchObject({ provider: 'openai-responses', providerCode: 'invalid_api_key', retryable: false });
    expect(error.message).toMatch(/status 401: Bad key$/);
  });

  it.each(['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'x-generation-id'])(
    'finds the id in %s',
    async (name) => {
      expect((await failureOf(failedWith({}, 500, { [name]: 'req_1' }))).requestId).toBe('req_1');
    },
  );

  it('finds the id in the body, where no header has it', async () => {
    const body = { type: 'error', error: { type: 'api_error', message: 'It failed' }, request_id: 'req_2' };
    const idOf = async (headers: Record<string, string>): Promise<string | undefined> =>
      (await failureOf(failedWith(body, 500, headers), checkResponse(anthropic()))).requestId;
    expect(await idOf(JSON_BODY)).toBe('req_2');
    expect(await idOf({ ...JSON_BODY, 'request-id': '' })).toBe('req_2');
    expect(await idOf({ ...JSON_BODY, 'request-id': 'req_1' })).toBe('req_1');
  });

  describe('reads how long to wait', () => {
    const body = { error: { code: 'rate_limit_exceeded', message: 'Please try again in 1.2s' } };
    const spent = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' };
    const waitAfter = async (response: Response, check?: Checker): Promise<number | undefined> =>
      (await failureOf(response, check)).retryAfterMs;

    it('in headers before the body, and there before the limits that are spent', async () => {
      const headers = { ...JSON_BODY, ...spent };
      expect(await waitAfter(failedWith(body, 429, { ...headers, 'retry-after': '3' }))).toBe(3000);
      expect(await waitAfter(failedWith(body, 429, headers))).toBe(1200);
      expect(await waitAfter(failedWith({}, 429, headers))).toBe(360_000);
    });

    it('in the details of Google, before its message', async () => {
      const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Please retry in 34.07s.' };
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }];
      const check = checkResponse(gemini());
      expect(await waitAfter(failedWith([{ error: { ...error, details } }], 429), check)).toBe(34_000);
      expect(await waitAfter(failedWith({ error }, 429), check)).toBe(34_070);
      expect(await waitAfter(failedWith({ error }, 429))).toBe(34_070);
    });

    it('in plain text', async () => {
      expect(await waitAfter(failedWith('Retry after 5s', 503, { 'content-type': 'text/plain' }))).toBe(5000);
    });

    it('in no message where asking again does not help', async () => {
      expect(await waitAfter(failedWith(body, 400))).toBeUndefined();
    });

    it('in no limit but after 429', async () => {
      expect(await waitAfter(failedWith({}, 500, { ...JSON_BODY, ...spent }))).toBeUndefined();
    });
  });

  it('quotes what a proxy says in plain text', async () => {
    const say = async (text: string, type: string): Promise<string> =>
      (await failureOf(failedWith(text, 503, { 'content-type': type }))).message;
    const problem = 'Cannot stream: the service answered with status 503';
    expect(await say('upstream connect error\n', 'text/plain; charset=utf-8')).toBe(
      `${problem}: upstream connect error`,
    );
    expect(await say('<p>Busy</p>', 'text/html')).toBe(problem);
    expect(await say(' \n', 'text/plain')).toBe(problem);
  });

  it('has no control character in its message', async () => {
    const error = await failureOf(failedWith({ error: { message: 'a\u0000b\r\n\u001b[31mc\u0085d' } }, 400));
    expect(error.message).toMatch(/status 400: a b \[31mc d$/);
  });

  it('keeps its message short', async () => {
    const error = await failureOf(failedWith({ error: { message: 'x'.repeat(10_000) } }, 400));
    expect(error.message).toHaveLength('Cannot stream: the service answered with status 400: '.length + 500);
    const typed = await failureOf(failedWith('', 200, { 'content-type': `text/${'x'.repeat(10_000)}` }));
    expect(typed.message.length).toBeLessThan(200);
  });

  describe('reads of an error body', () => {
    /** A body of so many pieces that counts those it was asked for. */
    function countedBody(pieceBytes: number, pieceCount: number) {
      const state = { pieces: 0, isCancelled: false };
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            state.pieces += 1;
            controller.enqueue(new Uint8Array(pieceBytes).fill(32));
            if (state.pieces === pieceCount) controller.close();
          },
          cancel() {
            state.isCancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
      return { state, body };
    }

    it('64 KiB at most, then closes the connection', async () => {
      const { state, body } = countedBody(1024, 1_000_000);
      await failureOf(new Response(body, { status: 500 }));
      expect(state).toEqual({ pieces: 64, isCancelled: true });
      expect(body.locked).toBe(false);
    });

    it('the whole where it is short, cut anywhere', async () => {
      const bytes = new TextEncoder().encode('{"error":{"message":"Zu schnell – später"}}');
      const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          pieces.forEach((piece) => {
            controller.enqueue(piece);
          });
          controller.close();
        },
      });
      expect((await failureOf(new Response(body, { status: 429 }))).message).toMatch(/: Zu schnell – später$/);
    });

    it('nothing where it is in another encoding, or in none', async () => {
      const utf16 = new Uint8Array(Buffer.from('{"error":{"message":"Busy"}}', 'utf16le'));
      for (const bytes of [utf16, Uint8Array.of(0, 255, 254, 128, 0), new Uint8Array(1000)]) {
        const headers = { 'content-type': 'application/json; charset=utf-16' };
        const error = await failureOf(new Response(bytes, { status: 503, headers }));
        expect(error).toMatchObject({ code: 'http', status: 503, providerCode: undefined });
        expect(error.message).toBe('Cannot stream: the service answered with status 503');
      }
    });

    it('no more than that of a single chunk', async () => {
      const text = `{"error":{"message":"Busy"}}${' '.repeat(64 * 1024)}!`;
      expect((await failureOf(failedWith(text, 503))).message).toMatch(/status 503: Busy$/);
    });

    describe('for five seconds at most,', () => {
      beforeEach(() => jest.useFakeTimers());
      afterEach(() => jest.useRealTimers());

      /** A body that has said so much and then stalls. */
      function stalledAfter(text: string) {
        const state = { isCancelled: false };
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(text));
          },
          cancel() {
            state.isCancelled = true;
          },
        });
        return { state, response: new Response(body, { status: 503, headers: { 'retry-after': '2' } }) };
      }

      it.each([
        ['', ''],
        ['{"error":', ''],
        ['{"error":{"message":"Busy"}}', ': Busy'],
      ])('which is all that a stalled body costs: %p', async (text, said) => {
        const { state, response } = stalledAfter(text);
        let error: ModelStreamError | undefined;
        const failed = failureOf(response).then((failure) => {
          error = failure;
        });
        await jest.advanceTimersByTimeAsync(4999);
        expect([error, state.isCancelled]).toEqual([undefined, false]);
        await jest.advanceTimersByTimeAsync(1);
        await failed;
        expect(error).toMatchObject({ code: 'http', status: 503, retryable: true, retryAfterMs: 2000 });
        expect(error?.message).toBe(`Cannot stream: the service answered with status 503${said}`);
        expect(state.isCancelled).toBe(true);
        expect(jest.getTimerCount()).toBe(0);
      });

      it('and no timer outlives a body that ends', async () => {
        await failureOf(failedWith({}, 503));
        expect(jest.getTimerCount()).toBe(0);
      });

      it('or until its caller aborts', async () => {
        const { state, response } = stalledAfter('{"error":');
        const controller = new AbortController();
        const failed = checkResponse()(response, controller.signal).catch((error: unknown) => error);
        await jest.advanceTimersByTimeAsync(1000);
        controller.abort();
        expect(await failed).toMatchObject({ code: 'http', status: 503 });
        expect([state.isCancelled, jest.getTimerCount()]).toEqual([true, 0]);
      });
    });

    it('what came, where it breaks off', async () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.error(new TypeError('terminated'));
        },
      });
      expect(await failureOf(new Response(body, { status: 503 }))).toMatchObject({ code: 'http', status: 503 });
    });
  });
});
