import type { Observable, ObservableInput } from 'rxjs';
import { checkCount, checkMilliseconds } from './checkOption';
import type { ModelStreamError } from './errors';
import type { Frame } from './frame';
import type { CancelPoint, ResumePoint } from './resume';

/** What is about to be done about a failure. */
export interface RetryContext {
  /** The failure. */
  readonly error: ModelStreamError;
  /** `resume`: the answer goes on where it stopped. `restart`: the request is sent again, and what came of it is void. */
  readonly kind: 'resume' | 'restart';
  /** Which reconnect of this stream it is, from 1. */
  readonly attempt: number;
  /** How long is waited before it, in milliseconds. */
  readonly delayMs: number;
  /** Where the answer goes on; absent for a restart. */
  readonly point?: ResumePoint;
}

/** How often, when and in which way a lost answer is asked for again. */
export interface RetryOptions {
  /** Reconnects in a row that brought no payload nobody had; a restart never brings one. Default 3. */
  readonly maxRetries?: number;
  /** Reconnects of the whole stream. Default 20. */
  readonly maxTotalRetries?: number;
  /** The first wait is a random time up to this, and each one that follows in a row up to twice as much. Default 500. */
  readonly initialDelayMs?: number;
  /** The longest wait. A service that asks for a longer one is not asked again. Default 60,000. */
  readonly maxDelayMs?: number;
  /** Whether the request may be sent again where the answer cannot go on. Default `before-content`. */
  readonly restart?: 'before-content' | 'always' | 'never';
  /** Has the last word on whether to reconnect. Default: where the answer can go on, or the error is `retryable`. */
  readonly shouldRetry?: (context: RetryContext) => boolean;
  /** Told before each wait. */
  readonly onRetry?: (context: RetryContext) => void;
}

/** The same for the operator, which knows no connections. */
export interface ResumeOptions extends RetryOptions {
  /** Opens the answer where it goes on. Absent: an answer is only ever restarted. */
  readonly resume?: (point: ResumePoint) => Observable<Frame>;
  /** Ends the run at the service, when the consumer leaves before the ending. Nobody hears what becomes of it. */
  readonly cancel?: (point: CancelPoint) => ObservableInput<unknown>;
}

/** The bounds of {@link RetryOptions}, each with its value. */
export type RetryBounds = Required<Omit<RetryOptions, 'shouldRetry' | 'onRetry'>>;

/** @throws {RangeError} When an option is out of its range. */
export function retryBoundsOf({
  maxRetries = 3,
  maxTotalRetries = 20,
  initialDelayMs = 500,
  maxDelayMs = 60_000,
  restart = 'before-content',
}: RetryOptions): RetryBounds {
  checkCount('maxRetries', maxRetries);
  checkCount('maxTotalRetries', maxTotalRetries);
  checkMilliseconds('initialDelayMs', initialDelayMs);
  checkMilliseconds('maxDelayMs', maxDelayMs);
  return { maxRetries, maxTotalRetries, initialDelayMs, maxDelayMs, restart };
}
