/**
 * IBM watsonx.ai text generation, `POST /ml/v1/text/generation_stream` and the same for deployments. Its newer
 * `text/chat_stream` speaks Chat Completions and is read by `openaiChat()`.
 *
 * Wire: SSE with `id:` and `event: message` lines, LF line ends. Nothing keeps alive and there is no sentinel: the body ends
 * once a `stop_reason` other than `not_finished` was given. The failure of a request is JSON with a list `errors`; after HTTP
 * 200 it is taken for one as well.
 *
 * Source: `TextGenResult` of https://ibm.github.io/watsonx-ai-node-sdk, read 2026-11-30. Checked against one capture of text;
 * of a failure there is none.
 */
import type { ModelStreamError } from '../../src/errors';
import type { FinishReason } from '../../src/events';
import type { Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import type { TokenUsage } from '../../src/usage';
import { listIn, numberIn, objectOf, overwritten, present, textIn, wordIn, type WireObject } from '../../src/wire';
import { createTextMapper, type NoTurn, type TextPiece } from '../plainText/mapper';

const NAME = 'watsonx-text';

/** The word for a generation that failed. */
const FAILED = 'error';

/** Words may be in capitals. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['token_limit', 'length'],
  ['time_limit', 'other'],
  ['cancelled', 'cancelled'],
]);

/**
 * The provider for text generation of watsonx.ai.
 *
 * 1. The input is counted in the first event only, the output in each as a running total.
 * 2. There is no `turn`: the API takes a prompt.
 *
 * @example
 * ```ts
 * import { watsonxText } from 'rx-model-stream';
 *
 * const last = { results: [{ generated_text: '', stop_reason: 'eos_token' }] };
 * console.log(watsonxText().lifecycleOf({ value: last }).ending); // possible
 * ```
 */
export function watsonxText(): Provider<NoTurn> {
  return { name: NAME, lifecycleOf, createMapper: () => createTextMapper(NAME, createReader()) };
}

function lifecycleOf({ value }: Payload): Lifecycle {
  const event = objectOf(value);
  const [error] = listIn(event, 'errors').map(objectOf);
  if (error) return { phase: 'content', error: failureOf(error, numberIn(event, 'status_code')) };
  const reason = reasonIn(resultIn(event));
  if (reason?.toLowerCase() === FAILED) return { phase: 'content', error: failureOf({ code: reason }) };
  return reason === undefined ? { phase: 'content' } : { phase: 'content', ending: 'possible' };
}

function failureOf(error: WireObject, status?: number): ModelStreamError {
  const providerCode = wordIn(error, 'code');
  const retryable = status === undefined ? providerCode?.toLowerCase() === FAILED : status === 429 || status >= 500;
  return providerFailure(wordIn(error, 'message'), { provider: NAME, status, providerCode, retryable });
}

/** Reads the payloads of one answer. */
function createReader(): (payload: Payload) => TextPiece | undefined {
  let usage: WireObject = {}; // the input is counted in the first event, later it is 0
  return ({ value }) => {
    const event = objectOf(value);
    const result = resultIn(event);
    if (result === undefined) return undefined;
    const { input_token_count, generated_token_count } = result;
    usage = overwritten(usage, { generated_token_count, ...(input_token_count !== 0 && { input_token_count }) });
    const rawReason = reasonIn(result);
    return {
      model: wordIn(event, 'model_id'),
      text: textIn(result, 'generated_text'),
      usage: usageOf(usage),
      finish: rawReason === undefined ? undefined : { reason: reasonOf(rawReason), rawReason },
    };
  };
}

function usageOf(wire: WireObject): TokenUsage | undefined {
  const inputTokens = numberIn(wire, 'input_token_count');
  const outputTokens = numberIn(wire, 'generated_token_count');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const totalTokens = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return { ...present({ inputTokens, outputTokens, totalTokens }), raw: wire };
}

function resultIn(event: WireObject | undefined): WireObject | undefined {
  return objectOf(listIn(event, 'results')[0]);
}

/** Why the text ended, once it has. */
function reasonIn(result: WireObject | undefined): string | undefined {
  const reason = wordIn(result, 'stop_reason');
  return reason?.toLowerCase() === 'not_finished' ? undefined : reason;
}

function reasonOf(rawReason: string): FinishReason {
  return REASONS.get(rawReason.toLowerCase()) ?? 'other';
}
