import type { ModelStreamError } from './errors';
import type { HintFrame } from './frame';
import type { Payload } from './payload';

/** How a provider goes on with an answer whose connection was lost. */
export interface ResumeProtocol {
  /** Makes the tracker of one answer; a restart gets a fresh one. */
  createTracker(): ResumeTracker;
  /** Fields of the request's body, lists of words, that its continuation repeats in its query, such as `include`. */
  readonly repeats?: readonly string[];
}

/**
 * Follows an answer across its connections.
 *
 * 1. The cursor moves with every payload that is handed on, and never with a keep-alive.
 * 2. What was delivered before is delivered once, wherever the continuation begins.
 */
export interface ResumeTracker {
  /** Takes every payload in order: the one to hand on, or undefined when it was delivered before. */
  read(payload: Payload): Payload | undefined;
  /** Takes what came without an event, such as an id. */
  hint?(hint: HintFrame): void;
  /** Where to go on after this failure; undefined when there is no way on. */
  pointAfter(failure: ModelStreamError): ResumePoint | undefined;
  /** What ends the run at the service; undefined where there is none, or it is over. */
  cancelPoint?(): CancelPoint | undefined;
}

/** Where an answer goes on. `path` and `query` are relative to the URL of the first request. */
export interface ResumePoint {
  readonly responseId?: string;
  /** Where the answer stands, in the provider's own counting. */
  readonly cursor?: string;
  /** Appended to the path of the first request. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Present where the first request is made again, with its method and its body; otherwise the answer is fetched by `GET`. */
  readonly isRepeat?: true;
  /** Present where the service answers with the whole answer as one JSON text, which the tracker makes the missing rest of. */
  readonly isWhole?: true;
  /** Present where the service has said that the run goes on: asking again then is no reconnect in vain. */
  readonly isRunning?: true;
}

/** The request, a `POST` of an empty object, that ends a run. */
export interface CancelPoint {
  readonly responseId: string;
  /** Appended to the path of the first request. */
  readonly path: string;
}
