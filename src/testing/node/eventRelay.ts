import type { FakeResponse } from './fakeResponse';
import type { FakeRoute } from './startFakeProvider';

/** How a relay answers. */
export interface EventRelayOptions {
  /** What it asks its clients to wait before they come back, in milliseconds: the `retry:` line of its answers. Default none. */
  readonly retryMs?: number;
  /** How the answers differ from those of a relay without faults, one after another. */
  readonly answers?: readonly FakeResponse[];
}

/**
 * A relay of one's own that sends events with an `id:`, for a route of `startFakeProvider`: a client that comes back with
 * the header `Last-Event-ID` gets what stands behind that event. An id that was never sent is answered with 404.
 *
 * @param body - Its events. Where none of them has an `id:` line, they are numbered from 1.
 * @param options - What it asks its clients to wait, and what goes wrong.
 *
 * @example
 * ```ts
 * import { eventRelay, startFakeProvider } from 'rx-model-stream/testing/node';
 *
 * const provider = await startFakeProvider({ '/relay': eventRelay('data: a\n\ndata: b\n\n') });
 * const rest = await fetch(`${provider.url}/relay`, { headers: { 'Last-Event-ID': '1' } });
 * console.log(JSON.stringify(await rest.text())); // "id: 2\ndata: b\n\n"
 * await provider.close();
 * ```
 */
export function eventRelay(body: string, { retryMs, answers = [] }: EventRelayOptions = {}): FakeRoute {
  const events = withIds(body.split(/(?<=\n\n)/));
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;

  function answerTo(lastEventId: string | undefined): FakeResponse {
    if (lastEventId === undefined) return { body: retry + events.join('') };
    const place = events.map(idIn).lastIndexOf(lastEventId);
    return place === -1 ? { status: 404 } : { body: retry + events.slice(place + 1).join('') };
  }

  return ({ headers }, nth) => {
    const lastEventId = headers['last-event-id'];
    return { ...answerTo(Array.isArray(lastEventId) ? lastEventId[0] : lastEventId), ...answers[nth - 1] };
  };
}

function withIds(events: readonly string[]): readonly string[] {
  if (events.some((event) => idIn(event) !== undefined)) return events;
  return events.map((event, place) => `id: ${place + 1}\n${event}`);
}

function idIn(event: string): string | undefined {
  return /^id: ?(.*)$/m.exec(event)?.[1];
}
