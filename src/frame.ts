import type { ModelStreamError } from './errors';
import type { Payload } from './payload';

/** One unit cut out of the wire. Every framing emits frames, and `normalize` takes nothing else. */
export type Frame = SseFrame | JsonFrame | StrayFrame | HintFrame | RestartFrame;

/** One event of an event stream. */
export interface SseFrame {
  readonly type: 'sse';
  /** The values of the `data:` lines, joined by a newline. */
  readonly data: string;
  /** The `event:` line, when there was one and it was not empty. A hint: dispatch stays on the payload. */
  readonly name?: string;
  /** The last event id at dispatch, when it is not empty. */
  readonly lastEventId?: string;
  /** Present when the body ended without the blank line that closes the event. */
  readonly incomplete?: true;
}

/**
 * One payload that arrived as JSON: an array element, a line, a message, or a frame that was decoded before.
 *
 * @typeParam T - The decoded value.
 */
export interface JsonFrame<T = unknown> {
  readonly type: 'json';
  readonly value: T;
  readonly name?: string;
  readonly lastEventId?: string;
}

/**
 * Text of the body that is not framing but may mean something to a provider: bare JSON between the events of an event
 * stream, the value of an `error:` line, a line or message that is not JSON, what stands in place of a JSON array or
 * behind it. It is no event.
 */
export interface StrayFrame {
  readonly type: 'stray';
  readonly text: string;
  /** Present when the body ended without the blank line that closes the text. */
  readonly incomplete?: true;
}

/** What a reconnect needs to know and that came without an event: an id, or the time to wait before reconnecting. */
export interface HintFrame {
  readonly type: 'hint';
  /** The last event id from here on; the empty string takes the former id back. */
  readonly lastEventId?: string;
  /** Milliseconds. */
  readonly retryMs?: number;
  /** Present when the body ended inside the line or its event: it may be cut short. */
  readonly incomplete?: true;
}

/** Says that the stream begins anew and that what came before it is void. */
export interface RestartFrame {
  readonly type: 'restart';
  /** Counts from 1. */
  readonly attempt: number;
  /** The failure that ended the attempt before. */
  readonly cause: ModelStreamError;
  /** The payload in which the service reported it, which may have the usage of that attempt. */
  readonly payload?: Payload;
}
