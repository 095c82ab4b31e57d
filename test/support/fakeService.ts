import { parseSSE, type Frame, type Payload, type ResumePoint } from 'rx-model-stream';
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

/** The payloads of a body that is all there; what was cut and does not parse is none. */
export function payloadsIn(body: FakeResponse['body']): Payload[] {
  const frames = framesIn(() => parseSSE(), new TextEncoder().encode(textOf(body)));
  return frames.map(payloadIn).filter((payload) => payload !== undefined);
}

/** The text of a body that is all there. */
export function textOf(body: FakeResponse['body'] = ''): string {
  if (typeof body !== 'string') throw new Error('The body is not all there');
  return body;
}

function payloadIn(frame: Frame): Payload | undefined {
  try {
    return payloadOf(frame);
  } catch {
    return undefined;
  }
}
