import { lastValueFrom, toArray } from 'rxjs';
import { anthropic, anthropicOnBedrock, fromModel, type ModelEvent, type ModelOptions } from 'rx-model-stream';
import { fakeFetch, type FakeAnswer } from 'rx-model-stream/testing';
import { expectedEventsOf, fixtureBytes } from '../support/fixtures';

const BEDROCK = { 'content-type': 'application/vnd.amazon.eventstream' };
const TOOL_CALL = {
  name: 'bedrock-tool-call.aws.jsonl',
  bytes: () => fixtureBytes('anthropic/bedrock-tool-call.aws.jsonl'),
};

async function ask(answer: FakeAnswer, options: ModelOptions = {}): Promise<[events: ModelEvent[], request: Request]> {
  const fetch = fakeFetch(answer);
  const url = 'http://127.0.0.1/model/m/invoke-with-response-stream';
  const events = await lastValueFrom(fromModel(anthropicOnBedrock(), { url, fetch }, options).pipe(toArray()));
  return [events, fetch.calls[0]!.request];
}

describe('anthropicOnBedrock()', () => {
  it('answers in an AWS event stream, and says what anthropic() says', async () => {
    const [events, request] = await ask({ body: TOOL_CALL.bytes(), headers: BEDROCK });
    expect(events).toEqual(expectedEventsOf('anthropic', TOOL_CALL));
    expect(request.headers.get('accept')).toBe('application/vnd.amazon.eventstream');
  });

  it("gives Anthropic's own events as raw, with what Bedrock counted", async () => {
    const [events] = await ask({ body: TOOL_CALL.bytes(), headers: BEDROCK }, { raw: 'all' });
    const raws = events.flatMap((event) => (event.type === 'raw' ? [event.event] : []));
    expect(raws[0]).toMatchObject({ type: 'message_start' });
    expect(raws.at(-1)).toMatchObject({
      type: 'message_stop',
      'amazon-bedrock-invocationMetrics': { outputTokenCount: 31 },
    });
  });

  it('refuses an event stream of text, which only the other doors of Bedrock speak', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    await expect(ask({ body: 'data: {}\n\n', headers })).rejects.toMatchObject({ code: 'http', status: 200 });
  });

  it('knows why a request was refused', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-amzn-errortype': 'ThrottlingException:http://amazon.example/',
    };
    const refused = ask({ status: 429, headers, body: '{"message":"Too many tokens"}' });
    await expect(refused).rejects.toMatchObject({ code: 'http', providerCode: 'ThrottlingException', retryable: true });
  });
});

describe.each([
  ['anthropic()', anthropic()],
  ['anthropicOnBedrock()', anthropicOnBedrock()],
])('%s, where Bedrock speaks for itself,', (_title, provider) => {
  it.each([
    ['throttlingException', { message: 'Too many tokens' }, 'throttlingException', true],
    ['modelTimeoutException', { message: 'Too slow' }, 'modelTimeoutException', true],
    ['validationException', { message: 'No such field' }, 'validationException', false],
    ['error', { code: 'InternalFailure', message: 'It failed' }, 'InternalFailure', true],
  ])('takes %s for a failure', (name, value, providerCode, retryable) => {
    const { error } = provider.lifecycleOf({ name, value });
    expect(error).toMatchObject({
      code: 'provider',
      provider: 'anthropic',
      providerCode,
      retryable,
      message: value.message,
    });
  });

  it.each([[{}], [{ p: 'abc' }]])('takes a chunk without an event for a keep-alive: %p', (value) => {
    expect(provider.lifecycleOf({ name: 'chunk', value })).toEqual({ phase: 'idle' });
  });

  it("believes the type of Anthropic's own event before the name of its frame", () => {
    expect(provider.lifecycleOf({ name: 'throttlingException', value: { type: 'ping' } })).toEqual({ phase: 'idle' });
    const value = { error: { type: 'overloaded_error' }, code: 'InternalFailure' };
    expect(provider.lifecycleOf({ name: 'error', value }).error).toMatchObject({ providerCode: 'overloaded_error' });
  });
});
