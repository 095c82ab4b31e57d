import type { Payload, ResumePoint } from 'rx-model-stream';
import { parseSSE } from 'rx-model-stream';
import type { FakeRequest, FakeResponse, FakeRoute } from 'rx-model-stream/testing/node';
import { payloadOf } from '../../src/payload';
import { framesIn } from './frames';

/** The routes of a fake provider, asked without a connection. */
export type Routes = Readonly<Record<string, FakeRoute>>;

/** What the service answers to a request that creates a run in the background. */
export function created(routes: Routes, path: string): FakeResponse {
  return answerOf(routes, {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: {},
    body: '{"background":true,"stream":true}',
  });
}

/** What the service answers to a request that goes on at a point. */
export function continued(routes: Routes, path: string, point: ResumePoint): FakeResponse {
  const headers = Object.entries(point.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return answerOf(routes, {
    method: 'GET',
    path: path + point.path,
    query: new URLSearchParams(point.query),
    headers: Object.fromEntries(headers),
    body: '',
  });
}

function answerOf(routes: Routes, request: FakeRequest): FakeResponse {
  const { path } = request;
  const route = routes[path] ?? routes[Object.keys(routes).find((key) => isAbove(key, path)) ?? ''];
  if (route === undefined) return { status: 404 };
  return typeof route === 'function' ? route(request, 1) : route;
}

function isAbove(key: string, path: string): boolean {
  return key.endsWith('/*') && path.startsWith(key.slice(0, -1));
}

/** The payloads of a body that is all there. */
export function payloadsIn(body: FakeResponse['body']): Payload[] {
  if (typeof body !== 'string') throw new Error('The body is not all there');
  const frames = framesIn(() => parseSSE(), new TextEncoder().encode(body));
  return frames.map((frame) => payloadOf(frame)).filter((payload) => payload !== undefined);
}
