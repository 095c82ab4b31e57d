import { Observable, type Subscriber } from 'rxjs';
import { ModelStreamError } from '../errors';
import { createQueue } from '../queue';
import { numberIn, objectOf, textIn } from '../wire';
import { closeFailure, LOST } from './closeFailure';
import { CLOSING, closeSocket, CONNECTING, type WebSocketLike } from './webSocket';

/** Reads a socket one message at a time, although it pushes: what nobody has asked for yet waits in a queue. */
export interface MessageReader {
  /** The text of the next message, or the end: given inside the event that brings it, or at once where it waits. */
  read(): Observable<IteratorResult<string, undefined>>;
  /** Closes the socket. */
  cancel(): void;
}

type Message = string | ArrayBuffer | ArrayBufferView;

/**
 * Listens to the socket from now on, until it ends or `cancel` is called.
 *
 * Reads give every message that came before the end, then the end: a close, as its code says; `too-large` where the
 * messages that wait exceed the bound; `malformed` where a message is neither text nor bytes. The last two close the
 * socket at once.
 *
 * @param maxBufferedBytes - In bytes of binary messages and characters of text; a message that is empty counts as one.
 */
export function createMessageReader(socket: WebSocketLike, maxBufferedBytes: number): MessageReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true }); // or a text and its bytes would differ
  const waiting = createQueue<Message>();
  let bufferedBytes = 0;
  let asking: Subscriber<IteratorResult<string, undefined>> | undefined;
  let end: { readonly failure: ModelStreamError | undefined } | undefined;
  let cause: unknown; // what the socket reported before it closed
  let isListening = true;

  function take(event: object): void {
    const data = 'data' in event ? event.data : undefined;
    if (!isMessage(data)) {
      finish(new ModelStreamError('malformed', 'Cannot read message: it is neither text nor an ArrayBuffer'));
      return;
    }
    bufferedBytes += sizeOf(data);
    if (bufferedBytes > maxBufferedBytes) {
      finish(new ModelStreamError('too-large', `Cannot buffer messages: they exceed ${maxBufferedBytes} bytes`));
      return;
    }
    waiting.add(data);
    answer();
  }

  /** The standard promises a close after an error; undici 6 forgets it where the connection never came to be. */
  function note(event: object): void {
    if ('error' in event) cause = event.error;
    if (socket.readyState === CONNECTING) finish(closeFailure(LOST, '', cause));
  }

  function close(event: object): void {
    const closing = objectOf(event);
    finish(closeFailure(numberIn(closing, 'code') ?? LOST, textIn(closing, 'reason') ?? '', cause));
  }

  function finish(failure: ModelStreamError | undefined): void {
    end = { failure };
    cancel();
    answer();
  }

  function answer(): void {
    const asked = asking;
    if (asked === undefined) return;
    if (waiting.size > 0) {
      asking = undefined; // before it is answered: a message that comes meanwhile has to wait
      asked.next({ done: false, value: takeText() });
    } else if (end?.failure) asked.error(end.failure);
    else if (end) asked.next({ done: true, value: undefined });
  }

  function takeText(): string {
    const message = waiting.take();
    bufferedBytes -= sizeOf(message);
    return typeof message === 'string' ? message : decoder.decode(message);
  }

  function cancel(): void {
    if (!isListening) return;
    isListening = false;
    socket.removeEventListener('message', take);
    socket.removeEventListener('error', note);
    socket.removeEventListener('close', close);
    closeSocket(socket);
  }

  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', take);
  socket.addEventListener('error', note);
  socket.addEventListener('close', close);
  if (socket.readyState >= CLOSING) {
    const message = 'Cannot open stream: the socket was closed before it was handed over';
    finish(new ModelStreamError('network', message, { retryable: true }));
  }

  return {
    read: () =>
      new Observable((subscriber) => {
        asking = subscriber;
        answer();
      }),
    cancel,
  };
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'string' || ArrayBuffer.isView(data) || isArrayBuffer(data);
}

/** `instanceof` would not know one of another realm, as test environments have them. */
function isArrayBuffer(data: unknown): data is ArrayBuffer {
  return Object.prototype.toString.call(data) === '[object ArrayBuffer]';
}

/** In bytes, or in characters of a text. */
function sizeOf(message: Message): number {
  const size = typeof message === 'string' ? message.length : message.byteLength;
  return Math.max(1, size); // or empty ones had no bound
}
