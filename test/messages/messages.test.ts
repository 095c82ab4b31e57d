import { inspect } from 'node:util';
import { catchError, ignoreElements, lastValueFrom, of, type Observable } from 'rxjs';
import { accumulateBlocks, fromModel, isModelStreamError, type ModelRequest } from 'rx-model-stream';
import { frameBytes, textHeader, uint } from '../support/awsEventStream';
import { PROVIDERS } from '../support/providers';
import { CANARIES, KEY, PAYLOAD, PROMPT, QUERY } from './canaries';
import { leaksIn } from './leaks';

/** How a request may fail of which no service said why. */
const FAILURES: readonly (readonly [title: string, fetch: () => Promise<Response>])[] = [
  ['a connection that is refused', () => Promise.reject(new TypeError(`no ${QUERY}, ${KEY}`))],
  ['a request that cannot be made', () => Promise.reject(new TypeError(`Invalid header value: ${KEY}`))],
  ['a refusal as a page', () => answer(`<html>${PAYLOAD} ${KEY}</html>`, 'text/html', 403)],
  ['a refusal as unknown JSON', () => answer(JSON.stringify({ request: PROMPT, key: KEY }), 'application/json', 400)],
  ['a page in place of the stream', () => answer(`<html>${PAYLOAD}</html>`, 'text/html')],
  ...['text/event-stream', 'application/json', 'application/x-ndjson'].flatMap((type) =>
    [
      ['an empty body', ''],
      ['text', PAYLOAD],
      ['an event that is no JSON', `data: {"text":"${PAYLOAD}", ${PAYLOAD}\n\n`],
      ['an event that was cut', `data: {"text":"${PAYLOAD}`],
      ['a line that was cut', `{"text":"${PAYLOAD}`],
      ['an array that was cut', `[{"text":"${PAYLOAD}`],
      ['an array of what is no JSON', `[{"text":"${PAYLOAD}"},{${PAYLOAD}}]`],
      ['an array and more', `[{"text":"${PAYLOAD}"}] ${PAYLOAD}`],
      ['an array that is too deep', `[{"${PAYLOAD}":${'['.repeat(600)}`],
      ['what nobody knows', `data: {"type":"${PAYLOAD}","text":"${PAYLOAD}"}\n\n`],
      ['more than is allowed', `data: ${PAYLOAD.repeat(5000)}\n\n`],
    ].map(([what, body]) => [`${type}, ${what!}`, () => answer(body!, type)] as const),
  ),
  ['a message whose checksum is wrong', () => answer(messageBytes(), 'application/vnd.amazon.eventstream')],
];

function answer(body: string | Uint8Array<ArrayBuffer>, contentType: string, status = 200): Promise<Response> {
  return Promise.resolve(new Response(body, { status, headers: { 'content-type': contentType } }));
}

function messageBytes(): Uint8Array<ArrayBuffer> {
  const bytes = frameBytes(textHeader(':event-type', PAYLOAD), new TextEncoder().encode(`"${PAYLOAD}"`));
  bytes.set(uint(0, 4), bytes.length - 4);
  return bytes;
}

/** What the stream fails with. */
function failureOf(stream: Observable<unknown>): Promise<unknown> {
  const failure = stream.pipe(
    ignoreElements(),
    catchError((error: unknown) => of(error)),
  );
  return lastValueFrom(failure, { defaultValue: undefined });
}

describe.each(Object.entries(PROVIDERS))('errors of %s', (_name, create) => {
  const request = (fetch: ModelRequest['fetch'] & object): ModelRequest => ({
    url: `http://127.0.0.1/v1?key=${QUERY}`,
    headers: { authorization: `Bearer ${KEY}` },
    body: { messages: [{ role: 'user', content: PROMPT }] },
    fetch,
  });

  it.each(FAILURES)('hold no key, no prompt and nothing of the answer: %s', async (_title, fetch) => {
    const stream = fromModel(create(), request(fetch), { maxFrameBytes: 64 * 1024 }).pipe(accumulateBlocks());
    const error = await failureOf(stream);
    if (error === undefined) return; // nothing that this provider cannot read
    if (!isModelStreamError(error)) throw new Error(`No error of the library: ${inspect(error)}`);
    for (const text of [error.message, JSON.stringify(error), String(error), error.stack ?? '']) {
      expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    }
  });
});

describe('a message', () => {
  const fixtureText = 'The shower peaks';

  it.each([
    ['a key', 'network', KEY],
    ['a prompt', 'malformed', PROMPT],
    ['a key of the URL', 'http', `http://127.0.0.1/v1?key=${QUERY}`],
    ['words of a fixture', 'malformed', `Cannot read ${fixtureText}`],
    ['a whole payload', 'provider', 'x'.repeat(1001)],
  ] as const)('is found out that holds %s', (_what, code, message) => {
    expect(leaksIn([{ code, message }])).not.toEqual([]);
  });

  it.each([
    ['truncated', 'Stream ended before its terminal signal'],
    ['malformed', 'Cannot apply tool-call-delta: block 0 is text'],
    ['provider', fixtureText],
  ] as const)('of code %s passes that says %j', (code, message) => {
    expect(leaksIn([{ code, message }])).toEqual([]);
  });
});
