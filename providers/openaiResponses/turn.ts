import type { WireObject } from '../../src/wire';

/** One output item, in OpenAI's own shape: its type says which fields it has. */
export interface OpenAIResponsesItem {
  readonly type: string;
}

/** The same, whose fields are read one by one. */
export interface WireItem extends OpenAIResponsesItem, WireObject {
  readonly type: string;
}

/** The output items of a response, in order, as they go into `input` of the next request: `turn as ResponseInput`. */
export type OpenAIResponsesTurn = readonly OpenAIResponsesItem[];
