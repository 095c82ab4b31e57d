import { defer, identity, mergeMap, takeUntil, throwError, type MonoTypeOperatorFunction } from 'rxjs';
import { createAlarm } from './alarm';
import { currentDemand } from './demand';
import { ModelStreamError } from './errors';
import { fromStage } from './fromStage';

/** What may fail with `timeout`. */
export interface TimeLimit<Value> {
  /** `Infinity` is no limit and costs nothing. */
  readonly ms: number;
  /** What the failure says. */
  readonly message: string;
  /** Whether a value is what is waited for. */
  readonly counts: (value: Value) => boolean;
  /** Whether the next one is waited for then. */
  readonly isRepeated: boolean;
}

/**
 * Fails with `timeout`, retryable, when what is waited for does not come in time.
 *
 * 1. The wait begins with the subscription. It counts only while the source may read: not while a value is worked on, and
 *    not while one is held.
 * 2. A `restart` begins it anew. After a `finish` nothing is waited for, until the next response starts or a value counts.
 * 3. The source is left before the failure is reported.
 */
export function timeLimit<Value>({
  ms,
  message,
  counts,
  isRepeated,
}: TimeLimit<Value>): MonoTypeOperatorFunction<Value> {
  if (ms === Infinity) return identity;
  const late = throwError(() => new ModelStreamError('timeout', message, { retryable: true }));
  return (source) =>
    defer(() => {
      const alarm = createAlarm(ms);
      let isFinished = false;

      function read(value: Value): void {
        const type = typeOf(value);
        const begins = type === 'restart' || (type === 'response-start' && isFinished);
        isFinished = type === 'finish' || (isFinished && !begins);
        if (begins) alarm.renew();
        else if (isFinished) alarm.end();
        else if (counts(value)) {
          if (isRepeated) alarm.renew();
          else alarm.end();
        }
      }

      return source.pipe(
        takeUntil(alarm.rings.pipe(mergeMap(() => late))),
        fromStage<Value, Value>(() => ({
          push(value, emit) {
            alarm.pause();
            read(value);
            emit(value);
            alarm.resume(currentDemand());
          },
          end() {
            // nothing is held back
          },
        })),
      );
    });
}

/** What an event or a frame is; bytes have no type. */
function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}
