/**
 * Gemini Interactions API, `POST /v1beta/interactions` with `stream: true` and `GET /v1beta/interactions/{id}?stream=true`.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `event_type`, LF line ends, no keep-alive. The terminal signal is
 * `interaction.completed`, and `[DONE]` follows; with status `requires_continuation` it ends one hop only, and a new
 * `interaction.created` may begin the next one. A failure after HTTP 200 is an `error` event, the status `failed`, or JSON
 * in the middle of the body, `[{"error": …}]` over several lines: the latter when an agent's stream is cut after ten
 * minutes. `error` events that say nothing come between the steps of agents and end nothing. Until June 2026 the events had
 * other names and an interaction had contents in place of steps; both are read.
 *
 * Source: types and runtime of @google/genai 3.3.0; https://ai.google.dev/gemini-api/docs/streaming and
 * https://ai.google.dev/gemini-api/docs/interactions-breaking-changes-may-2026, read 2026-11-30; descriptions of agent runs
 * by those who read them. Checked against captures of real streams: text, thoughts, function calls and a search. Of media,
 * hops, agents, other hosted tools and failures there is none.
 */
import type { Provider } from '../../src/provider';
import { interactionsLifecycleOf } from './lifecycle';
import { createInteractionsMapper } from './mapper';
import { interactionsToolResults, type GeminiInteractionsToolResult } from './toolResults';
import { interactionsResume } from './tracker';
import type { GeminiInteractionsTurn } from './turn';

export type { GeminiInteractionsToolResult } from './toolResults';
export type { GeminiInteractionsStep, GeminiInteractionsTurn } from './turn';

const NAME = 'gemini-interactions';

/**
 * The provider for Gemini Interactions, of models and of agents. Of an agent `model` is its name.
 *
 * 1. A thought gives a block of reasoning once there is a summary or a signature, and a draft for each picture; an output a
 *    block for each text, picture and sound. Sound in pieces is one block.
 * 2. Tools that Google runs are `tool-call` blocks, `providerExecuted`, and `tool-result` blocks, named like their step
 *    without `_call` or `_result`; those of a server have the name of the tool. A function whose result comes in the answer
 *    as well was run by the agent: its call becomes `providerExecuted` then, by a `block-update`.
 * 3. The ranges of citations are turned from bytes into UTF-16 units of their text.
 * 4. Usage is the total of the hop, those before added: each of them bills the input again.
 * 5. The reason is `pause` when the answer ends with `requires_continuation`; `continuationToken` then goes on with it.
 * 6. `turn` is the list of steps, as they are to be put into `input` of the next request where nothing is stored: with
 *    signatures, without ids that were made up and without what the client had said.
 *
 * @example
 * ```ts
 * import { geminiInteractions } from 'rx-model-stream';
 *
 * const completed = { event_type: 'interaction.completed', interaction: { id: 'int_1', status: 'requires_continuation' } };
 * console.log(geminiInteractions().lifecycleOf({ value: completed }).ending); // possible
 * ```
 */
export function geminiInteractions(): Provider<GeminiInteractionsTurn, GeminiInteractionsToolResult> {
  return {
    name: NAME,
    lifecycleOf: (payload) => interactionsLifecycleOf(payload, NAME),
    createMapper: () => createInteractionsMapper(NAME),
    resume: interactionsResume(NAME),
    toolResults: interactionsToolResults,
  };
}
