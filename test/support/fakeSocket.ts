import { getEventListeners } from 'node:events';

const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** A socket whose other side is the test. */
export class FakeSocket extends EventTarget {
  binaryType = 'blob';
  readyState: number;
  /** How often it was told to close. */
  closeCalls = 0;

  constructor(readyState = OPEN) {
    super();
    this.readyState = readyState;
  }

  close(): void {
    this.closeCalls += 1;
    if (this.readyState < CLOSING) this.readyState = CLOSING;
  }

  /** A message comes. */
  message(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  /** It has been closed. */
  closed(code: number, reason = '', wasClean = true): void {
    this.readyState = CLOSED;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason, wasClean }));
  }

  /** It reports an error: one that says what happened, or, as in browsers, nothing. */
  failed(error?: Error): void {
    this.dispatchEvent(Object.assign(new Event('error'), error && { error }));
  }

  get listenerCount(): number {
    return ['open', 'message', 'error', 'close'].flatMap((type) => getEventListeners(this, type)).length;
  }
}
