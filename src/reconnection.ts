import { concat, defer, of, type Observable } from 'rxjs';
import { isModelStreamError, ModelStreamError, withDetails } from './errors';
import type { Frame, JsonFrame } from './frame';
import { payloadOf, type Payload } from './payload';
import type { Lifecycle, Provider } from './provider';
import type { CancelPoint, ResumeTracker } from './resume';
import { createRetryBudget } from './retryBudget';
import type { ResumeOptions, RetryBounds } from './retryOptions';
import type { Emit, Stage } from './stage';

/** One answer over any number of connections. */
export interface Reconnection {
  /** The connection that is next: the first one, a continuation, or the request again. */
  open(): Observable<Frame>;
  /** Reads one connection, and fails with what ended it. */
  createReader(): Stage<Frame, Frame>;
  /** How long to wait for the next connection, asked once after a failure; undefined when there is none. */
  takeDelayMs(): number | undefined;
  /** What ends the run at the service; undefined where it has none, or is over. */
  cancelPoint(): CancelPoint | undefined;
}

/** The machine behind `retryWithResume`: it follows an answer and decides, at each failure, how it goes on. */
export function createReconnection(
  provider: Provider,
  source: Observable<Frame>,
  bounds: RetryBounds,
  { resume, shouldRetry, onRetry }: ResumeOptions,
): Reconnection {
  const isSession = provider.session === true; // its responses end one by one, which is for `normalize` to see
  const budget = createRetryBudget(bounds);
  let tracker: ResumeTracker | undefined;
  let ending: NonNullable<Lifecycle['ending']> = 'open';
  let hasContent = false;
  let isResumed = false;
  let next = source;
  let delayMs: number | undefined;

  function begin(): void {
    tracker = provider.resume?.createTracker();
    ending = 'open';
    hasContent = false;
    isResumed = false;
  }

  /**
   * Decides how the answer goes on after a failure: `open` and `takeDelayMs` know then.
   *
   * @returns The failure, with the place where the answer could have gone on if it does not.
   */
  function failed(error: ModelStreamError, payload?: Payload): ModelStreamError {
    if (error.code === 'aborted') return error;
    const point = resume && tracker?.pointAfter(error);
    const { restart } = bounds;
    const mayRestart = restart === 'always' || (restart === 'before-content' && !hasContent);
    const context = budget.next(error, point, mayRestart);
    if (context && (shouldRetry ? shouldRetry(context) : point !== undefined || error.retryable)) {
      onRetry?.(context);
      budget.spend();
      const again: Frame = { type: 'restart', attempt: context.attempt, cause: error, ...(payload && { payload }) };
      isResumed = point !== undefined;
      next = resume && point ? defer(() => resume(point)) : concat(of(again), source);
      delayMs = context.delayMs;
      return error;
    }
    return point ? withDetails(error, { responseId: point.responseId, cursor: point.cursor }) : error;
  }

  /** Failures of reading a frame are failures of the answer like any other. */
  function guarded<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw isModelStreamError(error) ? failed(error) : error;
    }
  }

  function push(frame: Frame, emit: Emit<Frame>): void {
    if (ending === 'final') return; // late data
    if (frame.type === 'restart') begin();
    if (frame.type === 'hint' && !frame.incomplete) {
      if (frame.retryMs !== undefined) budget.wait(frame.retryMs);
      tracker?.hint?.(frame);
    }
    const decoded = guarded(() => payloadOf(frame, provider.eventData));
    if (!decoded) {
      emit(frame);
      return;
    }
    const payload = guarded(() => (tracker ? tracker.read(decoded) : decoded));
    if (!payload) return; // it was delivered before
    const life = provider.lifecycleOf(payload);
    if (life.error && !isSession) {
      const failure = failed(life.error, payload);
      if (delayMs !== undefined) throw failure; // otherwise `normalize` reports it, and the usage in the payload
    } else {
      if (isResumed) budget.progress();
      if (life.phase === 'content') hasContent = true;
      if (!isSession) ending = life.ending ?? ending;
    }
    emit(decodedFrame(payload));
  }

  function end(): void {
    if (ending !== 'open' || isSession) return;
    const error = new ModelStreamError('truncated', 'Stream ended before its terminal signal', {
      provider: provider.name,
      retryable: true,
    });
    const failure = failed(error);
    if (delayMs !== undefined || failure !== error) throw failure; // otherwise `normalize` reports it
  }

  function fail(error: unknown): void {
    if (ending === 'final') return; // nothing can be lost any more
    throw isModelStreamError(error) ? failed(error) : error;
  }

  begin();
  return {
    open: () => next,
    createReader: () => ({ push, end, fail }),
    takeDelayMs() {
      const wait = delayMs;
      delayMs = undefined;
      return wait;
    },
    cancelPoint: () => (ending === 'final' ? undefined : tracker?.cancelPoint?.()),
  };
}

/** The payload as a frame, so that it is decoded once. */
function decodedFrame({ value, name, lastEventId }: Payload): JsonFrame {
  const frame: { -readonly [Key in keyof JsonFrame]: JsonFrame[Key] } = { type: 'json', value };
  if (name !== undefined) frame.name = name;
  if (lastEventId !== undefined) frame.lastEventId = lastEventId;
  return frame;
}
