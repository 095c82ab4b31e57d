import type { ModelStreamError } from './errors';
import type { ResumePoint } from './resume';
import type { RetryBounds, RetryContext } from './retryOptions';

/** Counts the reconnects of one stream and says how long to wait for each. */
export interface RetryBudget {
  /** What to do about a failure; undefined when there is no way on, or when it was tried often enough. */
  next(error: ModelStreamError, point: ResumePoint | undefined, mayRestart: boolean): RetryContext | undefined;
  /** The reconnect that was planned takes place. */
  spend(): void;
  /** A reconnect brought something new. */
  progress(): void;
  /** The service says how long to wait where a failure does not. */
  wait(retryMs: number): void;
}

/**
 * The wait is what the failure says, else what the service last said with `retry:`, else a random time up to a bound that
 * doubles with each reconnect in a row ("full jitter"), so that clients that failed together do not come back together.
 */
export function createRetryBudget(bounds: RetryBounds): RetryBudget {
  const { maxRetries, maxTotalRetries, initialDelayMs, maxDelayMs } = bounds;
  let inARow = 0;
  let total = 0;
  let retryMs: number | undefined;

  return {
    next(error, point, mayRestart) {
      if (!point && !mayRestart) return undefined;
      if (total >= maxTotalRetries || (inARow >= maxRetries && point?.isRunning !== true)) return undefined;
      const bound = Math.min(maxDelayMs, initialDelayMs * 2 ** inARow);
      const delayMs = error.retryAfterMs ?? retryMs ?? Math.random() * bound;
      if (delayMs > maxDelayMs) return undefined;
      const attempt = total + 1;
      return Object.freeze(
        point ? { error, kind: 'resume', attempt, delayMs, point } : { error, kind: 'restart', attempt, delayMs },
      );
    },
    spend() {
      inARow += 1;
      total += 1;
    },
    progress() {
      inARow = 0;
    },
    wait(ms) {
      retryMs = ms;
    },
  };
}
