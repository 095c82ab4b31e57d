/**
 * Anthropic Messages API, `POST /v1/messages` with `stream: true`, version 2023-06-01; Vertex AI and hosts that imitate
 * it speak the same events.
 *
 * Wire: SSE, an `event:` line that repeats the JSON `type`, LF line ends, JSON padded with spaces. `ping` keeps alive.
 * `message_stop` is the terminal signal; the blank line after it may be missing, and OpenRouter adds `[DONE]`. A failure
 * after HTTP 200 is an `error` event, which may be the first one. There is no way to continue a stream that was cut.
 *
 * Source: types and runtime of @anthropic-ai/sdk 1.14.0; https://platform.claude.com/docs/en/build-with-claude/streaming,
 * read 2026-11-29. Checked against captures of real streams; of `error`, `fallback` and `vertex_event` there is none.
 */
import { ModelStreamError } from '../../src/errors';
import { DONE, type Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { objectIn, objectOf, wordIn, type WireObject } from '../../src/wire';
import { createAnthropicMapper } from './mapper';
import { NAME } from './name';
import type { AnthropicTurn } from './turn';

export type { AnthropicContentBlock, AnthropicTurn } from './turn';

/** Failures after which the same request may succeed: https://docs.anthropic.com/en/api/errors, read 2026-11-29. */
const RETRYABLE: ReadonlySet<string> = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']);

/**
 * The provider for Anthropic Messages, on api.anthropic.com, Vertex AI and hosts that imitate it.
 *
 * `turn` is the assistant message as it is to be sent back: thinking with its signature, redacted thinking, server tools
 * and their results, blocks this library has no word for, all in order.
 *
 * @example
 * ```ts
 * import { anthropic } from 'rx-model-stream';
 *
 * console.log(anthropic().lifecycleOf({ value: { type: 'ping' } })); // { phase: 'idle' }
 * ```
 */
export function anthropic(): Provider<AnthropicTurn> {
  return { name: NAME, lifecycleOf, createMapper: createAnthropicMapper };
}

function lifecycleOf({ value, name }: Payload): Lifecycle {
  if (value === DONE) return { phase: 'idle' };
  const event = objectOf(value);
  switch (event?.['type']) {
    case 'ping':
      return { phase: 'idle' };
    case 'message_start':
      return { phase: 'preamble' };
    case 'message_stop':
      return { phase: 'content', ending: 'final' };
    case 'error':
      return { phase: 'content', error: failureOf(event) };
    case undefined: {
      const isFailure = event !== undefined && (name === 'error' || objectIn(event, 'error') !== undefined);
      return isFailure ? { phase: 'content', error: failureOf(event) } : { phase: 'content' };
    }
    default:
      return { phase: 'content' };
  }
}

/** `{ type: 'error', error: { type, message }, request_id? }`; a proxy may leave the envelope out. */
function failureOf(event: WireObject | undefined): ModelStreamError {
  const error = objectIn(event, 'error') ?? event;
  const providerCode = wordIn(error, 'type');
  return new ModelStreamError(
    'provider',
    wordIn(error, 'message') ?? 'Anthropic reported a failure without a message',
    {
      provider: NAME,
      providerCode,
      retryable: providerCode !== undefined && RETRYABLE.has(providerCode),
      requestId: wordIn(event, 'request_id'),
    },
  );
}
