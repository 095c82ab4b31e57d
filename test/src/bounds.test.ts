import { readFileSync } from 'node:fs';
import { Subject, type Observable } from 'rxjs';
import {
  checkResponse,
  fromWebSocketMessages,
  isModelStreamError,
  normalize,
  openaiChat,
  parseAwsEventStream,
  parseJsonArray,
  parseNdjson,
  parseSSE,
  type Frame,
} from 'rx-model-stream';
import { DEFAULT_MAX_BLOCKS } from '../../src/responseBound';
import { encodeAwsMessage } from '../support/awsEventStream';
import { FakeSocket } from '../support/fakeSocket';
import { framesOf } from '../support/frames';

/** How many values came, and the code of the failure behind them. */
interface Heard {
  readonly values: number;
  readonly code: string | undefined;
}

/** What is said to inputs that go on: what is too large is told at once. */
function hear<Input>(read: (source: Observable<Input>) => Observable<unknown>, inputs: Iterable<Input>): Heard {
  const source = new Subject<Input>();
  let values = 0;
  let code: string | undefined;
  read(source).subscribe({
    next: () => {
      values += 1;
    },
    error: (error: unknown) => {
      code = isModelStreamError(error) ? error.code : String(error);
    },
  });
  for (const input of inputs) {
    source.next(input);
    if (code !== undefined) break;
  }
  return { values, code };
}

const BOUND = 12;
const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array[] => [encoder.encode(text)];
const letters = (count: number): string => 'x'.repeat(count);
const frameOptions = { maxFrameBytes: BOUND };

const chunk = (delta: object, more: object = {}): object => ({ choices: [{ index: 0, delta }], ...more });
const calls = (count: number): object[] =>
  Array.from({ length: count }, (_, index) =>
    chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '' } }] }),
  );
const chat = (payloads: readonly object[]): Heard =>
  hear<Frame>(normalize(openaiChat(), { maxBlocks: BOUND }), framesOf(...payloads));

function socketHeard(...messages: readonly string[]): Heard {
  const socket = new FakeSocket();
  let code: string | undefined;
  const isHeld = fromWebSocketMessages(() => socket, { maxBufferedBytes: BOUND });
  isHeld.subscribe({
    error: (error: unknown) => {
      code = isModelStreamError(error) ? error.code : String(error);
    },
  });
  for (const message of messages) socket.message(message);
  return { values: messages.length, code };
}

/** What is read that is as large as its bound, and one larger, behind something that is complete. */
interface Row {
  readonly what: string;
  readonly read: (size: number) => Heard;
  /** Where it is not 12. */
  readonly bound?: number;
}

/** As in `docs/bounds.md`. */
const ROWS: readonly Row[] = [
  {
    what: 'a line of an event stream',
    read: (size) => hear(parseSSE(frameOptions), bytes(`data: 1\n\n:${letters(size - 1)}`)),
  },
  {
    what: 'the data of an event',
    read: (size) => hear(parseSSE(frameOptions), bytes(`data: 1\n\ndata:123456\ndata:${letters(size - 7)}\n`)),
  },
  {
    what: 'JSON between events',
    read: (size) => hear(parseSSE(frameOptions), bytes(`data: 1\n\n{"a":1\n${letters(size - 7)}\n`)),
  },
  { what: 'a line of JSON', read: (size) => hear(parseNdjson(frameOptions), bytes(`1\n"${letters(size - 1)}`)) },
  {
    what: 'an element of an array',
    read: (size) => hear(parseJsonArray(frameOptions), bytes(`[1,"${letters(size - 1)}`)),
  },
  {
    what: 'levels of an element',
    read: (size) => hear(parseJsonArray({ maxDepth: BOUND }), bytes(`[1,${'['.repeat(size)}`)),
  },
  {
    what: 'text that is no array',
    read: (size) => ({ ...hear(parseJsonArray(frameOptions), bytes(letters(size))), values: 1 }), // nothing is before it
  },
  { what: 'a message of an AWS event stream', bound: 60, read: awsHeard },
  { what: 'messages of a socket that wait', read: (size) => socketHeard(letters(size)) },
  { what: 'blocks of a response', read: (size) => chat(calls(size)) },
  {
    what: 'citations of a response',
    read: (size) => {
      const annotation = { type: 'url_citation', url_citation: { url: 'https://a.example' } };
      return chat([
        chunk({ content: 'Hi' }),
        ...Array.from({ length: size }, () => chunk({ annotations: [annotation] })),
      ]);
    },
  },
  {
    what: 'payloads of a response that say nothing of a block',
    bound: 10 * BOUND,
    read: (size) => chat([chunk({ content: 'Hi' }), ...Array.from({ length: size }, () => ({ unheardOf: 1 }))]),
  },
];

function awsHeard(size: number): Heard {
  const headers = { ':event-type': 'a' };
  const empty = encodeAwsMessage({ headers, payload: '' }).length;
  const large = encodeAwsMessage({ headers, payload: letters(size - empty) });
  const small = encodeAwsMessage({ headers, payload: 1 });
  return hear(parseAwsEventStream({ maxFrameBytes: 60 }), [small, large.subarray(0, 12)]);
}

describe('what comes over a connection is bounded', () => {
  it.each(ROWS.map((row) => [row.what, row] as const))('%s', (_what, { read, bound = BOUND }) => {
    expect(read(bound).code).toBeUndefined();
    const over = read(bound + 1);
    expect(over.code).toBe('too-large');
    expect(over.values).toBeGreaterThan(0);
  });

  it('an error body', async () => {
    for (const [size, said] of [
      [BOUND, letters(BOUND)],
      [BOUND + 1, letters(BOUND)],
    ] as const) {
      const response = new Response(letters(size), { status: 400, headers: { 'content-type': 'text/plain' } });
      const failure: unknown = await checkResponse(undefined, { maxErrorBytes: BOUND })(response).catch(
        (e: unknown) => e,
      );
      expect(failure).toMatchObject({
        code: 'http',
        message: expect.stringMatching(new RegExp(`\\b${said}$`)) as string,
      });
    }
  });

  it('and each bound is written down', () => {
    const rows = [...readFileSync('docs/bounds.md', 'utf8').matchAll(/^\| ([^|]+?) +\|/gm)].map(([, what]) => what);
    expect(rows.slice(2)).toEqual([...ROWS.map(({ what }) => what), 'an error body']);
  });

  it('a response whose service never ends it, by default', () => {
    function* endless(): Generator<Frame> {
      for (let index = 0; ; index += 1) yield* framesOf(...calls(1).map((call) => renumbered(call, index)));
    }
    const { values, code } = hear<Frame>(normalize(openaiChat()), endless());
    expect([code, values]).toEqual(['too-large', 1 + DEFAULT_MAX_BLOCKS]);
  });
});

function renumbered(call: object, index: number): object {
  return JSON.parse(JSON.stringify(call).replace('"index":0,"id":"c0"', `"index":${index},"id":"c${index}"`)) as object;
}
