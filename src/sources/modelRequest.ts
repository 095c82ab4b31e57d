import { defer, from, of, type Observable, type ObservableInput } from 'rxjs';
import type { CancelPoint, ResumePoint } from '../resume';
import { listIn, objectOf } from '../wire';
import { cancelBytes } from './chunkReader';
import { continueUrl, type RelativeUrl } from './continueUrl';
import { opened } from './opened';

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

/** The response to a request that was sent with any client. */
export function responseOf(send: SendModelRequest, signal: AbortSignal): Observable<Response> {
  return defer(() => {
    const response = send(signal);
    if ('status' in response) return of(response);
    return 'then' in response ? opened(response, cancelBytes) : from(response);
  });
}

/** Sends a request with `fetch`. */
export function sendWithFetch(request: ModelRequest, accept: string, signal: AbortSignal): Promise<Response> {
  const { url, method = 'POST', body, fetch = globalThis.fetch } = request;
  const headers = new Headers({ accept });
  const isJson = typeof body === 'object' && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body);
  if (isJson) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
  const content = isJson ? JSON.stringify(body) : (body as BodyInit | undefined);
  return fetch(url, { method, headers, signal, ...(content !== undefined && { body: content }) });
}

/**
 * The request that goes on with an answer: with the credentials and the client of the first one, or that one again.
 *
 * @param repeats - Fields of the first body that the query repeats; see `ResumeProtocol`.
 */
export function continuationOf(
  request: ModelRequest,
  point: ResumePoint,
  repeats: readonly string[] = [],
): ModelRequest {
  if (point.isRepeat) {
    return { ...request, url: continueUrl(request.url, point), headers: { ...request.headers, ...point.headers } };
  }
  const query = { ...repeatedIn(request.body, repeats), ...point.query };
  return {
    ...relatedTo(request, { path: point.path, query }),
    method: 'GET',
    headers: { ...withoutContentType(request), ...point.headers },
  };
}

/** As the services read lists in a query: `include[]=…` for each word. */
function repeatedIn(body: ModelRequest['body'], fields: readonly string[]): Record<string, string[]> {
  const wire = objectOf(body);
  return Object.fromEntries(
    fields.map((field) => [`${field}[]`, listIn(wire, field).filter((word) => typeof word === 'string')]),
  );
}

/** The request that ends a run. */
export function cancellationOf(request: ModelRequest, point: CancelPoint): ModelRequest {
  return { ...relatedTo(request, point), method: 'POST', headers: withoutContentType(request), body: {} };
}

function relatedTo({ url, fetch }: ModelRequest, at: RelativeUrl): ModelRequest {
  return { url: continueUrl(url, at), ...(fetch && { fetch }) };
}

function withoutContentType({ headers = {} }: ModelRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'));
}
