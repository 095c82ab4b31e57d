import { defer, finalize, map, type Observable } from 'rxjs';
import { checkPositive } from '../checkOption';
import type { JsonFrame, StrayFrame } from '../frame';
import { connection } from './connection';
import { createMessageReader } from './messageReader';
import { pullChunks } from './pullChunks';
import { closeSocket, type WebSocketLike } from './webSocket';

/** Opens a socket; `signal` is aborted when the consumer leaves before the end. */
export type OpenWebSocket = (signal: AbortSignal) => WebSocketLike | PromiseLike<WebSocketLike>;

/** How the messages of a socket are read. */
export interface WebSocketOptions {
  /** The caller's own signal: aborting it fails the stream with `aborted`. Listened to only while the stream runs. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Bound on the messages that wait for the consumer, and so on each of them: bytes of binary messages, characters of text.
   * Default 32 MiB, since pictures and sound travel inline. Exceeding it fails with `too-large`.
   */
  readonly maxBufferedBytes?: number;
}

const DEFAULT_MAX_BUFFERED_BYTES = 32 * 1024 * 1024;

/**
 * The messages of a WebSocket as frames, one frame a message, as `normalize` takes them.
 *
 * 1. Cold: `open` is called on each subscription. What the socket says before it is handed over is lost: return it as soon
 *    as it is made, without waiting until it is open.
 * 2. Unsubscribing closes the socket, always: also while it connects, and when a promise brings it only later. The signal
 *    given to `open` is aborted. A failure does the same.
 * 3. A message is JSON, as text or as bytes of UTF-8, and is parsed once. One that is not JSON is a `stray` frame, and the
 *    stream goes on.
 * 4. The code of a close decides, not `wasClean`: 1000 and 1005 (no code) complete, all others fail. Completing aborts
 *    nothing.
 * 5. A socket pushes and cannot be paused. While a consumer holds what became of a message, as {@link pullChunks} says,
 *    those that follow wait here, in order, and never more than `maxBufferedBytes` of them.
 * 6. What waits is delivered before the end, whichever it is; only the caller's abort is at once.
 *
 * ```text
 * socket    --a-b-----c-x      a, b, c = messages, x = closed with 1000
 * frames    --a---b---c---|    read on when the work on a message is done, which takes 4 frames
 * ```
 *
 * Fails with `network` when the socket is closed with any other code: the code is the `providerCode`, 1001, 1006, 1011,
 * 1012, 1013 and 1015 are `retryable`, and the `cause` is the error that the socket reported before, where it tells one. A
 * handshake that was refused is closed with 1006 too: the standard hides the status. Fails with `network` as well when
 * `open` fails with anything but a `ModelStreamError`, which passes unchanged, or hands over a socket that is closed; with
 * `too-large` when the messages that wait, or a single one, exceed the bound, and with `malformed` when a message is
 * neither text nor an `ArrayBuffer`, such as a `Blob`: both close the socket at once; with `aborted` when the caller's
 * signal is aborted, its reason as `cause`.
 *
 * The socket stays the caller's: send on it whenever you like, and close it to end the stream in order. RxJS's own
 * `webSocket` completes on every clean close, 1011 included, and ends with the first message that is not JSON.
 *
 * @typeParam T - What the messages are.
 * @param open - Makes the socket, or promises one.
 * @param options.signal - The caller's own signal.
 * @param options.maxBufferedBytes - Bound on the messages that wait, and on each of them: bytes of binary messages,
 *   characters of text. Default 32 MiB.
 * @returns An Observable of the frames.
 * @throws {RangeError} When `maxBufferedBytes` is not a positive number.
 *
 * @example A question and an answer
 * ```ts
 * import { once } from 'node:events';
 * import type { AddressInfo } from 'node:net';
 * import { fromWebSocketMessages } from 'rx-model-stream';
 * import { WebSocket, WebSocketServer } from 'ws'; // or the WebSocket of a browser, or of Node 22
 *
 * const service = new WebSocketServer({ host: '127.0.0.1', port: 0 });
 * service.on('connection', (client) => client.on('message', () => client.send('{"answer":42}')));
 * await once(service, 'listening');
 *
 * let socket: WebSocket;
 * fromWebSocketMessages(() => {
 *   socket = new WebSocket(`ws://127.0.0.1:${(service.address() as AddressInfo).port}`);
 *   socket.addEventListener('open', () => socket.send('{"question":"…"}'));
 *   return socket;
 * }).subscribe({
 *   next: (frame) => {
 *     console.log(frame); // { type: 'json', value: { answer: 42 } }
 *     socket.close();
 *   },
 *   complete: () => service.close(),
 * });
 * ```
 *
 * @see {@link https://websockets.spec.whatwg.org}, {@link fromByteStream} for HTTP
 */
export function fromWebSocketMessages<T = unknown>(
  open: OpenWebSocket,
  { signal, maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES }: WebSocketOptions = {},
): Observable<JsonFrame<T> | StrayFrame> {
  checkPositive('maxBufferedBytes', maxBufferedBytes);
  const read = (socket: WebSocketLike): Observable<JsonFrame<T> | StrayFrame> =>
    messagesOf(socket, maxBufferedBytes).pipe(map((text) => frameOf<T>(text)));
  return connection(open, { close: closeSocket, read }, signal);
}

function messagesOf(socket: WebSocketLike, maxBufferedBytes: number): Observable<string> {
  return defer(() => {
    const reader = createMessageReader(socket, maxBufferedBytes);
    return pullChunks(() => reader.read()).pipe(
      finalize(() => {
        reader.cancel();
      }),
    );
  });
}

function frameOf<T>(text: string): JsonFrame<T> | StrayFrame {
  try {
    return { type: 'json', value: JSON.parse(text) as T };
  } catch {
    return { type: 'stray', text };
  }
}
