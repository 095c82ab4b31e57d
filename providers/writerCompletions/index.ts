/**
 * Writer text generation, `POST https://api.writer.com/v1/completions` with `stream: true`. Writer's chat speaks Chat
 * Completions and is read by `openaiChat()`.
 *
 * Wire: SSE without `event:` lines, `{ value }` in each event, LF line ends. Nothing keeps alive, and nothing says that the
 * text is whole: the body just ends. The failure of a request is JSON with a list `errors`; after HTTP 200 it is taken for
 * one as well.
 *
 * Source: https://dev.writer.com/home/streaming, https://dev.writer.com/api-reference/error-codes, read 2026-11-30. Checked
 * against one capture of text; of a failure there is none.
 */
import type { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import { listIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';
import { createTextMapper, type NoTurn } from '../plainText/mapper';

const NAME = 'writer-completions';

/** Types of failures after which the same request may succeed. */
const RETRYABLE: ReadonlySet<string> = new Set(['TooManyRequests', 'InternalServerError', 'ServiceUnavailable']);

/**
 * The provider for text generation of Writer.
 *
 * 1. A body that was cut and one that is whole look alike, unless the cut is inside an event: once there is text, its end
 *    is an ending, with the reason `other`.
 * 2. There is no usage, and no `turn`: the API takes a prompt.
 *
 * @example
 * ```ts
 * import { writerCompletions } from 'rx-model-stream';
 *
 * console.log(writerCompletions().lifecycleOf({ value: { value: 'Once' } }).ending); // possible
 * ```
 */
export function writerCompletions(): Provider<NoTurn> {
  return {
    name: NAME,
    lifecycleOf,
    createMapper: () => createTextMapper(NAME, ({ value }) => ({ text: textIn(objectOf(value), 'value') })),
  };
}

function lifecycleOf({ value }: Payload): Lifecycle {
  if (value === DONE) return { phase: 'content', ending: 'final' };
  const event = objectOf(value);
  const [error] = listIn(event, 'errors').map(objectOf);
  if (error) return { phase: 'content', error: failureOf(error, wordIn(event, 'tpe')) };
  const text = textIn(event, 'value');
  if (text === undefined) return { phase: 'content' };
  return text === '' ? { phase: 'idle' } : { phase: 'content', ending: 'possible' };
}

function failureOf(error: WireObject, providerCode: string | undefined): ModelStreamError {
  const retryable = RETRYABLE.has(providerCode ?? '');
  return providerFailure(wordIn(error, 'description'), { provider: NAME, providerCode, retryable });
}
