import fc from 'fast-check';
import { from } from 'rxjs';
import {
  fromStage,
  ModelStreamError,
  type AwsEventStreamOptions,
  type JsonFrame,
  type StrayFrame,
} from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { createAwsEventStream } from '../../../src/framing/awsEventStream';
import {
  checksummed,
  concatBytes,
  encodeAwsMessage,
  frameBytes,
  headerOf,
  textHeader,
  uint,
  type AwsMessage,
} from '../../support/awsEventStream';
import { cutAt } from '../../support/chunkings';
import { asData } from '../../support/marbles';
import { outcomeOf } from '../../support/outcome';
import { retainedBytes } from '../../support/retainedBytes';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const CUT = new ModelStreamError('truncated', 'Cannot read the last message: the body ends inside it', {
  retryable: true,
});

/** What the machine says of these chunks: frames, and the error or the completion at the end. */
function outcomeOfChunks(chunks: readonly Uint8Array[], options: AwsEventStreamOptions = {}): unknown[] {
  return asData(outcomeOf(from([...chunks]).pipe(fromStage(() => createAwsEventStream(options))))) as unknown[];
}

function framesOf(message: AwsMessage): (JsonFrame | StrayFrame)[] {
  const frames: (JsonFrame | StrayFrame)[] = [];
  createAwsEventStream().push(encodeAwsMessage(message), (frame) => frames.push(frame));
  return frames;
}

const failed = (code: 'malformed' | 'too-large', message: string): unknown => ({
  error: asData(new ModelStreamError(code, message)),
});

/** A message, and the frame that it is by the rules of the operator. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly frame: JsonFrame | StrayFrame | undefined;
}

const anyHeader = fc.nat(9).chain((type) => {
  const size = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16][type]!;
  const value =
    size === -1
      ? fc.uint8Array({ maxLength: 20 }).map((bytes) => concatBytes([uint(bytes.length, 2), bytes]))
      : fc.uint8Array({ minLength: size, maxLength: size });
  return fc.tuple(fc.string({ maxLength: 5 }), value).map(([name, bytes]) => headerOf(`x-${name}`, type, bytes));
});

const anyName = fc.option(fc.constantFrom('messageStart', 'contentBlockDelta', 'é😀'), { nil: undefined });

const anyPayload: fc.Arbitrary<readonly [text: string, frame: { value: unknown } | { text: string }]> = fc.oneof(
  fc.json().map((text) => [text, { value: JSON.parse(text) as unknown }] as const),
  fc.constantFrom('{"a', 'Bad gateway', ' ').map((text) => [text, { text }] as const),
);

const anyMessage: fc.Arbitrary<Sent> = fc
  .record({
    before: fc.array(anyHeader, { maxLength: 3 }),
    name: anyName,
    after: fc.array(anyHeader, { maxLength: 3 }),
    payload: fc.option(anyPayload, { nil: undefined }),
  })
  .map(({ before, name, after, payload }) => {
    const own = name === undefined ? [] : [textHeader(':event-type', name)];
    const [text, content] = payload ?? ['', undefined];
    const named = name === undefined ? {} : { name };
    const bytes = frameBytes(concatBytes([...before, ...own, ...after]), utf8(text));
    if (content === undefined) return { bytes, frame: name === undefined ? undefined : json({}, name) };
    return { bytes, frame: 'text' in content ? { type: 'stray', ...content } : { type: 'json', ...content, ...named } };
  });

function json(value: unknown, name?: string): JsonFrame {
  return name === undefined ? { type: 'json', value } : { type: 'json', value, name };
}

const anyMessages = fc.array(anyMessage, { maxLength: 5 });
const someMessages = fc.array(anyMessage, { minLength: 1, maxLength: 4 });

const nextsOf = (messages: readonly Sent[]): unknown[] =>
  messages.flatMap(({ frame }) => (frame === undefined ? [] : [{ next: frame }]));

const bytesOf = (messages: readonly Sent[]): Uint8Array => concatBytes(messages.map(({ bytes }) => bytes));

/** How many of the messages lie before this place whole. */
function wholeBefore(messages: readonly Sent[], place: number): number {
  return messages.findIndex((_, index) => bytesOf(messages.slice(0, index + 1)).length > place);
}

describe('createAwsEventStream()', () => {
  it('gives the messages that were sent, for every chunking', () => {
    fc.assert(
      fc.property(anyMessages, fc.array(fc.nat(2000), { maxLength: 12 }), (messages, cuts) => {
        const bytes = bytesOf(messages);
        const offsets = cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        const expected = [...nextsOf(messages), 'complete'];
        expect(outcomeOfChunks([bytes])).toEqual(expected);
        expect(outcomeOfChunks(cutAt(bytes, offsets))).toEqual(expected);
        expect(outcomeOfChunks(sliceBytes(bytes, 1))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('is malformed where a byte was changed, after the messages before it, for every chunking', () => {
    fc.assert(
      fc.property(someMessages, fc.nat(), fc.integer({ min: 1, max: 255 }), (messages, where, change) => {
        const bytes = bytesOf(messages);
        const place = where % bytes.length;
        bytes[place]! ^= change;
        const whole = outcomeOfChunks([bytes]);
        expect(whole.slice(0, -1)).toEqual(nextsOf(messages.slice(0, wholeBefore(messages, place))));
        expect(whole.at(-1)).toMatchObject({ error: { code: 'malformed', retryable: false } });
        expect(outcomeOfChunks(sliceBytes(bytes, 1))).toEqual(whole);
        expect(outcomeOfChunks(sliceBytes(bytes, 7))).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('is truncated where the body ends inside a message, after the messages before it', () => {
    fc.assert(
      fc.property(someMessages, fc.nat(), (messages, where) => {
        const bytes = bytesOf(messages);
        const place = where % bytes.length;
        const before = messages.slice(0, wholeBefore(messages, place));
        const isBetween = bytesOf(before).length === place;
        const expected = [...nextsOf(before), isBetween ? 'complete' : { error: asData(CUT) }];
        expect(outcomeOfChunks([bytes.subarray(0, place)])).toEqual(expected);
        expect(outcomeOfChunks(sliceBytes(bytes.subarray(0, place), 3))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps nothing of a chunk: the source may use its buffer again', () => {
    const bytes = concatBytes([1, 2].map((n) => encodeAwsMessage({ headers: { ':event-type': 'a' }, payload: { n } })));
    const frames: unknown[] = [];
    const framing = createAwsEventStream();
    const buffer = new Uint8Array(16);
    for (const piece of sliceBytes(bytes, buffer.length)) {
      buffer.set(piece);
      framing.push(buffer.subarray(0, piece.length), (frame) => frames.push(frame));
      buffer.fill(0x21);
    }
    expect(frames).toEqual([json({ n: 1 }, 'a'), json({ n: 2 }, 'a')]);
  });

  it('keeps a key that is called __proto__ as a key like any other', () => {
    const [frame] = framesOf({ headers: {}, payload: '{"__proto__":{"x":1}}' }) as JsonFrame<object>[];
    expect(Object.keys(frame!.value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(frame!.value)).toBe(Object.prototype);
  });

  describe('reads what a message is from its headers:', () => {
    const event = { ':message-type': 'event', ':event-type': 'metadata', ':content-type': 'application/json' };
    const exception = { ':message-type': 'exception', ':exception-type': 'throttlingException' };
    const error = { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'Es ist zu spät.' };

    it.each<[string, AwsMessage, JsonFrame | StrayFrame | undefined]>([
      ['an event', { headers: event, payload: { a: 1 } }, json({ a: 1 }, 'metadata')],
      ['an event without a payload', { headers: event }, json({}, 'metadata')],
      ['an event that is not JSON', { headers: event, payload: 'Bad gateway' }, { type: 'stray', text: 'Bad gateway' }],
      [
        'an exception',
        { headers: exception, payload: { message: 'Wait' } },
        json({ message: 'Wait' }, 'throttlingException'),
      ],
      ['an exception without a payload', { headers: exception }, json({}, 'throttlingException')],
      [
        'an exception that is not JSON',
        { headers: exception, payload: 'Wait' },
        json({ message: 'Wait' }, 'throttlingException'),
      ],
      ['an error', { headers: error }, json({ code: 'InternalError', message: 'Es ist zu spät.' }, 'error')],
      ['an error that says nothing', { headers: { ':message-type': 'error' } }, json({}, 'error')],
      ['a payload without a name', { headers: {}, payload: [1] }, json([1])],
      ['nothing at all', { headers: {} }, undefined],
      ['a type without a name', { headers: { ':message-type': 'event' } }, undefined],
    ])('%s', (_what, message, frame) => {
      expect(framesOf(message)).toEqual(frame === undefined ? [] : [frame]);
    });

    it('a name that is no text is none', () => {
      const bytes = frameBytes(headerOf(':event-type', 6, concatBytes([uint(1, 2), utf8('a')])), utf8('1'));
      expect(outcomeOfChunks([bytes])).toEqual([{ next: json(1) }, 'complete']);
    });
  });

  describe('refuses a message whose checksums are right and that contradicts the format:', () => {
    it.each([
      ['without room for its checksum', [uint(15, 4), uint(0, 4)], 'it is shorter than its parts'],
      ['of no length', [uint(0, 4), uint(0, 4)], 'it is shorter than its parts'],
      ['with headers beyond its end', [uint(20, 4), uint(5, 4)], 'it is shorter than its parts'],
      ['with headers beyond all bounds', [uint(20, 4), uint(0xffffffff, 4)], 'it is shorter than its parts'],
    ])('one %s', (_what, lengths, reason) => {
      const bytes = concatBytes([checksummed(...lengths), new Uint8Array(8)]);
      expect(outcomeOfChunks([bytes])).toEqual([failed('malformed', `Cannot read message 0: ${reason}`)]);
    });

    it('one with a header of an unknown type', () => {
      const [good, bad] = [headerOf('a', 0, new Uint8Array(0)), headerOf('a', 10, new Uint8Array(0))];
      const bytes = concatBytes([frameBytes(good, utf8('1')), frameBytes(bad, utf8('2'))]);
      const reason = 'its headers are not what the format allows';
      expect(outcomeOfChunks([bytes])).toEqual([
        { next: json(1) },
        failed('malformed', `Cannot read message 1: ${reason}`),
      ]);
    });
  });

  describe('bounds a message', () => {
    const bytes = encodeAwsMessage({ headers: { ':event-type': 'a' }, payload: { n: 1 } });

    it('of headers, payload and checksums, and takes one of just that size', () => {
      expect(outcomeOfChunks([bytes], { maxFrameBytes: bytes.length })).toEqual([
        { next: json({ n: 1 }, 'a') },
        'complete',
      ]);
      const maxFrameBytes = bytes.length - 1;
      expect(outcomeOfChunks([bytes], { maxFrameBytes })).toEqual([
        failed('too-large', `Cannot buffer message: it exceeds ${maxFrameBytes} bytes`),
      ]);
    });

    it('from its prelude alone', () => {
      const prelude = checksummed(uint(33 * 1024 * 1024, 4), uint(0, 4));
      const error = failed('too-large', `Cannot buffer message: it exceeds ${32 * 1024 * 1024} bytes`);
      expect(outcomeOfChunks(sliceBytes(prelude, 5))).toEqual([error]);
    });

    it('not before its length is known to be right', () => {
      const prelude = checksummed(uint(33 * 1024 * 1024, 4), uint(0, 4));
      prelude[11]! ^= 1;
      expect(outcomeOfChunks([prelude])).toEqual([
        failed('malformed', 'Cannot read message 0: the checksum of its lengths is wrong'),
      ]);
    });

    it('and allocates nothing for bytes that have not come', () => {
      const prelude = checksummed(uint(0xffffffff, 4), uint(0xfffffff0 - 1, 4));
      const framing = createAwsEventStream({ maxFrameBytes: Infinity });
      const before = retainedBytes();
      framing.push(concatBytes([prelude, new Uint8Array(1000)]), () => {});
      expect(retainedBytes() - before).toBeLessThan(1024 * 1024);
      expect(() => {
        framing.end(() => {});
      }).toThrow(CUT);
    });

    it('of 16 MiB by default not at all', () => {
      const text = 'a'.repeat(16 * 1024 * 1024);
      const big = encodeAwsMessage({ headers: {}, payload: JSON.stringify(text) });
      const frames: (JsonFrame | StrayFrame)[] = [];
      const framing = createAwsEventStream();
      for (const chunk of sliceBytes(big, 64 * 1024)) framing.push(chunk, (frame) => frames.push(frame));
      const [frame] = frames;
      expect(frames).toHaveLength(1);
      expect(frame?.type === 'json' && frame.value === text).toBe(true);
    });
  });
});
