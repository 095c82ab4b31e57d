import type { ModelStreamError } from './errors';
import type { ModelEvent } from './events';
import type { EventData, Payload } from './payload';
import type { ResumeProtocol } from './resume';
import type { Stage } from './stage';
import type { ToolResult } from './toolResults';

/**
 * What one payload says about the life of the answer.
 */
export interface Lifecycle {
  /** `idle`: a keep-alive. `preamble`: before content. `content`: everything else, the unknown included. */
  readonly phase: 'idle' | 'preamble' | 'content';
  /**
   * `open`: more must come. `possible`: the end of the body would be an ending. `final`: the terminal signal.
   * Absent: as before, and `open` again after content; a response begins `open`.
   */
  readonly ending?: 'open' | 'possible' | 'final';
  /** A failure reported inside the stream; whether asking again may help is decided here. */
  readonly error?: ModelStreamError;
}

/** How a service that speaks over HTTP and over WebSockets was reached. */
export interface SessionOptions {
  /** Whether the frames are the messages of a WebSocket, which carries several responses. Default `false`. */
  readonly session?: boolean;
}

/**
 * Everything the library needs to know about one wire API. One of your own works everywhere one of ours does: see
 * `docs/a-provider-of-your-own.md`, and test it with `providerContract` of `rx-model-stream/testing`.
 *
 * 1. `lifecycleOf` is pure, and the only place that knows terminals, failures and keep-alives.
 * 2. `createMapper` gives a fresh stage for every subscription and after every restart. It gets every payload but
 *    keep-alives, a payload that reports a failure included, so that the usage in it is not lost; its `end` is called
 *    once, at the ending, and closes what is open and emits `finish`.
 * 3. A mapper never throws on what it does not know: it emits nothing for it, and `normalize` makes it a `raw`.
 * 4. A session has a mapper for each response. There a failure that is reported in band ends the response only, where its
 *    mapper has a `fail` that closes what is open and emits `finish` with reason `error`.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 * @typeParam ToolMessage - What answers tool calls, in the provider's own shape.
 */
export interface Provider<Turn = unknown, ToolMessage = unknown> {
  readonly name: string;
  /**
   * The content types of its answers, in small letters, the preferred one first: `application/json` is an array of
   * payloads, `application/x-ndjson` a payload a line, `application/vnd.amazon.eventstream` a payload a message. Default an event stream only, so that JSON reports a failure.
   */
  readonly contentTypes?: readonly string[];
  /** What the data of the events of an event stream is. Default `json`. */
  readonly eventData?: EventData;
  /**
   * Present where a connection carries several responses, one after another: `final` is then the ending of a response, the
   * end of the connection between two responses completes, and what comes there is `raw` or `usage`.
   */
  readonly session?: boolean;
  /**
   * Tells responses apart that share one connection at the same time. Whoever wants all of them parts the frames before
   * `normalize`, with `groupBy`; in frames that were not parted those of a second response come out as `raw`. Undefined for
   * what belongs to the connection: it is read with the response that runs.
   */
  readonly laneOf?: (payload: Payload) => string | undefined;
  /** Present where an answer whose connection was lost can go on; see `retryWithResume`. */
  readonly resume?: ResumeProtocol;
  /** What one payload says about the life of the answer. */
  lifecycleOf(payload: Payload): Lifecycle;
  /** Makes the stage that translates the payloads of one response. */
  createMapper(): Stage<Payload, ModelEvent<Turn>>;
  /**
   * Present where what a session says of itself, such as its model, concerns the responses to come: makes the mappers of
   * one connection, in place of `createMapper`.
   */
  createSession?(): Pick<Provider<Turn>, 'createMapper'>;
  /**
   * Writes results of tool calls, of which there is at least one, for the next request; see `toolResultsFor`, which has
   * checked that the calls can be answered. Absent where there is nothing to call.
   */
  toolResults?(results: readonly ToolResult[], turn: Turn | undefined): ToolMessage[];
}
