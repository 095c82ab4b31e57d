import fc from 'fast-check';
import { from } from 'rxjs';
import { fromStage, ModelStreamError, type SseOptions, type SseOutput } from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { DEFAULT_MAX_FRAME_BYTES } from '../../../src/framing/maxFrameBytes';
import { createSse } from '../../../src/framing/sse';
import { cutAt } from '../../support/chunkings';
import { asData } from '../../support/marbles';
import { outcomeOf } from '../../support/outcome';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the machine says of these chunks: frames, and the error or the completion at the end. */
function outcomeOfChunks(chunks: readonly Uint8Array[], options: SseOptions): unknown {
  return asData(outcomeOf(from([...chunks]).pipe(fromStage(() => createSse(options)))));
}

function framesOf(text: string, options: SseOptions = {}): SseOutput[] {
  const frames: SseOutput[] = [];
  const sse = createSse(options);
  sse.push(encode(text), (frame) => frames.push(frame));
  sse.end((frame) => frames.push(frame));
  return frames;
}

// Bytes that mean something to an event stream, or that are hard to decode.
const pieces: readonly (string | readonly number[])[] = [
  ...['\r', '\n', '\r\n', '\n\n', ':', ' ', '{', '[', '\0', 'é', '😀', '1', 'x'],
  ...['data', 'data:', 'data: ', 'id: ', 'id', 'event:', 'retry: 12', 'error: ', 'message'],
  [0xef, 0xbb, 0xbf],
  [0xf0, 0x9f],
  [0xff],
];

const awkwardBytes = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((parts) => new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...encode(part)] : part))));

const cutBytes = awkwardBytes.chain((bytes) =>
  fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((offsets) => ({
    bytes,
    chunks: cutAt(
      bytes,
      offsets.sort((a, b) => a - b),
    ),
  })),
);

const anyOptions: fc.Arbitrary<SseOptions> = fc.record(
  {
    maxFrameBytes: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.constant(DEFAULT_MAX_FRAME_BYTES)),
    flush: fc.boolean(),
    lastEventId: fc.constantFrom('', '7'),
  },
  { requiredKeys: [] },
);

/**
 * A slow and obvious reading of a whole event stream, to judge the machine by: the text is split into lines by a regular
 * expression and the lines into events; each event is then read by looking at all of its lines.
 */
function modelOutcome(bytes: Uint8Array, options: SseOptions): unknown[] {
  const { maxFrameBytes = DEFAULT_MAX_FRAME_BYTES, flush = true, lastEventId = '' } = options;
  const outcome: unknown[] = [];
  const fail = (message: string): unknown[] => [
    ...outcome,
    { error: asData(new ModelStreamError('too-large', message)) },
  ];

  const lines = linesIn(bytes);
  const tooLong = lines.findIndex(({ size }) => size > maxFrameBytes);
  const readable = tooLong === -1 ? linesToRead(lines, flush) : lines.slice(0, tooLong);
  for (const { own, before, closed } of eventsIn(readable.map(({ text }) => text))) {
    const overfull = own.findIndex((_line, place) => exceeds(own.slice(0, place + 1), maxFrameBytes));
    const sound = overfull === -1 ? own : own.slice(0, overfull);
    const isCut = !closed && sound === own && readable.length === lines.length; // inside its last line
    outcome.push(...retriesIn(sound, isCut).map((next) => ({ next })));
    if (overfull !== -1) return fail(`Cannot buffer event: its data exceeds ${maxFrameBytes} UTF-16 units`);
    if (closed || (flush && tooLong === -1)) {
      const id = lastOf('id', [...before, ...own]) ?? lastEventId;
      outcome.push(...dispatched(own, id, !closed).map((next) => ({ next })));
    }
  }
  return tooLong === -1 ? [...outcome, 'complete'] : fail(`Cannot buffer line: it exceeds ${maxFrameBytes} bytes`);
}

interface Line {
  readonly text: string;
  /** In bytes. */
  readonly size: number;
}

/** The lines of a body; the last one is not ended. */
function linesIn(bytes: Uint8Array): Line[] {
  const latin1 = Buffer.from(bytes).toString('latin1'); // a byte a character
  return latin1.split(/\r\n|\r|\n/).map((line, place) => ({
    text: new TextDecoder('utf-8', { ignoreBOM: place > 0 }).decode(Buffer.from(line, 'latin1')),
    size: line.length,
  }));
}

/** What stands behind the last line end is a line only when it is flushed and there is something. */
function linesToRead(lines: readonly Line[], flush: boolean): readonly Line[] {
  return flush && lines.at(-1)!.size > 0 ? lines : lines.slice(0, -1);
}

interface Event {
  readonly own: readonly string[];
  /** The lines of the events before it. */
  readonly before: readonly string[];
  readonly closed: boolean;
}

/** The lines between blank lines; the last event is not closed by one. */
function eventsIn(lines: readonly string[]): Event[] {
  const blanks = lines.flatMap((line, place) => (line === '' ? [place] : []));
  const ends = [...blanks, lines.length];
  return ends.map((end, place) => {
    const start = place === 0 ? 0 : ends[place - 1]! + 1;
    return { own: lines.slice(start, end), before: lines.slice(0, start), closed: place < blanks.length };
  });
}

/** The values of a field, in order; a line is `name`, `name:value` or `name: value`. */
function valuesOf(name: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    const isKept = name !== 'id' || !value.includes('\0');
    return field === name && isKept ? [value] : [];
  });
}

function lastOf(name: string, lines: readonly string[]): string | undefined {
  return valuesOf(name, lines).at(-1);
}

/** The lines that are no field, from the first that looks like JSON or the value of an `error:` line on. */
function strayIn(lines: readonly string[]): string[] {
  const isField = (line: string): boolean => /^(data|event|id|retry)?(:|$)/.test(line);
  const begins = (line: string): boolean => /^([{[]|error(:|$))/.test(line);
  const candidates = lines.filter((line) => !isField(line));
  const start = candidates.findIndex(begins);
  if (start === -1) return [];
  return candidates.slice(start).map((line) => valuesOf('error', [line])[0] ?? line);
}

function exceeds(lines: readonly string[], limit: number): boolean {
  return valuesOf('data', lines).join('\n').length > limit || strayIn(lines).join('\n').length > limit;
}

function retriesIn(lines: readonly string[], isLastCut: boolean): SseOutput[] {
  return lines.flatMap((line, place) => {
    const mark = isLastCut && place === lines.length - 1 ? ({ incomplete: true } as const) : {};
    const numbers = valuesOf('retry', [line]).filter((value) => /^[0-9]+$/.test(value));
    return numbers.map((value) => ({ type: 'hint', retryMs: Number(value), ...mark }) as const);
  });
}

function dispatched(lines: readonly string[], lastEventId: string, incomplete: boolean): SseOutput[] {
  const stray = strayIn(lines);
  const data = valuesOf('data', lines);
  const name = lastOf('event', lines);
  const mark = incomplete ? ({ incomplete: true } as const) : {};
  const frames: SseOutput[] = [];
  if (stray.length > 0) frames.push({ type: 'stray', text: stray.join('\n'), ...mark });
  if (data.length > 0) {
    frames.push({
      type: 'sse',
      data: data.join('\n'),
      ...(name && { name }),
      ...(lastEventId && { lastEventId }),
      ...mark,
    });
  } else if (lastOf('id', lines) !== undefined) frames.push({ type: 'hint', lastEventId, ...mark });
  return frames;
}

describe('createSse()', () => {
  it('gives the same frames and the same error for every chunking', () => {
    fc.assert(
      fc.property(cutBytes, anyOptions, ({ bytes, chunks }, options) => {
        const whole = outcomeOfChunks([bytes], options);
        expect(outcomeOfChunks(chunks, options)).toEqual(whole);
        expect(outcomeOfChunks(sliceBytes(bytes, 1), options)).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads an event stream as the obvious model does', () => {
    fc.assert(
      fc.property(cutBytes, anyOptions, ({ bytes, chunks }, options) => {
        expect(outcomeOfChunks(chunks, options)).toEqual(modelOutcome(bytes, options));
      }),
      { numRuns: 4000 },
    );
  });

  it('keeps nothing of a chunk: the source may use its buffer again', () => {
    const sse = createSse();
    const frames: SseOutput[] = [];
    const buffer = new Uint8Array(4);
    for (const text of ['data', ': on', 'e\n\nd', 'ata:', ' two', '\n\n  ']) {
      buffer.set(encode(text));
      sse.push(buffer, (frame) => frames.push(frame));
      buffer.fill(0x21);
    }
    expect(frames).toEqual([
      { type: 'sse', data: 'one' },
      { type: 'sse', data: 'two' },
    ]);
  });

  it.each([1, 2, 100])('decodes every byte once and copies it at most four times, in pieces of %i', (size) => {
    const body = encode(`data: ${'a'.repeat(20_000)}\n\n`.repeat(3));
    const decode = jest.spyOn(TextDecoder.prototype, 'decode');
    const copy = jest.spyOn(Uint8Array.prototype, 'set');
    try {
      const sse = createSse();
      for (const chunk of sliceBytes(body, size)) sse.push(chunk, () => {});
      const sizeOf = ([bytes]: [unknown?, unknown?]): number => (bytes as Uint8Array).length;
      const total = (calls: [unknown?, unknown?][]): number => calls.map(sizeOf).reduce((sum, count) => sum + count, 0);
      expect(total(decode.mock.calls)).toBe(body.length);
      expect(total(copy.mock.calls)).toBeLessThanOrEqual(4 * body.length);
    } finally {
      decode.mockRestore();
      copy.mockRestore();
    }
  });

  describe('stray frames', () => {
    it.each<[string, string, SseOutput[]]>([
      ['a bare object', '{"a":1}\n\n', [{ type: 'stray', text: '{"a":1}' }]],
      ['a bare array', '[1]\n\n', [{ type: 'stray', text: '[1]' }]],
      ['an object on several lines', '{\n  "a": 1\n}\n\n', [{ type: 'stray', text: '{\n  "a": 1\n}' }]],
      ['the value of an error line', 'error: {"code":500}\n\n', [{ type: 'stray', text: '{"code":500}' }]],
      ['an object that the body cuts off', '{"a":', [{ type: 'stray', text: '{"a":', incomplete: true }]],
    ])('hold %s', (_what, text, frames) => {
      expect(framesOf(text)).toEqual(frames);
    });

    it('come before the event in which they stand, which does not change', () => {
      expect(framesOf('data: 1\n{"a":1}\ndata: 2\n\n')).toEqual([
        { type: 'stray', text: '{"a":1}' },
        { type: 'sse', data: '1\n2' },
      ]);
    });

    it('are not made of unknown fields or plain text', () => {
      expect(framesOf('foo: bar\nsome words\n {"indented":1}\n\n')).toEqual([]);
    });
  });

  describe('hint frames', () => {
    it.each<[string, string, SseOutput[]]>([
      ['an id without an event', 'id: 7\n\n', [{ type: 'hint', lastEventId: '7' }]],
      ['an id taken back', 'id\n\n', [{ type: 'hint', lastEventId: '' }]],
      ['the time to wait, at once', 'retry: 3000\n', [{ type: 'hint', retryMs: 3000 }]],
    ])('tell %s', (_what, text, frames) => {
      expect(framesOf(text)).toEqual(frames);
    });

    it('do not tell an id that an event carries, nor a time that is no number', () => {
      expect(framesOf('id: 7\ndata: 1\n\nretry: soon\n\n')).toEqual([{ type: 'sse', data: '1', lastEventId: '7' }]);
    });
  });

  describe('an event that the end of the body cuts off', () => {
    const text = 'event: a\ndata: 1\n\nevent: b\ndata: 2';

    it('is flushed and marked incomplete', () => {
      expect(framesOf(text)).toEqual([
        { type: 'sse', data: '1', name: 'a' },
        { type: 'sse', data: '2', name: 'b', incomplete: true },
      ]);
    });

    it('is dropped with flush: false', () => {
      expect(framesOf(text, { flush: false })).toEqual([{ type: 'sse', data: '1', name: 'a' }]);
    });
  });
});
