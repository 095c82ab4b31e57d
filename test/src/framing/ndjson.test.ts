import fc from 'fast-check';
import { from } from 'rxjs';
import { fromStage, ModelStreamError, type JsonFrame, type NdjsonOptions, type StrayFrame } from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { createNdjson } from '../../../src/framing/ndjson';
import { cutAt } from '../../support/chunkings';
import { asData } from '../../support/marbles';
import { outcomeOf } from '../../support/outcome';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the machine says of these chunks: frames, and the error or the completion at the end. */
function outcomeOfChunks(chunks: readonly Uint8Array[], options: NdjsonOptions): unknown {
  return asData(outcomeOf(from([...chunks]).pipe(fromStage(() => createNdjson(options)))));
}

const pieces: readonly (string | readonly number[])[] = [
  ...['\r', '\n', '\r\n', '\n\n', ' ', '\t', '{', '}', '[', ']', '"', ',', '1', 'null', '{"a":1}', '"é😀"', 'x'],
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

const anyOptions: fc.Arbitrary<NdjsonOptions> = fc.record(
  { maxFrameBytes: fc.integer({ min: 1, max: 12 }) },
  { requiredKeys: [] },
);

/** A slow and obvious reading of a whole body: its lines by a regular expression, each as `JSON.parse` takes it. */
function modelOutcome(bytes: Uint8Array, { maxFrameBytes = Infinity }: NdjsonOptions): unknown[] {
  const outcome: unknown[] = [];
  const fail = (code: 'too-large' | 'truncated', message: string): unknown[] => [
    ...outcome,
    { error: asData(new ModelStreamError(code, message, { retryable: code === 'truncated' })) },
  ];
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r\n|\r|\n/); // a byte a character
  for (const [place, line] of lines.entries()) {
    if (line.length > maxFrameBytes) {
      return fail('too-large', `Cannot buffer line: it exceeds ${maxFrameBytes} bytes`);
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: place > 0 }).decode(Buffer.from(line, 'latin1'));
    if (text.trim() === '') continue;
    const frame = frameOf(text);
    const isCut = place === lines.length - 1 && frame.type === 'stray';
    if (isCut) return fail('truncated', 'Cannot read the last line: the body ends inside it');
    outcome.push({ next: frame });
  }
  return [...outcome, 'complete'];
}

function frameOf(text: string): JsonFrame | StrayFrame {
  try {
    return { type: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { type: 'stray', text };
  }
}

describe('createNdjson()', () => {
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

  it('reads lines of JSON as the obvious model does', () => {
    fc.assert(
      fc.property(cutBytes, anyOptions, ({ bytes, chunks }, options) => {
        expect(outcomeOfChunks(chunks, options)).toEqual(modelOutcome(bytes, options));
      }),
      { numRuns: 4000 },
    );
  });

  it('keeps nothing of a chunk: the source may use its buffer again', () => {
    const ndjson = createNdjson();
    const frames: unknown[] = [];
    const buffer = new Uint8Array(4);
    for (const text of ['{"a"', ':1}\n', '"two', '"\r\n3']) {
      buffer.set(encode(text));
      ndjson.push(buffer, (frame) => frames.push(frame));
      buffer.fill(0x21);
    }
    ndjson.end((frame) => frames.push(frame));
    expect(frames).toEqual([{ a: 1 }, 'two', 3].map((value) => ({ type: 'json', value })));
  });

  it('keeps a key that is called __proto__ as a key like any other', () => {
    const frames: (JsonFrame | StrayFrame)[] = [];
    createNdjson().push(encode('{"__proto__":{"x":1}}\n'), (frame) => frames.push(frame));
    const [frame] = frames as JsonFrame<object>[];
    expect(Object.keys(frame!.value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(frame!.value)).toBe(Object.prototype);
  });
});
