import { from } from 'rxjs';
import {
  parseNdjson,
  type JsonFrame,
  type ModelStreamErrorCode,
  type NdjsonOptions,
  type StrayFrame,
} from 'rx-model-stream';
import { allChunkings } from '../support/chunkings';
import { outcomeOf } from '../support/outcome';

const json = (value: unknown): JsonFrame => ({ type: 'json', value });
const stray = (text: string): StrayFrame => ({ type: 'stray', text });

interface Meaning {
  readonly frames: readonly (JsonFrame | StrayFrame)[];
  /** The code of the error; without it the stream completes. */
  readonly code?: ModelStreamErrorCode;
  readonly options?: NdjsonOptions;
}

type Row = readonly [title: string, body: string | Uint8Array, meaning: Meaning];

const TABLE: readonly Row[] = [
  ['an empty body', '', { frames: [] }],
  ['one line', '{"a":1}\n', { frames: [json({ a: 1 })] }],
  ['lines that end with LF', '{"a":1}\n{"a":2}\n', { frames: [json({ a: 1 }), json({ a: 2 })] }],
  ['lines that end with CR LF', '{"a":1}\r\n{"a":2}\r\n', { frames: [json({ a: 1 }), json({ a: 2 })] }],
  ['lines that end with CR', '{"a":1}\r{"a":2}\r', { frames: [json({ a: 1 }), json({ a: 2 })] }],
  ['a last line without its end', '{"a":1}\n{"a":2}', { frames: [json({ a: 1 }), json({ a: 2 })] }],
  ['a last line that ends with half of CR LF', '{"a":1}\r', { frames: [json({ a: 1 })] }],
  ['blank lines', '\n\n{"a":1}\n\r\n\n{"a":2}\n\n', { frames: [json({ a: 1 }), json({ a: 2 })] }],
  ['lines of whitespace', ' \t\n{"a":1}\n  \r\n ', { frames: [json({ a: 1 })] }],
  ['whitespace around a value', '  {"a":1}\t \n', { frames: [json({ a: 1 })] }],
  [
    'values of any type',
    '{}\n[]\n""\n0\n-1.5e3\ntrue\nnull\n',
    { frames: [{}, [], '', 0, -1500, true, null].map(json) },
  ],
  ['line ends that are escaped', '"a\\nb\\r"\n', { frames: [json('a\nb\r')] }],
  ['line ends of other alphabets', '"\u2028\u2029\u0085"\n', { frames: [json('\u2028\u2029\u0085')] }],
  ['characters of two, three and four bytes', '"é€😀"\n{"é":"中"}\n', { frames: [json('é€😀'), json({ é: '中' })] }],
  ['an escaped surrogate that stands alone', '"\\ud83d"\n', { frames: [json('\ud83d')] }],
  ['the last of two equal keys', '{"a":1,"a":2}\n', { frames: [json({ a: 2 })] }],
  ['a byte order mark', '\ufeff{"a":1}\n', { frames: [json({ a: 1 })] }],
  ['a second byte order mark', '\ufeff\ufeff{"a":1}\n', { frames: [stray('\ufeff{"a":1}')] }],
  ['a byte order mark on a later line', '1\n\ufeff2\n', { frames: [json(1), stray('\ufeff2')] }],
  ['bad UTF-8', Uint8Array.of(34, 0xff, 34, 10, 49, 10), { frames: [json('\ufffd'), json(1)] }],
  ['half a character', Uint8Array.of(34, 0xf0, 0x9f, 34, 10, 49, 10), { frames: [json('\ufffd'), json(1)] }],
  [
    'a line feed in two bytes, which is none',
    Uint8Array.of(34, 0xc0, 0x8a, 34, 10),
    { frames: [json('\ufffd\ufffd')] },
  ],
  ['a line that is not JSON', '1\nBad gateway\n2\n', { frames: [json(1), stray('Bad gateway'), json(2)] }],
  ['half a value', '{"a":\n1}\n', { frames: [stray('{"a":'), stray('1}')] }],
  ['two values on a line', '1 2\n{}{}\n', { frames: [stray('1 2'), stray('{}{}')] }],
  ['comments', '# one\n1\n// two\n', { frames: [stray('# one'), json(1), stray('// two')] }],
  ['numbers that JSON does not know', '01\nNaN\n.5\n', { frames: [stray('01'), stray('NaN'), stray('.5')] }],
  ['an array on several lines', '[\n1,\n2\n]\n', { frames: [stray('['), stray('1,'), json(2), stray(']')] }],
  ['an event stream', 'data: {"a":1}\n\n', { frames: [stray('data: {"a":1}')] }],
  ['U+0000', '\0\n1\n', { frames: [stray('\0'), json(1)] }],
  ['a last line that was cut', '1\n{"a":', { frames: [json(1)], code: 'truncated' }],
  ['a character that was cut', Uint8Array.of(49, 10, 34, 0xf0, 0x9f), { frames: [json(1)], code: 'truncated' }],
  ['a last line that is not JSON', '1\nBad gateway', { frames: [json(1)], code: 'truncated' }],
  [
    'a line as long as the bound',
    '"1234"\n"1234"\r\n',
    { frames: [json('1234'), json('1234')], options: { maxFrameBytes: 6 } },
  ],
  [
    'a line longer than the bound',
    '1\n"12345"\n2\n',
    { frames: [json(1)], code: 'too-large', options: { maxFrameBytes: 6 } },
  ],
  ['one that never ends', '1\n"12345', { frames: [json(1)], code: 'too-large', options: { maxFrameBytes: 5 } }],
  ['one of whitespace', '1\n       \n2\n', { frames: [json(1)], code: 'too-large', options: { maxFrameBytes: 6 } }],
  ['one that is longer in bytes only', '"éé"\n', { frames: [], code: 'too-large', options: { maxFrameBytes: 5 } }],
  [
    'many short lines',
    '"1234"\n'.repeat(40),
    { frames: Array.from({ length: 40 }, () => json('1234')), options: { maxFrameBytes: 6 } },
  ],
];

describe('parseNdjson() reads', () => {
  it.each(TABLE)('%s', (_title, body, { frames, code, options }) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    for (const [name, chunks] of allChunkings(bytes)) {
      const outcome = outcomeOf(from(chunks).pipe(parseNdjson(options)));
      const ending = outcome.pop();
      expect([name, ...outcome]).toEqual([name, ...frames.map((next) => ({ next }))]);
      if (code === undefined) expect([name, ending]).toEqual([name, 'complete']);
      else expect([name, ending]).toMatchObject([name, { error: { code, retryable: code === 'truncated' } }]);
    }
  });
});
