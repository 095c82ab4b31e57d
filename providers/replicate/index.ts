/**
 * Replicate predictions, `GET` of the `stream` URL that a prediction has in its `urls`.
 *
 * Wire: SSE with LF line ends, `event:` and `id:` lines. The data of `output` is plain text, spaces and line ends included,
 * and nothing in it says what it is: the name of the event is the only place. `done` is the terminal signal, its data JSON
 * with a `reason` where the prediction did not succeed; comments come before the first event and after the last. A failure
 * after HTTP 200 is an `error` event, its data JSON with a `detail`. There are no models, tokens and turns on the wire.
 *
 * Source: https://replicate.com/docs/topics/predictions/streaming and the runtime of replicate 1.4.0, read 2026-11-30. Checked
 * against one capture of text; of `error` and of a cancelled prediction there is none.
 */
import type { ModelStreamError } from '../../src/errors';
import type { Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import { objectOf, wordIn, type WireObject } from '../../src/wire';
import { createTextMapper, type NoTurn, type TextPiece } from '../plainText/mapper';

const NAME = 'replicate';

/**
 * The provider for the output streams of Replicate, as language models write them.
 *
 * 1. What is put out is text, joined as it comes. A model that puts out files gives their URLs.
 * 2. The reason is `stop` when the prediction succeeded, with no word of its own, and `cancelled` when it was cancelled.
 *    Whether a bound on the tokens was reached is not told.
 * 3. There is no usage and no `turn`.
 *
 * @example
 * ```ts
 * import { replicate } from 'rx-model-stream';
 *
 * console.log(replicate().lifecycleOf({ name: 'done', value: '{}' }).ending); // final
 * ```
 */
export function replicate(): Provider<NoTurn> {
  return {
    name: NAME,
    eventData: 'text',
    lifecycleOf,
    createMapper: () => createTextMapper(NAME, pieceOf),
  };
}

function lifecycleOf({ name, value, incomplete }: Payload): Lifecycle {
  switch (name) {
    case 'output':
      return { phase: value === '' ? 'idle' : 'content' };
    case 'error': {
      const report = wordIn(jsonOf(value), 'detail') ?? (incomplete ? undefined : String(value));
      return report === undefined ? { phase: 'content' } : { phase: 'content', error: failureOf(report) };
    }
    case 'done': {
      const end = jsonOf(value);
      if (end === undefined) return { phase: 'content' }; // cut off within it
      if (wordIn(end, 'reason') === 'error') return { phase: 'content', error: failureOf('The prediction failed') };
      return { phase: 'content', ending: 'final' };
    }
    default: {
      const detail = wordIn(objectOf(value), 'detail'); // as it answers a request that it refuses
      return detail === undefined ? { phase: 'content' } : { phase: 'content', error: failureOf(detail) };
    }
  }
}

function pieceOf({ name, value }: Payload): TextPiece | undefined {
  if (name === 'output' && typeof value === 'string') return { text: value };
  const rawReason = name === 'done' ? wordIn(jsonOf(value), 'reason') : undefined;
  if (rawReason !== undefined)
    return { finish: { reason: rawReason === 'canceled' ? 'cancelled' : 'other', rawReason } };
  return name === 'done' ? { finish: { reason: 'stop' } } : undefined;
}

function failureOf(message: string): ModelStreamError {
  return providerFailure(message, { provider: NAME, retryable: false });
}

/** What is written as JSON in the data of an event. */
function jsonOf(data: unknown): WireObject | undefined {
  if (typeof data !== 'string') return objectOf(data);
  try {
    return objectOf(JSON.parse(data));
  } catch {
    return undefined;
  }
}
