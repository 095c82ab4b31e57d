import type { WireObject } from '../../src/wire';

/** One output item, in OpenAI's own shape. */
export interface OpenAIResponsesItem extends WireObject {
  readonly type: string;
}

/** The output items of a response, in order, as they go into `input` of the next request. */
export type OpenAIResponsesTurn = readonly OpenAIResponsesItem[];
