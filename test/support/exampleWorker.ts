/** Runs one example in a thread of its own and reports each value it prints; the thread ends when nothing is left to do. */
import { parentPort, workerData } from 'node:worker_threads';
import { format } from 'node:util';

const realFetch = globalThis.fetch;

console.log = (...values: unknown[]) => {
  parentPort?.postMessage(format(...values));
};

globalThis.fetch = (input, init) => {
  const { hostname, href } = new URL(input instanceof Request ? input.url : input);
  if (hostname === '127.0.0.1') return realFetch(input, init);
  return Promise.reject(new TypeError(`An example must not need the network: it asked for ${href}`));
};

await import(workerData as string);
