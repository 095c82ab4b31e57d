import type { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { listIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';
import { failureOf } from '../openai/failure';
import { deltaOf } from './content';

/** Finish words that mean failure: OpenRouter and Mistral; DeepSeek. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource']);

/** Fields of a chunk that say nothing of the answer. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'system_fingerprint',
  'service_tier',
  'provider',
  'choices',
  'obfuscation',
  'p',
]);

/** Fields of a choice that say nothing of the answer while they are empty. */
const CHOICE_ENVELOPE: ReadonlySet<string> = new Set(['finish_reason', 'logprobs']);

/** What a chunk says of the life of the answer. Its end is `[DONE]`, or that of the body once a reason was given. */
export function chatLifecycleOf({ value, name }: Payload, provider: string): Lifecycle {
  if (value === DONE) return { phase: 'content', ending: 'final' };
  const chunk = objectOf(value);
  if (chunk === undefined) return { phase: 'content' };
  const choices = listIn(chunk, 'choices');
  const error =
    errorIn(chunk, choices, provider) ?? (isBareFailure(chunk, name) ? failureOf(provider, chunk) : undefined);
  if (error) return { phase: 'content', error };
  let phase: Lifecycle['phase'] = choices.length > 0 ? 'preamble' : 'content';
  let isFinished = false;
  for (const value of choices) {
    const choice = objectOf(value);
    if (wordIn(choice, 'finish_reason') !== undefined) isFinished = true;
    if (hasContent(deltaOf(choice))) phase = 'content';
  }
  if (isFinished) return { phase: 'content', ending: 'possible' };
  return { phase: phase === 'preamble' && isKeepAlive(chunk, choices) ? 'idle' : phase };
}

function errorIn(chunk: WireObject, choices: readonly unknown[], provider: string): ModelStreamError | undefined {
  const error = chunk['error'];
  if (typeof error === 'object' && error !== null) return failureOf(provider, objectOf(error));
  if (typeof error === 'string' && error !== '') return failureOf(provider, chunk); // xAI, Ollama
  const groq = wordIn(objectIn(chunk, 'x_groq'), 'error');
  if (groq !== undefined) return failureOf(provider, { message: groq });
  for (const choice of choices) {
    const reason = wordIn(objectOf(choice), 'finish_reason');
    if (reason !== undefined && FAILURES.has(reason)) {
      return failureOf(provider, { code: reason, message: `The model stopped with "${reason}"` });
    }
  }
  return undefined;
}

/** vLLM and Mistral write the failure without an envelope, and so does an `error:` line. Its name alone may tell it. */
function isBareFailure(chunk: WireObject, name: string | undefined): boolean {
  if ('choices' in chunk) return false;
  if (name === 'error') return true;
  if (textIn(chunk, 'message') === undefined) return false;
  return chunk['object'] === 'error' || 'code' in chunk || 'type' in chunk;
}

function hasContent(delta: WireObject | undefined): boolean {
  if (delta === undefined) return false;
  for (const field in delta) {
    if (field !== 'role' && !isEmpty(delta[field])) return true;
  }
  return false;
}

/** xAI thinks in silence: chunk after chunk with an empty delta. */
function isKeepAlive(chunk: WireObject, choices: readonly unknown[]): boolean {
  const isEnvelope = Object.keys(chunk).every((field) => ENVELOPE.has(field) || isEmpty(chunk[field]));
  return (
    isEnvelope &&
    choices.every((value) => {
      const choice = objectOf(value);
      const delta = objectIn(choice, 'delta');
      if (choice === undefined || delta === undefined || Object.keys(delta).length > 0) return false;
      return Object.entries(choice).every(([field, told]) => {
        return field === 'index' || field === 'delta' || (CHOICE_ENVELOPE.has(field) && isEmpty(told));
      });
    })
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
