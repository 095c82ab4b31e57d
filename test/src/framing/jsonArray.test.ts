import fc from 'fast-check';
import { from } from 'rxjs';
import { fromStage, ModelStreamError, type JsonArrayOptions, type JsonFrame, type StrayFrame } from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { createJsonArray } from '../../../src/framing/jsonArray';
import { allChunkings, cutAt } from '../../support/chunkings';
import { asData } from '../../support/marbles';
import { outcomeOf } from '../../support/outcome';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the machine says of these chunks: frames, and the error or the completion at the end. */
function outcomeOfChunks(chunks: readonly Uint8Array[], options: JsonArrayOptions = {}): unknown[] {
  return outcomeOf(from([...chunks]).pipe(fromStage(() => createJsonArray(options)))).map(asData);
}

function outcomeOfText(text: string, options: JsonArrayOptions = {}): unknown[] {
  return outcomeOfChunks([encode(text)], options);
}

function values(...elements: readonly unknown[]): unknown[] {
  return elements.map((value) => ({ next: { type: 'json', value } }));
}

function failure(code: 'malformed' | 'too-large' | 'truncated', message: string): unknown {
  return { error: asData(new ModelStreamError(code, message, { retryable: code === 'truncated' })) };
}

const CUT = failure('truncated', 'Cannot read array: the body ends before it does');

function cut(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  return cutAt(
    bytes,
    [...offsets].sort((a, b) => a - b),
  );
}

// Bytes that mean something to JSON, or that are hard to decode.
const pieces: readonly (string | readonly number[])[] = [
  ...['[', '[', ']', '{', '}', '"', '"', '\\', ',', ',', ':', ' ', '\n', '\r\n', '\t', '\0'],
  ...['1', '-', '.5', 'e', 'true', 'null', '{}', '[1]', '{"a":1}', '"x"', '"\\"', '\\u12', 'é', '😀'],
  [0xef, 0xbb, 0xbf],
  [0xef, 0xbb],
  [0xf0, 0x9f],
  [0xff],
];

/** Half of the bodies begin like an array. */
const awkwardBytes = fc
  .tuple(fc.constantFrom('', '['), fc.array(fc.constantFrom(...pieces), { maxLength: 24 }))
  .map(([start, parts]) => {
    return new Uint8Array([start, ...parts].flatMap((part) => (typeof part === 'string' ? [...encode(part)] : part)));
  });

const anyCuts = fc.array(fc.nat(80), { maxLength: 12 });

function cutBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  return cut(
    bytes,
    cuts.map((offset) => Math.min(offset, bytes.length)),
  );
}

const anyOptions: fc.Arbitrary<JsonArrayOptions> = fc.record(
  { maxFrameBytes: fc.integer({ min: 1, max: 12 }), maxDepth: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: [] },
);

/** The array that these bytes are, as UTF-8, with `tail` behind them. */
function arrayIn(bytes: Uint8Array, tail = ''): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes) + tail);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The elements that are whole: those of the longest beginning that a bracket makes an array, an element at its end. */
function wholeElements(bytes: Uint8Array): unknown[] {
  const character = (place: number): string => String.fromCharCode(bytes[place] ?? 0);
  for (let length = bytes.length; length > 0; length -= 1) {
    const isBorder = /["}\]\s]/.test(character(length - 1)) || /[,\]\s]/.test(character(length));
    const found = isBorder ? arrayIn(bytes.subarray(0, length), ']') : undefined;
    if (found) return found;
  }
  return [];
}

/** How much of the bytes is a whole array with the whitespace behind it; 0 when no beginning of them is. */
function lengthOfArray(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length > 0 && arrayIn(bytes.subarray(0, length)) === undefined) length -= 1;
  return length;
}

/**
 * A slow and obvious reading of a whole body, to judge the machine by: `JSON.parse` of all of its beginnings. Whether
 * what is wrong inside an array is malformed or only cut it does not say: then the error is left out.
 */
function modelOutcome(bytes: Uint8Array): unknown[] {
  const found = values(...wholeElements(bytes));
  const stray = (start: number, message: string): unknown[] => [
    ...found,
    { next: { type: 'stray', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start)) } },
    failure('malformed', message),
  ];
  const latin1 = Buffer.from(bytes).toString('latin1'); // a byte a character
  const start = /^(\xef\xbb\xbf)?[ \t\r\n]*/.exec(latin1)![0].length;
  if (start === bytes.length || /^\xef(\xbb)?$/.test(latin1)) return [CUT];
  if (latin1[start] === '{' && isCutObject(latin1.slice(start))) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
    return [{ next: { type: 'stray', text, incomplete: true } }, CUT];
  }
  if (latin1[start] !== '[') return stray(start, 'Cannot read array: the body does not begin with one');
  const end = lengthOfArray(bytes);
  if (end === 0) return found;
  return end === bytes.length ? [...found, 'complete'] : stray(end, 'Cannot read array: there is text behind it');
}

/** Whether the brackets of a text are never all closed; those in strings do not count. */
function isCutObject(text: string): boolean {
  const brackets = text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '').replace(/[^{}[\]]/g, '');
  let depth = 0;
  return Array.from(brackets).every((bracket) => (depth += '{['.includes(bracket) ? 1 : -1) > 0);
}

interface ArrayText {
  readonly elements: readonly string[];
  readonly space: string;
  /** How much of the text arrives, as a part of it. */
  readonly arrived: number;
}

/** Strings of characters that could be taken for structure. */
const awkwardCharacter = fc.constantFrom(
  '"',
  '\\',
  '[',
  ']',
  '{',
  '}',
  ',',
  'a',
  '\n',
  'é',
  '😀',
  '\ud83d',
  '__proto__',
);

const anyArrayText: fc.Arbitrary<ArrayText> = fc.record({
  elements: fc.array(
    fc
      .tuple(fc.jsonValue({ maxDepth: 3, stringUnit: awkwardCharacter }), fc.constantFrom(0, 2))
      .map(([value, indent]) => JSON.stringify(value, null, indent)),
    { maxLength: 6 },
  ),
  space: fc.constantFrom('', ' ', '\r\n', ' \t\n'),
  arrived: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function arrivedBytes({ elements, space, arrived }: ArrayText): Uint8Array {
  const bytes = encode(`[${space}${elements.join(`${space},${space}`)}${space}]`);
  return bytes.subarray(0, Math.floor(bytes.length * arrived));
}

/** What must be said of an array whose elements are known beforehand, when a part of it arrives. */
function expectedOutcome(text: ArrayText, maxFrameBytes: number): unknown[] {
  const { length } = arrivedBytes(text);
  const outcome: unknown[] = [];
  let start = 1 + text.space.length;
  for (const element of text.elements) {
    const size = encode(element).length;
    const end = start + size;
    if (size > maxFrameBytes && length > start + maxFrameBytes) {
      return [...outcome, failure('too-large', `Cannot buffer element: it exceeds ${maxFrameBytes} bytes`)];
    }
    if (length < (/["}\]]$/.test(element) ? end : end + 1)) return [...outcome, CUT];
    outcome.push(...values(JSON.parse(element)));
    start = end + 1 + 2 * text.space.length;
  }
  return text.arrived === 1 ? [...outcome, 'complete'] : [...outcome, CUT];
}

describe('createJsonArray()', () => {
  it('gives the same frames and the same error for every chunking', () => {
    fc.assert(
      fc.property(awkwardBytes, anyCuts, anyOptions, (bytes, cuts, options) => {
        const whole = outcomeOfChunks([bytes], options);
        expect(outcomeOfChunks(cutBytes(bytes, cuts), options)).toEqual(whole);
        expect(outcomeOfChunks(sliceBytes(bytes, 1), options)).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a body as JSON.parse reads its beginnings', () => {
    fc.assert(
      fc.property(awkwardBytes, anyCuts, (bytes, cuts) => {
        const said = outcomeOfChunks(cutBytes(bytes, cuts));
        const model = modelOutcome(bytes);
        if (model.length === said.length) expect(said).toEqual(model);
        else {
          expect(said.slice(0, -1)).toEqual(model);
          const { error } = said.at(-1) as { error: ModelStreamError };
          expect(['malformed', 'truncated']).toContain(error.code);
        }
      }),
      { numRuns: 4000 },
    );
  });

  it('gives the elements that arrived, whatever they hold and wherever the body ends', () => {
    fc.assert(
      fc.property(
        anyArrayText,
        anyCuts,
        fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(1e6)),
        (text, cuts, max) => {
          const chunks = cutBytes(arrivedBytes(text), cuts);
          expect(outcomeOfChunks(chunks, { maxFrameBytes: max })).toEqual(expectedOutcome(text, max));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('keeps nothing of a chunk: the source may use its buffer again', () => {
    const array = createJsonArray();
    const frames: unknown[] = [];
    const buffer = new Uint8Array(4);
    for (const text of ['[{"a', '": "', 'one"', '}, 2', '3 ] ', '{"b"', ':1} ']) {
      buffer.set(encode(text));
      array.push(buffer, (frame) => frames.push(frame));
      buffer.fill(0x21);
    }
    expect(() => {
      array.end((frame) => frames.push(frame));
    }).toThrow('Cannot read array: there is text behind it');
    expect(frames).toEqual([
      { type: 'json', value: { a: 'one' } },
      { type: 'json', value: 23 },
      { type: 'stray', text: '{"b":1} ' },
    ]);
  });

  it.each([1, 2, 100])('decodes every element once and copies it at most four times, in pieces of %i', (size) => {
    const elements = [`{"a":"${'x'.repeat(20_000)}"}`, `["${'\\"'.repeat(10_000)}"]`];
    const body = encode(`[${elements.join()}]`);
    const decode = jest.spyOn(TextDecoder.prototype, 'decode');
    const copy = jest.spyOn(Uint8Array.prototype, 'set');
    try {
      const array = createJsonArray();
      for (const chunk of sliceBytes(body, size)) array.push(chunk, () => {});
      const sizeOf = ([bytes]: [unknown?, unknown?]): number => (bytes as Uint8Array).length;
      const total = (calls: [unknown?, unknown?][]): number => calls.map(sizeOf).reduce((sum, count) => sum + count, 0);
      expect(total(decode.mock.calls)).toBe(elements.join('').length);
      expect(total(copy.mock.calls)).toBeLessThanOrEqual(4 * body.length);
    } finally {
      decode.mockRestore();
      copy.mockRestore();
    }
  });

  it('costs linear time: an element of 16 MiB in pieces of 100 bytes is read at once', () => {
    const bytes = encode(`["${'x\\"{'.repeat(4 * 1024 * 1024)}"]`);
    const array = createJsonArray<string>();
    const lengths: number[] = [];
    for (let start = 0; start < bytes.length; start += 100) {
      array.push(bytes.subarray(start, start + 100), (frame) => {
        if (frame.type === 'json') lengths.push(frame.value.length);
      });
    }
    array.end(() => {});
    expect(lengths).toEqual([3 * 4 * 1024 * 1024]);
  });

  describe('takes what JSON.parse takes', () => {
    it.each<[string, string, unknown[]]>([
      ['an array without elements', ' [ ] ', []],
      ['elements of any type', '[{}, [], "", 0, true, null]', [{}, [], '', 0, true, null]],
      ['structure in strings', '["[{,}]", {"}],{": "\\"]"}, "\\\\"]', ['[{,}]', { '}],{': '"]' }, '\\']],
      ['a byte order mark, once', '\ufeff[1]', [1]],
      ['the last of two equal keys', '[{"a":1,"a":2}]', [{ a: 2 }]],
      ['an escaped surrogate that stands alone', '["\\ud83d"]', ['\ud83d']],
      ['numbers out of range', '[1e400, 1e-400, 9007199254740993]', [Infinity, 0, 9007199254740992]],
    ])('%s', (_what, text, elements) => {
      expect(outcomeOfText(text)).toEqual([...values(...elements), 'complete']);
    });

    it('a key that is called __proto__, as a key like any other', () => {
      const frames: (JsonFrame | StrayFrame)[] = [];
      createJsonArray().push(encode('[{"__proto__":{"x":1}}]'), (frame) => frames.push(frame));
      const [frame] = frames as JsonFrame<object>[];
      expect(Object.keys(frame!.value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(frame!.value)).toBe(Object.prototype);
    });
  });

  describe('refuses', () => {
    it.each<[string, string, unknown[], string]>([
      ['a comma too many', '[1,]', [1], 'its element 1 is not JSON'],
      ['a comma without elements', '[,]', [], 'its element 0 is not JSON'],
      ['a missing comma', '[{"a":1} {"a":2}]', [{ a: 1 }], 'neither a comma nor its end follows an element'],
      ['a comment', '[1,/* two */2]', [1], 'its element 1 is not JSON'],
      ['a bracket of the wrong kind', '[{"a":1]]', [], 'its element 0 is not JSON'],
      ['a bracket that closes nothing', '[1,}]', [1], 'its element 1 is not JSON'],
      ['a number that JSON does not know', '[01]', [], 'its element 0 is not JSON'],
      ['a line feed in a string', '[1,"\n"]', [1], 'its element 1 is not JSON'],
    ])('%s', (_what, text, elements, reason) => {
      const outcome = outcomeOfText(text);
      expect(outcome.slice(0, -1)).toEqual(values(...elements));
      expect(outcome.at(-1)).toMatchObject({ error: { code: 'malformed', message: `Cannot read array: ${reason}` } });
    });

    it('text with what JSON.parse said as the cause', () => {
      expect(() => {
        createJsonArray().push(encode('[nope]'), () => {});
      }).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) as unknown }) as Error);
    });

    it('bytes that are not UTF-8, after the elements before them', () => {
      const outcome = outcomeOfChunks([encode('[1,"'), Uint8Array.of(0xff), encode('",2]')]);
      expect(outcome.slice(0, -1)).toEqual(values(1));
      expect(outcome.at(-1)).toMatchObject({
        error: { code: 'malformed', message: 'Cannot read array: its element 1 is not UTF-8' },
      });
    });
  });

  describe('gives as a stray frame', () => {
    it.each<[string, string, unknown[], string, string]>([
      ['a bare object', ' {"error":\n1}\n', [], '{"error":\n1}\n', 'the body does not begin with one'],
      ['HTML', '<p>[502]</p>', [], '<p>[502]</p>', 'the body does not begin with one'],
      ['lines of JSON', '{"a":1}\n{"a":2}\n', [], '{"a":1}\n{"a":2}\n', 'the body does not begin with one'],
      ['an object behind the array', '[1] {"error":1}', [1], '{"error":1}', 'there is text behind it'],
      ['a second array', '[1][2]', [1], '[2]', 'there is text behind it'],
    ])('%s', (_what, body, elements, text, reason) => {
      expect(outcomeOfText(body)).toEqual([
        ...values(...elements),
        { next: { type: 'stray', text } },
        failure('malformed', `Cannot read array: ${reason}`),
      ]);
    });

    it.each(['{', '{"error":', '{"a":"}', '{"a":{}', '\n{\n  "error": {\n'])('cut: %j', (body) => {
      const text = body.trimStart();
      expect(outcomeOfText(body)).toEqual([{ next: { type: 'stray', text, incomplete: true } }, CUT]);
    });

    it('no more than maxFrameBytes', () => {
      const text = '{"error":1}';
      const { length } = text;
      expect(outcomeOfText(text, { maxFrameBytes: length })).toContainEqual({ next: { type: 'stray', text } });
      expect(outcomeOfText(text, { maxFrameBytes: length - 1 })).toEqual([
        failure('too-large', `Cannot buffer text that is no array: it exceeds ${length - 1} bytes`),
      ]);
    });
  });

  describe('bounds', () => {
    it('one element, not all of them, and not the space between', () => {
      const body = `[${' '.repeat(50)}${Array.from({ length: 20 }, () => '"1234"').join(' , ')}]`;
      expect(outcomeOfText(body, { maxFrameBytes: 6 })).toHaveLength(21);
      expect(outcomeOfText(body, { maxFrameBytes: 5 })).toEqual([
        failure('too-large', 'Cannot buffer element: it exceeds 5 bytes'),
      ]);
    });

    it('the levels of an element, the first of which is the element', () => {
      const body = '[[[0]],{"a":[[0]]}]';
      expect(outcomeOfText(body, { maxDepth: 3 })).toEqual([...values([[0]], { a: [[0]] }), 'complete']);
      expect(outcomeOfText(body, { maxDepth: 2 })).toEqual([
        ...values([[0]]),
        failure('too-large', 'Cannot read element: it is nested deeper than 2 levels'),
      ]);
    });

    it.each([
      ['the size', '[["12345678",[[0]]]]', 'Cannot buffer element: it exceeds 8 bytes'],
      ['the depth', '[[[["12345678"]]]]', 'Cannot read element: it is nested deeper than 2 levels'],
    ])('%s where that is exceeded first, in every chunking', (_what, body, message) => {
      for (const [name, chunks] of allChunkings(encode(body))) {
        const outcome = outcomeOfChunks(chunks, { maxFrameBytes: 8, maxDepth: 2 });
        expect([name, ...outcome]).toEqual([name, failure('too-large', message)]);
      }
    });

    it('the levels by 512, and with a higher bound as many as there are', () => {
      const body = '['.repeat(100_000);
      expect(outcomeOfText(body)).toEqual([
        failure('too-large', 'Cannot read element: it is nested deeper than 512 levels'),
      ]);
      expect(outcomeOfText(body, { maxDepth: Infinity })).toEqual([CUT]);
    });
  });
});
