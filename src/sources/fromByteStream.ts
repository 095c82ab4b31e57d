import { Observable } from 'rxjs';
import { cancelBytes, createChunkReader, type ByteSource } from './chunkReader';
import { connection, networkError } from './connection';
import { pullChunks } from './pullChunks';

/** Opens a source of bytes; `signal` is aborted when the consumer leaves before the end. */
export type OpenByteSource = (signal: AbortSignal) => ByteSource | PromiseLike<ByteSource> | Observable<ByteSource>;

/** How a stream of bytes may be ended from outside. */
export interface ByteStreamOptions {
  /** The caller's own signal: aborting it fails the stream with `aborted`. Listened to only while the stream runs. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The bytes of a connection, read one chunk at a time as the consumer is ready for them.
 *
 * 1. Cold: `open` is called on each subscription, so each subscription is a request of its own.
 * 2. Unsubscribing closes the connection, always: before the headers, while a read is pending, inside an emission. The
 *    reader is cancelled and the signal given to `open` is aborted. A failure does the same.
 * 3. A normal end aborts nothing and releases the lock on the body.
 * 4. The next chunk is read when nothing is held, as {@link pullChunks} says.
 * 5. Text chunks are encoded as UTF-8, also where they are cut inside a character.
 *
 * ```text
 * open     ^--r              r = a Response
 * bytes    -----a--b--|      a, b = Uint8Array
 * ```
 *
 * Fails with `network` (retryable) when `open` or a read fails with anything but a `ModelStreamError`, which passes
 * unchanged; with `aborted` when the caller's signal is aborted, its reason as `cause`.
 *
 * A consumer that holds a stream back for minutes may make the service close the connection. Node's `fetch` buffers in the
 * socket when the server writes many small chunks, however slowly it is read; a `node:http` body does not.
 *
 * @param open - Opens the source: returns bytes, a promise of them, or an Observable whose first value counts and which is
 *   left when the bytes have ended.
 * @param options.signal - The caller's own signal.
 * @returns An Observable of the bytes.
 *
 * @example
 * ```ts
 * import { fromByteStream, parseSSE } from 'rx-model-stream';
 *
 * const response = () => new Response('data: hello\n\n'); // or (signal) => fetch(url, { signal })
 * fromByteStream(response).pipe(parseSSE()).subscribe(console.log); // { type: 'sse', data: 'hello' }
 * ```
 */
export function fromByteStream(open: OpenByteSource, { signal }: ByteStreamOptions = {}): Observable<Uint8Array> {
  return connection(open, { close: cancelBytes, read: chunksOf }, signal);
}

function chunksOf(source: ByteSource): Observable<Uint8Array> {
  return new Observable<Uint8Array>((subscriber) => {
    const reader = createChunkReader(source);
    let hasEnded = false;
    subscriber.add(
      pullChunks(() => reader.read()).subscribe({
        next: (chunk) => {
          subscriber.next(chunk);
        },
        error: (error: unknown) => {
          subscriber.error(networkError('Cannot read the body: the connection failed', error));
        },
        complete: () => {
          hasEnded = true;
          subscriber.complete();
        },
      }),
    );
    subscriber.add(() => {
      if (hasEnded) reader.release();
      else reader.cancel();
    });
  });
}
