import type { WireObject } from '../../src/wire';

/** One step of an interaction, in Google's own shape. */
export interface GeminiInteractionsStep extends WireObject {
  readonly type: string;
}

/** The steps of an answer, in order, as they go into `input` of the next request. */
export type GeminiInteractionsTurn = readonly GeminiInteractionsStep[];
