/**
 * Where bytes come from: a `ReadableStream`, anything with such a `body` (a `Response`), or an `AsyncIterable` of bytes or
 * text (a Node `IncomingMessage`, a file).
 */
export type ByteSource = ReadableStream<Uint8Array> | ByteBody | ByteIterable;

/** Such as a `Response`. */
export interface ByteBody {
  readonly body: ReadableStream<Uint8Array> | ByteIterable | null;
}

/** Such as a Node stream, whose `destroy` closes what it reads from. */
export interface ByteIterable extends AsyncIterable<Uint8Array | string> {
  destroy?(): unknown;
}

/** Reads a {@link ByteSource}, one chunk at a time. */
export interface ChunkReader {
  read(): PromiseLike<IteratorResult<Uint8Array, unknown>>;
  /** Gives the source up, a pending read included. */
  cancel(): void;
  /** Leaves the source as it is, after it has ended. */
  release(): void;
}

/** Takes the source for itself; it stays locked until `cancel` or `release`. */
export function createChunkReader(source: ByteSource): ChunkReader {
  if ('getReader' in source) return readerOfStream(source);
  if (Symbol.asyncIterator in source) return readerOfIterable(source);
  return source.body === null ? emptyReader : createChunkReader(source.body);
}

/** Gives up a source that nobody reads. */
export function cancelBytes(source: ByteSource): void {
  createChunkReader(source).cancel();
}

const emptyReader: ChunkReader = {
  read: () => Promise.resolve({ done: true, value: undefined }),
  cancel: () => undefined,
  release: () => undefined,
};

function readerOfStream(stream: ReadableStream<Uint8Array>): ChunkReader {
  const reader = stream.getReader();
  return {
    read: () => reader.read(),
    cancel() {
      // The consumer has left: nobody is there to hear that the connection could not be closed in order.
      reader.cancel().catch(() => undefined);
      reader.releaseLock();
    },
    release() {
      reader.releaseLock();
    },
  };
}

function readerOfIterable(source: ByteIterable): ChunkReader {
  const iterator = source[Symbol.asyncIterator]();
  const encoder = createTextEncoder();
  return {
    read: async () => {
      const { done, value } = (await iterator.next()) as IteratorResult<Uint8Array | string, undefined>;
      const bytes = done ? encoder.end() : typeof value === 'string' ? encoder.encode(value) : value;
      return done && bytes.length === 0 ? { done, value: undefined } : { done: false, value: bytes };
    },
    cancel() {
      // `return` of a generator waits for a pending read: a stream that can be destroyed does not.
      source.destroy?.();
      iterator.return?.().then(undefined, () => undefined);
    },
    release: () => undefined,
  };
}

/** Encodes text whose pieces may be cut inside a surrogate pair. */
function createTextEncoder(): { encode(text: string): Uint8Array; end(): Uint8Array } {
  const encoder = new TextEncoder();
  let half = '';
  return {
    encode(text) {
      const whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : '';
      return encoder.encode(half === '' ? whole : whole.slice(0, -1));
    },
    end() {
      const rest = half;
      half = '';
      return encoder.encode(rest);
    },
  };
}
