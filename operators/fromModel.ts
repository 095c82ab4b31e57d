import { concatMap, defer, from, of, tap, type Observable, type ObservableInput } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import type { ModelEvent } from '../src/events';
import { createFraming, type FramingOptions } from '../src/framing/framing';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { fromStage } from '../src/fromStage';
import type { Provider } from '../src/provider';
import { checkResponse } from '../src/sources/checkResponse';
import { cancelBytes } from '../src/sources/chunkReader';
import { contentTypeOf, contentTypesOf } from '../src/sources/contentTypes';
import { fromByteStream, type ByteStreamOptions } from '../src/sources/fromByteStream';
import { opened } from '../src/sources/opened';
import { normalize, type NormalizeOptions } from './normalize';

/** A request for a model stream. */
export interface ModelRequest {
  readonly url: string | URL;
  /** Default `POST`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: object | string;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Sends the request with any client; `signal` is aborted when the consumer leaves before the end. */
export type SendModelRequest = (signal: AbortSignal) => Response | PromiseLike<Response> | ObservableInput<Response>;

/** How a model stream is read. */
export interface ModelOptions extends NormalizeOptions, ByteStreamOptions, FramingOptions {}

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
 *
 * ```text
 * request    ^--r                        r = the response, an event stream
 * events     -----s--a--b--f|            s = response-start, a, b = deltas …, f = finish
 * ```
 *
 * Fails with `http`, `network`, `provider`, `truncated`, `malformed`, `too-large` or `aborted`.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 * @param provider - Whose API it is, such as `anthropic()`.
 * @param request - The request, or a function that sends it with a client of your own.
 * @param options.signal - The caller's own signal; aborting it fails the stream with `aborted`.
 * @param options.raw - Which payloads come out as `raw`. Default `unmapped`.
 * @param options.lingerMs - How long to wait for the end of the body after the terminal signal. Default 250.
 * @param options.maxFrameBytes - Bound on one frame. Default 32 MiB.
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
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  const toEvents = normalize(provider, options);
  const accept = contentTypesOf(provider).join(', ');
  const send =
    typeof request === 'function' ? request : (signal: AbortSignal) => sendWithFetch(request, accept, signal);
  const check = checkResponse(provider);
  return defer(() => {
    let contentType: string | undefined; // of the first response: it is the one that is read
    const open = (signal: AbortSignal): Observable<Response> =>
      responseOf(send, signal).pipe(
        concatMap((response) => opened(check(response, signal), cancelBytes)),
        tap((response) => {
          contentType ??= contentTypeOf(response);
        }),
      );
    return fromByteStream(open, options).pipe(
      fromStage(() => createFraming(() => contentType ?? '', options)),
      toEvents,
    );
  });
}

function responseOf(send: SendModelRequest, signal: AbortSignal): Observable<Response> {
  return defer(() => {
    const response = send(signal);
    if ('status' in response) return of(response);
    return 'then' in response ? opened(response, cancelBytes) : from(response);
  });
}

function sendWithFetch(request: ModelRequest, accept: string, signal: AbortSignal): Promise<Response> {
  const { url, method = 'POST', body, fetch = globalThis.fetch } = request;
  const headers = new Headers({ accept });
  const isJson = typeof body === 'object' && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body);
  if (isJson) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
  const content = isJson ? JSON.stringify(body) : (body as BodyInit | undefined);
  return fetch(url, { method, headers, signal, ...(content !== undefined && { body: content }) });
}
