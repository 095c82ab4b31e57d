import { get, type IncomingMessage } from 'node:http';

/** Gets an address with `node:http`, whose body, unlike that of `fetch`, is read from the socket only as it is asked for. */
export function httpBody(url: string, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, ...(signal && { signal }) }, resolve).on('error', reject);
  });
}
