/** A stream of bytes that a test writes by hand, and that says what became of it. */
export interface ByteStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** How often a chunk was asked for. */
  readonly pulls: number;
  readonly isCancelled: boolean;
  write(text: string): void;
  close(): void;
  fail(error: unknown): void;
}

/** Asks for nothing by itself: every pull is a read. */
export function createByteStream(): ByteStream {
  let pulls = 0;
  let isCancelled = false;
  let writer!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        writer = controller;
      },
      pull() {
        pulls += 1;
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    get pulls() {
      return pulls;
    },
    get isCancelled() {
      return isCancelled;
    },
    write(text) {
      writer.enqueue(new TextEncoder().encode(text));
    },
    close() {
      writer.close();
    },
    fail(error) {
      writer.error(error);
    },
  };
}
