import type { Block, Citation } from './blocks';
import type { ModelStreamError } from './errors';
import type { TokenUsage } from './usage';

/** Why the model stopped. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  /** The provider wants the turn sent back, to go on with it. */
  | 'pause'
  | 'cancelled'
  /** One response of a session failed; elsewhere a failure takes the error channel. */
  | 'error'
  | 'other';

/** A response begins. Before it only `raw` comes. */
export interface ResponseStartEvent {
  readonly type: 'response-start';
  readonly provider: string;
  readonly responseId?: string;
  readonly model?: string;
}

/** A block opens: its kind and what is known of it, its contents still empty. */
export interface BlockStartEvent {
  readonly type: 'block-start';
  /** Place of the block in the response: 0, 1, 2 …, by first sight. */
  readonly index: number;
  readonly block: Block;
}

/** More text of an open text block. */
export interface TextDeltaEvent {
  readonly type: 'text-delta';
  readonly index: number;
  readonly text: string;
}

/** More text of an open reasoning block. */
export interface ReasoningDeltaEvent {
  readonly type: 'reasoning-delta';
  readonly index: number;
  readonly text: string;
}

/** More of the arguments of an open tool call. */
export interface ToolCallDeltaEvent {
  readonly type: 'tool-call-delta';
  readonly index: number;
  readonly id: string;
  readonly name?: string;
  readonly argumentsDelta: string;
}

/** One more piece of an open media block. */
export interface MediaDeltaEvent {
  readonly type: 'media-delta';
  readonly index: number;
  /** Base64, complete in itself. */
  readonly data?: string;
  readonly transcript?: string;
  /** What the pieces are, where the block did not say it at its start: a transcript may come before the sound. */
  readonly mimeType?: string;
}

/** A source for a text block. */
export interface CitationEvent {
  readonly type: 'citation';
  readonly index: number;
  readonly citation: Citation;
}

/** A block is complete. The block it carries is authoritative: it beats what the deltas built. */
export interface BlockEndEvent {
  readonly type: 'block-end';
  readonly index: number;
  readonly block: Block;
}

/** A block that had ended changed: a late citation or signature, a call taken back, a better preview of a picture. */
export interface BlockUpdateEvent {
  readonly type: 'block-update';
  readonly index: number;
  readonly block: Block;
}

/** The running total of this response: the last one counts. */
export interface UsageEvent {
  readonly type: 'usage';
  readonly usage: TokenUsage;
}

/** How one of several alternatives ended. */
export interface ChoiceFinish {
  readonly choice: number;
  readonly reason: FinishReason;
  readonly rawReason?: string;
}

/**
 * The response is whole.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 */
export interface FinishEvent<Turn = unknown> {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** The provider's own word. */
  readonly rawReason?: string;
  /** The assistant turn in the provider's own shape, ready to be sent back verbatim. */
  readonly turn?: Turn;
  /** Present where there was more than one alternative. */
  readonly choices?: readonly ChoiceFinish[];
  /** With it the provider goes on where a `pause` stopped (Gemini). */
  readonly continuationToken?: string;
  /** Why one response of a session failed; with reason `error` only. */
  readonly error?: ModelStreamError;
}

/** A failure as a value, for those who merge many streams; see `errorAsEvent`. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly error: ModelStreamError;
}

/** The stream begins anew: what came before is void. */
export interface RestartEvent {
  readonly type: 'restart';
  /** Counts from 1. */
  readonly attempt: number;
  /** The failure that ended the attempt before. */
  readonly cause: ModelStreamError;
}

/** Something of the provider that has no other word here. Nothing is lost: it comes in its place in the order. */
export interface RawEvent {
  readonly type: 'raw';
  readonly provider: string;
  /** As the provider wrote it. */
  readonly event: unknown;
}

/**
 * The one vocabulary into which every provider's stream is translated.
 *
 * 1. A response begins with `response-start` and has exactly one ending: `finish`, or the error channel.
 * 2. A block has one life: `block-start`, deltas, `block-end`. Afterwards only a `block-update` may change it.
 * 3. `index` is dense: 0, 1, 2 …, in the order in which blocks were first seen.
 * 4. After `finish` nothing comes that belongs to the response.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape, carried by `finish`.
 */
export type ModelEvent<Turn = unknown> =
  | ResponseStartEvent
  | BlockStartEvent
  | TextDeltaEvent
  | ReasoningDeltaEvent
  | ToolCallDeltaEvent
  | MediaDeltaEvent
  | CitationEvent
  | BlockEndEvent
  | BlockUpdateEvent
  | UsageEvent
  | FinishEvent<Turn>
  | ErrorEvent
  | RestartEvent
  | RawEvent;
