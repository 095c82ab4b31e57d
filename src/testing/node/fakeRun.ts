import { objectIn, objectOf, type WireObject } from '../../wire';
import type { FakeRequest } from './fakeExchange';
import type { FakeResponse } from './fakeResponse';
import type { FakeRoute } from './startFakeProvider';

/** What of a run is the test's to say. */
export interface FakeRunOptions {
  /** The path at which runs are created. */
  readonly path?: string;
  /** How many events are there when the run is created; `write` adds to them. Default all. */
  readonly written?: number;
  /**
   * How the answers differ from those of a service without faults, one after another: the first is that to the request that
   * creates the run, a later one that to a request which goes on with it or asks for it whole. `{ fault }` cuts an answer,
   * `{ status: 503 }` is a failure in its place. Beyond the last one nothing differs.
   */
  readonly answers?: readonly FakeResponse[];
  /** How often the answer can be streamed after its creation, until it is too old. Default any number of times. */
  readonly maxStreams?: number;
  /** How many requests for the whole answer find it unfinished although all of it is written. Default 0. */
  readonly unfinishedPolls?: number;
  /** What a request for the whole answer gets in the end. Default: what the last event says of it. */
  readonly whole?: object;
}

/** A run of a model that goes on at its service, whether or not a client looks on. */
export interface FakeRun {
  /** For `startFakeProvider`, beside others. */
  readonly routes: Readonly<Record<string, FakeRoute>>;
  /** Whether a client has cancelled it. */
  readonly isCancelled: boolean;
  /** Lets the model write so many more events. Default all that are left. */
  write(count?: number): void;
  /** The answer is too old to be streamed from now on. It can still be asked for whole. */
  expire(): void;
  /** The service does not know the run from now on. */
  forget(): void;
}

/** One event of an event stream as it stands on the wire, its blank line included, and what it says. */
export interface RunEvent {
  readonly text: string;
  readonly value: WireObject | undefined;
}

/** In what the runs of one service differ from those of others. */
export interface RunApi {
  readonly path: string;
  /** The field of an event that holds what the service knows of the run. */
  readonly resource: string;
  /** The id of the run, as an event tells it. */
  idIn(event: WireObject | undefined): string | undefined;
  /** Whether a run that was asked for like this can be asked for again. */
  isStored(request: WireObject): boolean;
  /** Whether it can be cancelled. */
  isCancellable(request: WireObject): boolean;
  /** The first event to send: a place in `events`; undefined where the query makes no sense. */
  startOf(query: URLSearchParams, events: readonly RunEvent[]): number | undefined;
  /** What a request for the whole answer gets in the end. */
  wholeOf(resource: WireObject, events: readonly RunEvent[]): WireObject;
  /** The body of a failure. */
  failure(status: number, message: string): object;
}

/** One run and what became of it; a request that creates another one leaves it to those who still read it. */
interface RunState {
  readonly request: WireObject;
  written: number;
  isCancelled: boolean;
  /** How often it was streamed after its creation. */
  streams: number;
  /** How many requests for the whole are still to find it unfinished. */
  pollsLeft: number;
}

/** The machine behind the runs of all services: creates, streams, goes on, tells the whole, cancels. */
export function createFakeRun(api: RunApi, body: string, options: FakeRunOptions): FakeRun {
  const { path = api.path, answers = [], maxStreams = Infinity, unfinishedPolls = 0, written = Infinity } = options;
  const events = eventsIn(body);
  const resources = resourcesIn(events);
  const first = resources[0] ?? {};
  const runId = events.map(({ value }) => api.idIn(value)).find((id) => id !== undefined) ?? '';
  const whole = options.whole ?? api.wholeOf(resources.at(-1) ?? first, events);
  const waiting = new Set<() => void>();
  let run: RunState | undefined;
  let answered = 0;
  let isExpired = false;
  let isForgotten = false;

  function resourcesIn(some: readonly RunEvent[]): readonly WireObject[] {
    return some.map(({ value }) => objectIn(value, api.resource)).filter((resource) => resource !== undefined);
  }

  function wake(): void {
    for (const go of waiting) go();
    waiting.clear();
  }

  function failure(status: number, message: string): FakeResponse {
    return { ...json(api.failure(status, message)), status };
  }

  /** The answer with what is to differ in it. */
  function next(answer: FakeResponse): FakeResponse {
    const change = answers[answered] ?? {};
    answered += 1;
    const { status = 200, headers } = change;
    if (status < 400 || change.body !== undefined) return { ...answer, ...change };
    const failed = failure(status, `Status ${status}`);
    return { ...failed, ...change, headers: { ...failed.headers, ...headers } };
  }

  function stream(state: RunState, start: number): FakeResponse {
    if (state.written >= events.length) return { body: textOf(events.slice(start)) };
    return { body: follow(state, start) };
  }

  /** What is written, and then what will be. */
  async function* follow(state: RunState, start: number): AsyncGenerator<Uint8Array> {
    let place = start;
    while (place < events.length) {
      if (place < state.written) {
        yield new TextEncoder().encode(textOf(events.slice(place, state.written)));
        place = Math.max(place, state.written);
      } else if (state.isCancelled) return;
      else await new Promise<void>((go) => waiting.add(go));
    }
  }

  function create({ body: text }: FakeRequest): FakeResponse {
    const request = objectOf(jsonOrNothing(text)) ?? {};
    run = { request, written, isCancelled: false, streams: 0, pollsLeft: unfinishedPolls };
    return request['stream'] === true ? stream(run, 0) : json(unfinished(run));
  }

  function ask(state: RunState, query: URLSearchParams): FakeResponse {
    if (query.get('stream') !== 'true') return json(standingOf(state));
    if (isExpired || state.streams >= maxStreams) {
      return failure(400, 'It can no longer be streamed because it is more than 5 minutes old');
    }
    const start = api.startOf(query, events);
    if (start === undefined) return failure(400, 'It has no such place to go on from');
    state.streams += 1;
    return stream(state, start);
  }

  function cancel(state: RunState): FakeResponse {
    if (!api.isCancellable(state.request)) return failure(400, 'Only a run in the background can be cancelled');
    if (state.written < events.length) {
      state.isCancelled = true;
      wake();
    }
    return json(standingOf(state));
  }

  function standingOf(state: RunState): object {
    if (state.isCancelled) return { ...unfinished(state), status: 'cancelled' };
    if (state.written < events.length) return unfinished(state);
    if (state.pollsLeft === 0) return whole;
    state.pollsLeft -= 1;
    return unfinished(state);
  }

  /** What the latest event says of it that is not the last one to say so. */
  function unfinished(state: RunState): WireObject {
    const known = resourcesIn(events.slice(0, state.written));
    return (known.length < resources.length ? known : known.slice(0, -1)).at(-1) ?? first;
  }

  function answerTo(request: FakeRequest): FakeResponse {
    const [id, action, ...rest] = request.path.slice(path.length + 1).split('/');
    const isKnown = id === encodeURIComponent(runId) && rest.length === 0;
    if (!run || !api.isStored(run.request) || isForgotten || !isKnown) return failure(404, `There is no ${String(id)}`);
    if (request.method === 'POST' && action === 'cancel') return cancel(run);
    if (request.method === 'GET' && action === undefined) return next(ask(run, request.query));
    return failure(405, `There is no ${request.method} of ${request.path}`);
  }

  return {
    routes: { [path]: (request) => next(create(request)), [`${path}/*`]: answerTo },
    get isCancelled() {
      return run?.isCancelled === true;
    },
    write(count = Infinity) {
      if (run && !run.isCancelled) run.written += count;
      wake();
    },
    expire() {
      isExpired = true;
    },
    forget() {
      isForgotten = true;
    },
  };
}

/** The events of an event stream, whose texts together are its text. */
function eventsIn(body: string): RunEvent[] {
  return body.split(/(?<=\n\r?\n)/).map((text) => ({ text, value: objectOf(jsonOrNothing(dataIn(text))) }));
}

function dataIn(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length)).join('\n');
}

function textOf(events: readonly RunEvent[]): string {
  return events.map(({ text }) => text).join('');
}

function json(value: object): FakeResponse {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a comment, a sentinel, an event that was cut
  }
}
