import type { ModelStreamError } from '../errors';
import type { FinishEvent, FinishReason, ResponseStartEvent } from '../events';
import type { TokenUsage } from '../usage';

/**
 * What a fake model says at one moment. All of it is optional; what is there comes in the order of the fields.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 */
export interface FakeMoment<Turn = unknown> {
  /** What came before is void, for this cause: the response begins anew. */
  readonly restart?: ModelStreamError;
  /** A response begins. Needed only to name it, and for a second one after a `finish`, as in a session. */
  readonly start?: Partial<Omit<ResponseStartEvent, 'type'>>;
  /** More reasoning: of the block that is open, if it is one. */
  readonly reasoning?: string;
  /** More text: of the block that is open, if it is one. */
  readonly text?: string;
  /** A tool is called. */
  readonly toolCall?: FakeToolCall;
  /** More arguments of a call that is open. */
  readonly argumentsDelta?: string;
  /** The running total of this response. */
  readonly usage?: TokenUsage;
  /** The response is whole. Without a reason it is `tool-calls` after a call, else `stop`. */
  readonly finish?: FinishReason | Partial<Omit<FinishEvent<Turn>, 'type'>>;
  /** The stream fails. */
  readonly error?: ModelStreamError;
}

/** A call of a tool by a fake model. */
export interface FakeToolCall {
  readonly name: string;
  /**
   * The whole arguments, text or what is written as JSON: the call ends in the same moment, `cut` where they do not parse.
   * Absent: the call stays open for `argumentsDelta` and ends when something else is said.
   */
  readonly arguments?: string | object;
  /** Default `call_1`, `call_2` … */
  readonly id?: string;
}
