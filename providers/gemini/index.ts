/**
 * Gemini `streamGenerateContent`, on the Developer API and on Vertex AI.
 *
 * Wire: with `alt=sse` an event stream without `event:` lines, CRLF line ends; without it one JSON array, sent element by
 * element. One chunk a frame, nothing keeps alive. There is no sentinel: the body ends once every candidate has given its
 * `finishReason`, which may come earlier than the last content. A failure after HTTP 200 is a chunk with `error`, the same
 * as bare JSON outside of the event stream, or in an array. A stream that was cut cannot be continued.
 *
 * Source: types and runtime of @google/genai 3.3.0 and 2.32.0, @ai-sdk/google 4.0.121, read 2026-11-29. Checked against
 * captures of real streams in both framings, streamed arguments among them; of `CONTINUATION`, several candidates, server
 * tools and audio there is none.
 */
import type { ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import type { Stage } from '../../src/stage';
import { objectOf, wordIn } from '../../src/wire';
import type { GeminiInteractionsToolResult, GeminiInteractionsTurn } from '../geminiInteractions';
import { interactionsLifecycleOf } from '../geminiInteractions/lifecycle';
import { createInteractionsMapper } from '../geminiInteractions/mapper';
import { interactionsToolResults } from '../geminiInteractions/toolResults';
import { interactionsResume } from '../geminiInteractions/tracker';
import { geminiLifecycleOf } from './lifecycle';
import { createGeminiMapper } from './mapper';
import { geminiToolResults, type GeminiToolResults } from './toolResults';
import type { GeminiTurn } from './turn';

export type { GeminiFunctionResponse } from '../google/functionResponse';
export type { GeminiToolResults } from './toolResults';
export type { GeminiPart, GeminiTurn } from './turn';

const NAME = 'gemini';

/** What the wire does not tell of itself. */
export interface GeminiOptions {
  /**
   * Whether a call without an id is dropped when the part right before it is the same call: some hosts send a call twice.
   * Default `false`, since two equal calls may be meant. A call whose id was there already is always dropped.
   */
  readonly dropRepeatedCalls?: boolean;
}

/**
 * The provider for Gemini, in either framing: an event stream or a JSON array.
 *
 * 1. Text and thoughts are blocks, one after another in each candidate; a part of another kind ends the block before.
 * 2. A call has its arguments as JSON text, whether they come as an object or, on Vertex, in pieces by JSON path. A call
 *    without an id gets one of ours (`syntheticId`). One that was not ended is `cut`, unless Gemini says `STOP`.
 * 3. Code that Gemini runs, and tools of its own, are calls with `providerExecuted`, followed by their results.
 * 4. Citations and grounding are `citation`s; their offsets, on the wire in bytes, are UTF-16 units of the block's text.
 *    What else belongs to a grounding, such as the search suggestions to show, comes as `raw`.
 * 5. The reason is `tool-calls` whenever Gemini says `STOP` after a function call; `pause` with a `continuationToken` when
 *    it wants to be asked to go on; `content-filter` for a prompt that was blocked.
 * 6. With several candidates `finish` has the `choices`; its reason and `turn` are those of the first.
 * 7. `turn` is the model's turn as it is to be sent back, part by part, every thought signature on the part it came with;
 *    absent when nothing was said.
 * 8. Events of the Interactions API are recognised by their `event_type`, and read as {@link geminiInteractions} does.
 *
 * @example
 * ```ts
 * import { gemini } from 'rx-model-stream';
 *
 * const chunk = { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };
 * console.log(gemini().lifecycleOf({ value: chunk }).ending); // possible
 * ```
 */
export function gemini(
  options: GeminiOptions = {},
): Provider<GeminiTurn | GeminiInteractionsTurn, GeminiToolResults | GeminiInteractionsToolResult> {
  return {
    name: NAME,
    contentTypes: ['text/event-stream', 'application/json'],
    lifecycleOf,
    createMapper: () => createMapper(options),
    resume: interactionsResume(NAME),
    toolResults: (results, turn) =>
      Array.isArray(turn) ? interactionsToolResults(results) : geminiToolResults(results),
  };
}

function isOfInteraction({ value }: Payload): boolean {
  return wordIn(objectOf(value), 'event_type') !== undefined;
}

function lifecycleOf(payload: Payload): Lifecycle {
  return isOfInteraction(payload) ? interactionsLifecycleOf(payload, NAME) : geminiLifecycleOf(payload, NAME);
}

/** What stands in a chunk; what is neither one nor an event decides nothing. */
const CHUNK_FIELDS = ['candidates', 'promptFeedback', 'usageMetadata', 'responseId', 'modelVersion'];

function isChunk({ value }: Payload): boolean {
  const chunk = objectOf(value);
  return chunk !== undefined && CHUNK_FIELDS.some((field) => field in chunk);
}

/** The first payload that is of one of the two APIs decides. */
function createMapper(options: GeminiOptions): Stage<Payload, ModelEvent<GeminiTurn | GeminiInteractionsTurn>> {
  let mapper: Stage<Payload, ModelEvent<GeminiTurn | GeminiInteractionsTurn>> | undefined;
  return {
    push(payload, emit) {
      if (!mapper && isOfInteraction(payload)) mapper = createInteractionsMapper(NAME);
      if (!mapper && isChunk(payload)) mapper = createGeminiMapper(NAME, options);
      mapper?.push(payload, emit);
    },
    end(emit) {
      mapper?.end(emit);
    },
  };
}
