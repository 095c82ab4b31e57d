import { concat, defer, from, of, throwError, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import {
  ModelStreamError,
  normalize,
  parseSSE,
  retryWithResume,
  type Frame,
  type ModelEvent,
  type ResumeOptions,
} from 'rx-model-stream';
import type { FakeResponse, FakeRunOptions } from 'rx-model-stream/testing/node';
import { continued, created, textOf, type Routes } from '../support/fakeService';
import type { CutStream } from './streams';

/** Where a connection ends, and how: in good order, too early, or by breaking. */
export interface Cut {
  readonly afterBytes: number;
  readonly type: 'truncate' | 'reset';
}

/** What was said of a stream. */
export interface Reading {
  readonly events: readonly ModelEvent[];
  /** The code of the failure. */
  readonly failure: string | undefined;
}

/** Reads a stream whose connections end as told, one after another, in virtual time. */
export type Read = (cuts: readonly Cut[], options?: ResumeOptions) => Reading;

/** Runs what reads a stream; all time that passes in it is virtual. */
export function withReader(stream: CutStream, run: FakeRunOptions, act: (read: Read) => void): void {
  const routes = stream.service?.run(stream.body, run).routes ?? {};
  new TestScheduler(() => undefined).run(({ flush }) => {
    act((cuts, options = {}) => {
      const events: ModelEvent[] = [];
      let ending: { readonly failure: string | undefined } | undefined;
      answerOf(stream, routes, cuts, options).subscribe({
        next: (event) => events.push(event),
        error: (error: ModelStreamError) => {
          ending = { failure: error.code };
        },
        complete: () => {
          ending = { failure: undefined };
        },
      });
      flush();
      if (ending === undefined) throw new Error('The stream waits, although all of it was there');
      return { events, ...ending };
    });
  });
}

function answerOf(
  { provider, service, body }: CutStream,
  routes: Routes,
  cuts: readonly Cut[],
  options: ResumeOptions,
): Observable<ModelEvent> {
  const left = [...cuts];
  const path = service?.path ?? '';
  const first = (): FakeResponse => (service ? created(routes, path) : { body });
  const resume: ResumeOptions = service
    ? { resume: (point) => framesOf(continued(routes, path, point), left.shift(), point.isWhole) }
    : {};
  return defer(() => framesOf(first(), left.shift())).pipe(
    retryWithResume(provider(), { initialDelayMs: 0, ...resume, ...options }),
    normalize(provider()),
  );
}

/** A response without a connection. */
function framesOf({ status = 200, body }: FakeResponse, cut?: Cut, isWhole?: true): Observable<Frame> {
  if (status !== 200) {
    const retryable = status === 429 || status >= 500;
    return throwError(() => new ModelStreamError('http', `Status ${status}`, { status, retryable }));
  }
  const text = textOf(body);
  if (isWhole) return of({ type: 'json', value: JSON.parse(text) as unknown });
  const bytes = new TextEncoder().encode(text);
  const sent = from([cut ? bytes.subarray(0, cut.afterBytes) : bytes]);
  const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
  const received =
    cut?.type === 'reset'
      ? concat(
          sent,
          throwError(() => lost),
        )
      : sent;
  return received.pipe(parseSSE());
}
