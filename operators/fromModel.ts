import { concatMap, defer, identity, take, tap, type MonoTypeOperatorFunction, type Observable } from 'rxjs';
import { checkMilliseconds, checkPositive } from '../src/checkOption';
import { isContentOf } from '../src/content';
import type { ModelEvent } from '../src/events';
import type { Frame } from '../src/frame';
import { createFraming, type FramingOptions } from '../src/framing/framing';
import { createJson } from '../src/framing/json';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { fromStage } from '../src/fromStage';
import type { Provider } from '../src/provider';
import type { CancelPoint, ResumePoint } from '../src/resume';
import type { ResumeOptions } from '../src/retryOptions';
import { checkResponse } from '../src/sources/checkResponse';
import type { ErrorBodyOptions } from '../src/sources/errorBody';
import { cancelBytes } from '../src/sources/chunkReader';
import { abortedBy } from '../src/sources/connection';
import { contentTypeOf, contentTypesOf } from '../src/sources/contentTypes';
import { fromByteStream, type ByteStreamOptions } from '../src/sources/fromByteStream';
import { headersWithin } from '../src/sources/headersWithin';
import {
  cancellationOf,
  continuationOf,
  responseOf,
  sendWithFetch,
  type ModelRequest,
  type SendModelRequest,
} from '../src/sources/modelRequest';
import { opened } from '../src/sources/opened';
import type { Stage } from '../src/stage';
import { firstTokenWithin } from './firstTokenWithin';
import { idleWithin } from './idleWithin';
import { normalize, type NormalizeOptions } from './normalize';
import { retryWithResume } from './retryWithResume';

/** The content type of an answer that is fetched whole. */
const JSON_TYPE = 'application/json';

/** How long a connection may take, in milliseconds. Each limit counts only while the connection may be read. */
export interface TimeLimitOptions {
  /** Until the headers of the response have come and were checked. Default `Infinity`. */
  readonly headersWithinMs?: number;
  /** Until the first content has come, whatever came before it. Default `Infinity`. */
  readonly firstTokenWithinMs?: number;
  /** Until the next bytes come, keep-alives included. Default `Infinity`. */
  readonly idleWithinMs?: number;
  /** Until the next content comes, keep-alives not included. Default `Infinity`. */
  readonly contentWithinMs?: number;
}

/** How a model stream is read. */
export interface ModelOptions
  extends NormalizeOptions, ByteStreamOptions, FramingOptions, ErrorBodyOptions, TimeLimitOptions {
  /**
   * Whether an answer outlives its connection, and how often it is asked for again; see `retryWithResume`. `true` for its
   * defaults. Where the request is a function, answers are restarted, and go on only with a `resume` of one's own. Default `false`.
   */
  readonly retry?: boolean | ResumeOptions;
  /**
   * Whether leaving before the ending also ends the run at the service, where it goes on without a reader (background runs
   * of OpenAI and of Interactions). Not where the request is a function. Default `false`: such a run is billed to its end.
   */
  readonly cancelRun?: boolean;
}

/**
 * Asks a model and streams its answer as events: the default pipeline in one call. Everything it does can be written with
 * the parts: `fromByteStream`, `checkResponse`, `parseSSE` or another framing, `normalize`.
 *
 * 1. Cold: each subscription is a new request, which costs money. Share it where two consumers look on.
 * 2. The status and content type of the response are checked first; of those that the provider answers in, the content
 *    type says how the body is cut: `application/json` is an array, `application/x-ndjson` and its other names are lines,
 *    `application/vnd.amazon.eventstream` is messages, everything else is an event stream.
 * 3. Unsubscribing closes the connection, always; a normal end aborts nothing.
 * 4. The next bytes are read when the consumer is ready, where it says so: see `pacedMap`.
 * 5. With `retry` the answer goes on over a new connection where the provider can do so, with the URL of the request
 *    continued (`continueUrl`), its headers and its `fetch`.
 * 6. Without a time limit a silent service is waited for. Limits begin with each request; with `retry` what exceeds one is
 *    tried again.
 *
 * ```text
 * request    ^--r                        r = the response, an event stream
 * events     -----s--a--b--f|            s = response-start, a, b = deltas …, f = finish
 * ```
 *
 * Fails with `http`, `network`, `provider`, `truncated`, `malformed`, `too-large`, `timeout` or `aborted`.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 * @param provider - Whose API it is, such as `anthropic()`.
 * @param request - The request, or a function that sends it with a client of your own.
 * @param options.signal - The caller's own signal; aborting it fails the stream with `aborted`.
 * @param options.raw - Which payloads come out as `raw`. Default `unmapped`.
 * @param options.lingerMs - How long to wait for the end of the body after the terminal signal. Default 250.
 * @param options.maxFrameBytes - Bound on one frame. Default 32 MiB.
 * @param options.maxBlocks - Bound on the blocks of one response; see `normalize`. Default 100,000.
 * @param options.maxErrorBytes - As much of an error body as is read. Default 64 KiB.
 * @param options.retry - Whether and how to reconnect. Default `false`.
 * @param options.cancelRun - Whether leaving early ends the run at the service. Default `false`.
 * @param options.headersWithinMs - How long the headers may take; see `headersWithin`. Default no limit.
 * @param options.firstTokenWithinMs - How long the first content may take; see `firstTokenWithin`. Default no limit.
 * @param options.idleWithinMs - How long no bytes may come; see `idleWithin`. Default no limit.
 * @param options.contentWithinMs - How long no content may come, whatever else does. Default no limit.
 * @returns An Observable of the events of one response.
 * @throws {RangeError} When an option is out of its range.
 *
 * @example Against any client
 * ```ts
 * import { anthropic, fromModel, textDeltas } from 'rx-model-stream';
 *
 * const body = [
 *   { type: 'message_start', message: { id: 'msg_1', model: 'm' } },
 *   { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
 *   { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
 *   { type: 'message_stop' },
 * ].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
 * const send = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
 * fromModel(anthropic(), send).pipe(textDeltas()).subscribe(console.log); // Hello
 * ```
 */
export function fromModel<Turn>(
  provider: Provider<Turn>,
  request: ModelRequest | SendModelRequest,
  options: ModelOptions = {},
): Observable<ModelEvent<Turn>> {
  for (const [name, ms] of Object.entries(limitsOf(options))) checkMilliseconds(name, ms);
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  const toEvents = normalize(provider, options);
  const send: SendModelRequest =
    typeof request === 'function' ? request : (signal) => sendWithFetch(request, acceptOf(provider), signal);
  return framesOf(provider, send, options).pipe(
    reconnecting(provider, request, options),
    abortedBy(options.signal),
    toEvents,
  );
}

/** The time limits, each with its value. */
function limitsOf({
  headersWithinMs = Infinity,
  firstTokenWithinMs = Infinity,
  idleWithinMs = Infinity,
  contentWithinMs = Infinity,
}: TimeLimitOptions): Required<TimeLimitOptions> {
  return { headersWithinMs, firstTokenWithinMs, idleWithinMs, contentWithinMs };
}

/** Keeps the answer going, as far as the options say so. */
function reconnecting(
  provider: Provider,
  request: ModelRequest | SendModelRequest,
  { retry = false, cancelRun = false, ...options }: ModelOptions,
): MonoTypeOperatorFunction<Frame> {
  if (retry === false && !cancelRun) return identity;
  const bounds: ResumeOptions = retry === false ? { maxTotalRetries: 0 } : retry === true ? {} : retry;
  if (typeof request === 'function') return retryWithResume(provider, bounds);
  return retryWithResume(provider, {
    resume: (point) => continued(provider, request, point, options),
    ...(cancelRun && { cancel: (point) => cancelled(request, point) }),
    ...bounds,
  });
}

/** The rest of an answer: streamed like its beginning, or whole. */
function continued(
  provider: Provider,
  request: ModelRequest,
  point: ResumePoint,
  options: FramingOptions & ErrorBodyOptions & TimeLimitOptions,
): Observable<Frame> {
  const answerer = point.isWhole ? { ...provider, contentTypes: [JSON_TYPE] } : provider;
  const continuation = continuationOf(request, point, provider.resume?.repeats);
  const send: SendModelRequest = (signal) => sendWithFetch(continuation, acceptOf(answerer), signal);
  return framesOf(answerer, send, options, point.isWhole && (() => createJson(options)));
}

/** Ends a run; the answer to that says nothing that is needed. */
function cancelled(request: ModelRequest, point: CancelPoint): Observable<Uint8Array> {
  return fromByteStream((signal) => sendWithFetch(cancellationOf(request, point), JSON_TYPE, signal)).pipe(take(1));
}

/** The frames of one response, checked, in time, and cut by its content type. */
function framesOf(
  provider: Provider,
  send: SendModelRequest,
  options: FramingOptions & ErrorBodyOptions & TimeLimitOptions,
  createOther?: false | (() => Stage<Uint8Array, Frame>),
): Observable<Frame> {
  const check = checkResponse(provider, options);
  const { headersWithinMs, firstTokenWithinMs, idleWithinMs, contentWithinMs } = limitsOf(options);
  const content = { counts: isContentOf(provider) };
  return defer(() => {
    let contentType: string | undefined; // of the first response: it is the one that is read
    const open = (signal: AbortSignal): Observable<Response> =>
      responseOf(send, signal).pipe(
        concatMap((response) => opened(check(response, signal), cancelBytes)),
        tap((response) => {
          contentType ??= contentTypeOf(response);
        }),
      );
    return fromByteStream(headersWithin(headersWithinMs, open)).pipe(
      idleWithin(idleWithinMs),
      fromStage(() => (createOther ? createOther() : createFraming(() => contentType ?? '', options))),
      firstTokenWithin(firstTokenWithinMs, content),
      idleWithin(contentWithinMs, content),
    );
  });
}

function acceptOf(provider: Pick<Provider, 'contentTypes'>): string {
  return contentTypesOf(provider).join(', ');
}
