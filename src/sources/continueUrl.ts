/** Where to go on, or what to cancel, relative to the first request. A list gives its name once for each word. */
export interface RelativeUrl {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * The URL at which an answer goes on, from that of the request which began it: so that proxies and other hosts work.
 *
 * 1. The path of the point is appended; a slash at the end of the first path is dropped.
 * 2. The query of the first request stays, such as an API version or a key; that of the point overrides it.
 * 3. A relative URL stays relative. A fragment is dropped.
 *
 * @param url - The URL of the first request.
 * @param at - Where to go on, or what to cancel: a `ResumePoint` or a `CancelPoint`.
 *
 * @example
 * ```ts
 * import { continueUrl } from 'rx-model-stream';
 *
 * const point = { path: '/resp_1', query: { stream: 'true', starting_after: '7' } };
 * console.log(continueUrl('/api/v1/responses?tenant=a', point)); // /api/v1/responses/resp_1?tenant=a&stream=true&starting_after=7
 * ```
 */
export function continueUrl(url: string | URL, at: RelativeUrl): string {
  const { path, query = {} } = at;
  const [whole = ''] = String(url).split('#', 1);
  const queryAt = whole.indexOf('?');
  const firstPath = queryAt === -1 ? whole : whole.slice(0, queryAt);
  const all = new URLSearchParams(queryAt === -1 ? '' : whole.slice(queryAt));
  for (const [name, value] of Object.entries(query)) {
    all.delete(name);
    for (const word of [value].flat()) all.append(name, word);
  }
  const continued = (firstPath.endsWith('/') ? firstPath.slice(0, -1) : firstPath) + path;
  return all.size === 0 ? continued : `${continued}?${all.toString()}`;
}
