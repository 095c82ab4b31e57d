import type { WireObject } from '../../src/wire';

/** One step of an interaction, in Google's own shape: its type says which fields it has. */
export interface GeminiInteractionsStep {
  readonly type: string;
}

/** The same, whose fields are read one by one. */
export interface WireStep extends GeminiInteractionsStep, WireObject {
  readonly type: string;
}

/** The steps of an answer, in order, as they go into `input` of the next request: `turn as Interactions.Step[]`. */
export type GeminiInteractionsTurn = readonly GeminiInteractionsStep[];
