import type { Snapshot } from './snapshot';
import { present } from './wire';

/**
 * Why a stream ended before its answer was whole.
 *
 * - `http`: the service answered with an error status, or with something that is not a stream.
 * - `network`: the connection failed.
 * - `provider`: the service reported a failure inside the stream.
 * - `truncated`: the body ended without the terminal signal of its provider.
 * - `malformed`: the input is not what its framing or its provider says.
 * - `too-large`: a bound on buffered input was exceeded.
 * - `timeout`: a time limit passed.
 * - `aborted`: the caller's signal was aborted.
 */
export type ModelStreamErrorCode =
  'http' | 'network' | 'provider' | 'truncated' | 'malformed' | 'too-large' | 'timeout' | 'aborted';

/** The facts of a failure that a program may act on. All of them are optional: absent means unknown. */
export interface ModelStreamErrorDetails {
  /** Name of the provider, such as `anthropic`. */
  readonly provider?: string | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  /** The provider's own word for the failure, such as `overloaded_error`. */
  readonly providerCode?: string | undefined;
  /** Whether asking again may succeed; `false` unless whoever made the error knew better. */
  readonly retryable?: boolean | undefined;
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The service's id of the request, from the response headers. */
  readonly requestId?: string | undefined;
  /** The provider's id of the response. */
  readonly responseId?: string | undefined;
  /** Where the stream stood, in the provider's own counting. */
  readonly cursor?: string | undefined;
  /** What was received before the failure; put there by `accumulateBlocks`. */
  readonly snapshot?: Snapshot | undefined;
  /** The original failure. */
  readonly cause?: unknown;
}

/** As much of a message and of a code as is kept, in UTF-16 units: services write both. */
const MAX_MESSAGE_LENGTH = 1000;
const MAX_CODE_LENGTH = 100;

/** Shared by every copy of this package in one program, whichever module system loaded it. */
const MARK = Symbol.for('rx-model-stream.error');

/**
 * The one error class of this library. `code` says what kind of failure it is, the other fields say what a program
 * needs to act on it. Messages hold no key, no prompt and no payload; that of a failure which the service itself reported
 * holds its words, as far as 1000 UTF-16 units go.
 *
 * Two copies of this package are two classes: tell its errors by {@link isModelStreamError}, not by `instanceof`.
 */
export class ModelStreamError extends Error implements ModelStreamErrorDetails {
  override readonly name = 'ModelStreamError';
  readonly code: ModelStreamErrorCode;
  readonly provider: string | undefined;
  readonly status: number | undefined;
  readonly providerCode: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly responseId: string | undefined;
  readonly cursor: string | undefined;
  readonly snapshot: Snapshot | undefined;

  constructor(code: ModelStreamErrorCode, message: string, details: ModelStreamErrorDetails = {}) {
    super(cut(message, MAX_MESSAGE_LENGTH), 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.provider = details.provider;
    this.status = details.status;
    this.providerCode = details.providerCode?.slice(0, MAX_CODE_LENGTH);
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.responseId = details.responseId;
    this.cursor = details.cursor;
    this.snapshot = details.snapshot;
    Object.defineProperty(this, MARK, { value: true });
  }

  /** What may be logged: never the cause, never the snapshot. */
  toJSON(): Record<string, unknown> {
    const { code, message, provider, status, providerCode, retryable, retryAfterMs, requestId, responseId, cursor } =
      this;
    return { code, message, provider, status, providerCode, retryable, retryAfterMs, requestId, responseId, cursor };
  }
}

/**
 * Tells an error of this library from any other, whichever copy of the package made it.
 *
 * @example
 * ```ts
 * import { isModelStreamError, ModelStreamError } from 'rx-model-stream';
 *
 * const error: unknown = new ModelStreamError('truncated', 'Stream ended early', { retryable: true });
 * if (isModelStreamError(error)) console.log(error.code, error.retryable); // truncated true
 * ```
 */
export function isModelStreamError(error: unknown): error is ModelStreamError {
  return typeof error === 'object' && error !== null && MARK in error;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** A copy of `error` with some facts added, those that are known, its stack kept: an error that was reported is never changed. */
export function withDetails(error: ModelStreamError, details: ModelStreamErrorDetails): ModelStreamError {
  const { code, message, provider, status, providerCode, retryable, retryAfterMs, requestId, responseId, cursor } =
    error;
  const own = { provider, status, providerCode, retryable, retryAfterMs, requestId, responseId, cursor };
  const snapshot = error.snapshot;
  const cause = 'cause' in error ? { cause: error.cause } : {};
  const copy = new ModelStreamError(code, message, { ...own, snapshot, ...cause, ...present(details) });
  if (error.stack !== undefined) Object.defineProperty(copy, 'stack', { value: error.stack });
  return copy;
}
