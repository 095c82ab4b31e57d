import fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { createChunkReader, type ByteSource, type ChunkReader } from '../../../src/sources/chunkReader';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function bytesOf(reader: ChunkReader): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
  }
}

/** An async iterable that says when it was given up. */
function iterableOf<T>(values: readonly T[]) {
  const state = { isGivenUp: false };
  async function* generate(): AsyncGenerator<T> {
    try {
      for (const value of values) {
        await Promise.resolve();
        yield value;
      }
    } finally {
      state.isGivenUp = true;
    }
  }
  return Object.assign(state, { [Symbol.asyncIterator]: generate });
}

/** Text as JavaScript has it: cut inside surrogate pairs, and with halves that have no other. */
const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') }), { maxLength: 4 });

describe('createChunkReader()', () => {
  const sources: [name: string, source: () => ByteSource][] = [
    ['a ReadableStream', () => new Blob(['data: ', 'héllo']).stream()],
    ['a Response', () => new Response('data: héllo')],
    ['an async iterable of bytes', () => iterableOf([encode('data: h'), encode('éllo')])],
    ['an async iterable of text', () => iterableOf(['data: h', 'éllo'])],
    ['a body that is an async iterable', () => ({ body: iterableOf(['data: ', 'héllo']) })],
    ['a Node stream', () => new PassThrough().end('data: héllo')],
    ['a Node stream of text', () => new PassThrough().setEncoding('utf8').end('data: héllo')],
  ];

  it.each(sources)('reads %s', async (_name, source) => {
    expect((await bytesOf(createChunkReader(source()))).toString()).toBe('data: héllo');
  });

  it('finds nothing in a response without a body', async () => {
    const reader = createChunkReader(new Response(null, { status: 204 }));
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    reader.cancel();
    reader.release();
  });

  it('encodes text as UTF-8, wherever it is cut, and half a character as TextEncoder does', async () => {
    expect((await bytesOf(createChunkReader(iterableOf(['a\ud83d', '\ude00b'])))).toString()).toBe('a😀b');
    expect((await bytesOf(createChunkReader(iterableOf(['a', '\ud83d'])))).toString()).toBe('a\ufffd');
    await fc.assert(
      fc.asyncProperty(pieces, async (texts) => {
        expect(await bytesOf(createChunkReader(iterableOf(texts)))).toEqual(Buffer.from(encode(texts.join(''))));
      }),
    );
  });

  it('reads one chunk at a time', async () => {
    let given = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 1;
          controller.enqueue(encode('a'));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = createChunkReader(stream);
    expect(given).toBe(0);
    await reader.read();
    expect(given).toBe(1);
    reader.cancel();
  });

  it('takes a stream for itself until it is released or cancelled', async () => {
    for (const finish of ['release', 'cancel'] as const) {
      const stream = new Blob(['a']).stream();
      const reader = createChunkReader(stream);
      expect(stream.locked).toBe(true);
      await bytesOf(reader);
      reader[finish]();
      expect(stream.locked).toBe(false);
    }
  });

  describe('cancel()', () => {
    it('cancels a stream, which ends a pending read', async () => {
      let isCancelled = false;
      const stream = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });
      const reader = createChunkReader(stream);
      const read = reader.read();
      reader.cancel();
      expect([isCancelled, stream.locked]).toEqual([true, false]);
      expect(await read).toEqual({ done: true, value: undefined });
    });

    it('gives up an async iterable', async () => {
      const source = iterableOf(['a', 'b']);
      const reader = createChunkReader(source);
      await reader.read();
      reader.cancel();
      await new Promise(setImmediate);
      expect(source.isGivenUp).toBe(true);
    });

    it('destroys a Node stream, a pending read included', async () => {
      const source = new PassThrough();
      const reader = createChunkReader(source);
      const read = reader.read();
      reader.cancel();
      expect(source.destroyed).toBe(true);
      await expect(read).rejects.toThrow('Premature close');
    });
  });
});
