import { concat, from, of, tap, throwError, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  isModelStreamError,
  ModelStreamError,
  normalize,
  withUsage,
  type Frame,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { payloadOf } from '../../src/payload';
import { framingOf } from '../support/fixtures';
import type { Mishap, Plan } from './plan';

/** How a stream has to end. */
export interface Expectation {
  /** Of the failure; absent where the answer is whole. */
  readonly code?: string;
  /** What is in hand then, or, for `isBeginning`, what it is the beginning of. */
  readonly snapshot: Snapshot;
  readonly isBeginning?: true;
  /** How many requests are made. */
  readonly requests: number;
  /** How often the answer begins anew; absent where it depends on where it was cut. */
  readonly restarts?: number;
}

/** What one connection alone gives. */
interface Attempt {
  readonly error: ModelStreamError | undefined;
  readonly snapshot: Snapshot;
  readonly hasContent: boolean;
}

const MAX_RETRIES = 3;
const MAX_DELAY_MS = 60_000;

/**
 * How the stream of a plan has to end, by what each of its connections gives and by the rules of `retryWithResume`.
 *
 * @param requests - How many requests were made: where a run goes on, the place of a cut decides how many it takes.
 */
export function expectationOf(plan: Plan, requests: number): Expectation {
  return plan.service.run ? resumed(plan, requests) : restarted(plan);
}

/** A run goes on until it meets something that no waiting helps with. */
function resumed(plan: Plan, requests: number): Expectation {
  const { snapshot } = attemptOf(plan, undefined);
  const met = plan.mishaps.slice(0, requests);
  const hopeless = met.findIndex((mishap) => !mishap.answer.fault && !mayPass(mishap));
  if (hopeless !== -1) return { code: 'http', snapshot, isBeginning: true, requests: hopeless + 1 };
  return { snapshot, requests: Math.min(requests, plan.mishaps.length + 1) };
}

/** A stream that is lost with its connection begins anew, as long as no content had come. */
function restarted(plan: Plan): Expectation {
  for (let restarts = 0; ; restarts += 1) {
    const mishap = plan.mishaps[restarts];
    const { error, snapshot, hasContent } = attemptOf(plan, mishap);
    const ending = { snapshot, restarts, requests: restarts + 1 };
    if (!error) return ending;
    const mayRestart = error.retryable && !hasContent && (error.retryAfterMs ?? 0) <= MAX_DELAY_MS;
    if (!mayRestart || restarts === MAX_RETRIES) return { ...ending, code: error.code };
  }
}

/** Whether asking again may help against a refusal, and soon. */
function mayPass({ answer: { status = 200, headers = {} } }: Mishap): boolean {
  return status >= 429 && !(Number(headers['retry-after']) > MAX_DELAY_MS / 1000);
}

/** What is read of one connection, as if it were the only one. */
function attemptOf({ service: { provider }, sample }: Plan, mishap: Mishap | undefined): Attempt {
  let hasContent = false;
  let snapshot: Snapshot = emptySnapshot;
  let error: unknown;
  bytesOf(sample.bytes(), mishap)
    .pipe(
      framingOf(sample)(),
      tap((frame) => {
        hasContent ||= isContent(provider, frame);
      }),
      normalize(provider),
      withUsage(),
      accumulateBlocks(),
    )
    .subscribe({
      next: (next) => {
        snapshot = next;
      },
      error: (failure: unknown) => {
        error = failure;
      },
    });
  if (error === undefined) return { error, snapshot, hasContent };
  if (!isModelStreamError(error)) throw error as Error;
  return { error, snapshot: error.snapshot ?? snapshot, hasContent };
}

function isContent(provider: Provider, frame: Frame): boolean {
  try {
    const payload = payloadOf(frame, provider.eventData);
    const life = payload && provider.lifecycleOf(payload);
    return life?.phase === 'content' && !life.error;
  } catch {
    return false; // a frame that was cut
  }
}

/** The bytes of a connection to which this happens, and how it ends. */
function bytesOf(body: Uint8Array, mishap: Mishap | undefined): Observable<Uint8Array> {
  if (!mishap) return of(body);
  const { fault } = mishap.answer;
  if (!fault) return throwError(() => refusalOf(mishap));
  const bytes = fault.afterBytes === undefined ? [] : [body.slice(0, fault.afterBytes)];
  switch (fault.type) {
    case 'reset':
      return concat(from(bytes), lost('network'));
    case 'stall':
      return concat(from(bytes), lost('timeout'));
    case 'truncate':
      return from(bytes);
    case 'error-event':
      return concat(from(bytes), of(new TextEncoder().encode(fault.event)));
  }
}

function refusalOf(mishap: Mishap): ModelStreamError {
  const { status, headers = {} } = mishap.answer;
  const seconds = Number(headers['retry-after']);
  return new ModelStreamError('http', 'Refused', {
    status,
    retryable: (status ?? 200) >= 429,
    retryAfterMs: Number.isNaN(seconds) ? undefined : seconds * 1000,
  });
}

function lost(code: 'network' | 'timeout'): Observable<never> {
  return throwError(() => new ModelStreamError(code, 'Lost', { retryable: true }));
}
