import { checkChunkSizes } from './chunkSizes';
import type { FakeAnswer } from './fakeAnswer';
import { writesOf } from './writesOf';

/** A `fetch` that answers as it is told. */
export type FakeFetch = typeof globalThis.fetch & {
  /** Every call so far, in order. */
  readonly calls: readonly FakeCall[];
};

/** One call of a {@link fakeFetch}; what became of it changes while its answer is read. */
export interface FakeCall {
  /** What was asked: `method`, `url`, `headers`, and the body by `await request.text()`. */
  readonly request: Request;
  /** How many times the body was read from, the read that finds its end included. */
  readonly reads: number;
  /** Whether the signal of the caller was aborted. */
  readonly isAborted: boolean;
  /** Whether the body was cancelled before its end. */
  readonly isCancelled: boolean;
}

/** Statuses of responses that cannot have a body. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` without a network: it plays answers one after another and remembers what was asked and what became of it.
 *
 * 1. The last answer is given again and again, so that one answer serves any number of calls; `calls` counts them.
 * 2. A chunk is made when it is asked for, so that `reads` is what the client really read.
 * 3. Aborting the signal rejects the call, or fails the body, with the reason of the signal.
 * 4. It goes wrong on demand: see {@link FakeFault}. There are no timers: time is in the hand of the test, which may give
 *    a body that is an async iterable.
 *
 * It needs the `Request`, `Response` and `ReadableStream` of the platform. For what only a real connection shows, such as
 * backpressure up to the service, see `startFakeProvider`.
 *
 * @param answers - How each call is answered. Without any: an empty event stream.
 * @returns The fake, with its `calls`.
 * @throws {RangeError} When a chunk size is not a whole number from 1.
 *
 * @example The first answer is lost on the way
 * ```ts
 * import { retry } from 'rxjs';
 * import { anthropic, fromModel, textDeltas } from 'rx-model-stream';
 * import { fakeFetch } from 'rx-model-stream/testing';
 *
 * const body = [
 *   { type: 'message_start', message: { id: 'msg_1', model: 'm' } },
 *   { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
 *   { type: 'message_stop' },
 * ].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
 * const fetch = fakeFetch({ body, fault: { type: 'reset', afterBytes: 20 } }, { body, chunkBytes: 7 });
 *
 * fromModel(anthropic(), { url: 'https://api.example/v1/messages', fetch }).pipe(retry(1), textDeltas()).subscribe({
 *   next: (text) => console.log(text), // Hello
 *   complete: () => console.log(fetch.calls.length), // 2
 * });
 * ```
 */
export function fakeFetch(...answers: readonly FakeAnswer[]): FakeFetch {
  for (const { chunkBytes } of answers) if (chunkBytes !== undefined) checkChunkSizes('chunkBytes', chunkBytes);
  const calls: FakeCall[] = [];

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = answers[calls.length] ?? answers.at(-1) ?? {};
    const call = callOf(new Request(input, init));
    calls.push(call);
    const { signal } = call.request;
    signal.throwIfAborted();
    if (answer.fault && answer.fault.afterBytes === undefined) {
      if (answer.fault.type === 'reset') throw new TypeError('fetch failed');
      await aborted(signal);
      signal.throwIfAborted();
    }
    const { status = 200 } = answer;
    const body = BODILESS_STATUSES.has(status) ? null : bodyOf(answer, call);
    return new Response(body, { status, headers: headersOf(answer) });
  };

  return Object.assign(fetch, { calls });
}

/** A call of which its answer keeps the record. */
type RunningCall = { -readonly [Field in keyof FakeCall]: FakeCall[Field] };

function callOf(request: Request): RunningCall {
  return {
    request,
    reads: 0,
    isCancelled: false,
    get isAborted() {
      return request.signal.aborted;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

function headersOf({ headers = {} }: FakeAnswer): Headers {
  const all = new Headers({ 'content-type': 'text/event-stream' });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return all;
}

function bodyOf(answer: FakeAnswer, call: RunningCall): ReadableStream<Uint8Array> {
  const writes = writesOf(answer);
  const { signal } = call.request;
  let isLeft = false;

  function leave(): void {
    isLeft = true;
    void writes.return();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason);
          leave();
        });
      },
      async pull(controller) {
        call.reads += 1;
        const { done, value } = await writes.next();
        if (isLeft) return;
        if (!done) controller.enqueue(value);
        else if (answer.fault?.type === 'reset') controller.error(new TypeError('terminated'));
        else if (answer.fault?.type !== 'stall') controller.close();
      },
      cancel() {
        call.isCancelled = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}
