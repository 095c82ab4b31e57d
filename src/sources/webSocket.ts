/** What is needed of a WebSocket. Those of browsers, of Node 22, of `ws` and of `undici` are such. */
export interface WebSocketLike {
  /** Set to `arraybuffer`. */
  binaryType: string;
  readonly readyState: number;
  addEventListener(type: SocketEventType, listener: (event: object) => void): void;
  removeEventListener(type: SocketEventType, listener: (event: object) => void): void;
  close(): void;
}

/** The events that are listened to. */
export type SocketEventType = 'message' | 'error' | 'close';

/** States of a socket, in the order in which it goes through them. Source: https://websockets.spec.whatwg.org */
export const CONNECTING = 0;
export const CLOSING = 2;
export const CLOSED = 3;

/**
 * Closes a socket that nobody reads any more. Its errors are listened to until it is closed: `ws` reports a connection
 * that is given up as one, which would end the program if nobody did.
 */
export function closeSocket(socket: WebSocketLike): void {
  if (socket.readyState === CLOSED) return;
  const forget = (): void => {
    socket.removeEventListener('error', ignore);
    socket.removeEventListener('close', forget);
  };
  socket.addEventListener('error', ignore);
  socket.addEventListener('close', forget);
  socket.close();
}

function ignore(): void {
  // Whoever could act on it has left.
}
