import { getEventListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { finalize, tap } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  fromModel,
  isModelStreamError,
  textOf,
  withUsage,
  type Snapshot,
} from 'rx-model-stream';
import { startFakeProvider, type FakeProvider, type FakeRoute } from 'rx-model-stream/testing/node';
import { until } from '../support/until';
import { expectationOf } from './expectation';
import { planOf, type Plan } from './plan';

/** How one stream ended. */
interface Ending {
  readonly snapshot: Snapshot;
  /** `unknown` for an error that is none of ours. */
  readonly code: string | undefined;
  readonly restarts: number;
}

/** What came of many streams at once. */
export interface Play {
  readonly streams: number;
  readonly whole: number;
  readonly failed: number;
  readonly requests: number;
  readonly restarts: number;
  readonly faults: readonly { readonly seed: number; readonly fault: string; readonly plan: string }[];
  /** What was left behind, by kind. Nothing should be. */
  readonly left: Readonly<Record<string, number>>;
}

/** Longer than any answer takes that is not silent, on a machine that has other work as well. */
export const SILENCE_MS = 20_000;

/**
 * Runs the streams of these seeds at once, through `fromModel` with `retry`, against a service on this machine.
 *
 * @param silenceMs - How long a service may be silent.
 */
export async function playStreams(
  seeds: readonly number[],
  silenceMs: number,
  told: (done: number) => void = () => undefined,
): Promise<Play> {
  const plans = seeds.map(planOf);
  const provider = await startFakeProvider(Object.assign({}, ...plans.map(routesOf)) as Record<string, FakeRoute>);
  const bodies: ReadableStream[] = [];
  const controller = new AbortController();
  const timersBefore = timers();
  let done = 0;

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (response.body) bodies.push(response.body);
    return response;
  };

  function play({ seed, service }: Plan): Promise<Ending> {
    return new Promise((resolve) => {
      let snapshot: Snapshot = emptySnapshot;
      let restarts = 0;
      const request = { url: provider.url + pathOf(seed), body: { stream: true, background: true }, fetch };
      const options = {
        retry: { initialDelayMs: 10 },
        signal: controller.signal,
        headersWithinMs: silenceMs,
        idleWithinMs: silenceMs,
      };
      fromModel(service.provider, request, options)
        .pipe(
          tap((event) => {
            if (event.type === 'restart') restarts += 1;
          }),
          withUsage(),
          accumulateBlocks(),
          finalize(() => {
            done += 1;
            told(done);
          }),
        )
        .subscribe({
          next: (next) => {
            snapshot = next;
          },
          error: (error: unknown) => {
            const isOurs = isModelStreamError(error);
            resolve({
              snapshot: isOurs ? (error.snapshot ?? snapshot) : snapshot,
              code: isOurs ? error.code : 'unknown',
              restarts,
            });
          },
          complete: () => {
            resolve({ snapshot, code: undefined, restarts });
          },
        });
    });
  }

  try {
    const endings = await Promise.all(plans.map(play));
    const faults = plans.flatMap((plan, place) => {
      const fault = faultOf(plan, endings[place]!, requestsOf(provider, plan));
      return fault === undefined ? [] : [{ seed: plan.seed, fault, plan: toldPlan(plan) }];
    });
    const left = await leftBehind(provider, bodies, controller.signal, timersBefore);
    return {
      streams: plans.length,
      whole: endings.filter(({ code }) => code === undefined).length,
      failed: endings.filter(({ code }) => code !== undefined).length,
      requests: provider.requests.length,
      restarts: endings.reduce((sum, { restarts }) => sum + restarts, 0),
      faults,
      left,
    };
  } finally {
    await provider.close();
  }
}

function pathOf(seed: number): string {
  return `/stream-${seed}`;
}

/** The routes of a stream. */
function routesOf({ seed, service, sample, mishaps }: Plan): Record<string, FakeRoute> {
  const path = pathOf(seed);
  const answers = mishaps.map(({ answer }) => answer);
  if (service.run) {
    return service.run(new TextDecoder().decode(sample.bytes()), { path, answers }).routes;
  }
  const good = { headers: { 'content-type': service.contentType }, body: sample.bytes() };
  return { [path]: (_request, nth) => ({ ...good, ...answers[nth - 1] }) };
}

function requestsOf({ requests }: FakeProvider, { seed }: Plan): number {
  const path = pathOf(seed);
  return requests.filter((request) => request.path === path || request.path.startsWith(`${path}/`)).length;
}

/** What is wrong with the ending of a stream. */
function faultOf(plan: Plan, ending: Ending, requests: number): string | undefined {
  const expected = expectationOf(plan, requests);
  if (ending.code !== expected.code) return `ended with ${String(ending.code)}, not with ${String(expected.code)}`;
  if (requests !== expected.requests) return `${requests} requests, not ${expected.requests}`;
  const { restarts = ending.restarts } = expected;
  if (ending.restarts !== restarts) return `${ending.restarts} restarts, not ${restarts}`;
  if (expected.isBeginning) {
    const isBeginning = textOf(expected.snapshot).startsWith(textOf(ending.snapshot));
    return isBeginning ? undefined : 'the text is not the beginning of the answer';
  }
  return isDeepStrictEqual(essenceOf(ending.snapshot), essenceOf(expected.snapshot)) ? undefined : 'another snapshot';
}

/** A snapshot without what depends on how often it was begun. */
function essenceOf({ status, blocks, usage, provider, responseId, model, finishReason, turn }: Snapshot): unknown {
  const own = { ...usage, abandoned: undefined };
  return JSON.parse(JSON.stringify({ status, blocks, usage: own, provider, responseId, model, finishReason, turn }));
}

function toldPlan({ service, sample, mishaps }: Plan): string {
  return `${service.name}, ${sample.name}: ${mishaps.map(({ name }) => name).join('; ') || 'nothing happens'}`;
}

/** Waits until nothing is left, and tells what still is after a while. */
async function leftBehind(
  provider: FakeProvider,
  bodies: readonly ReadableStream[],
  signal: AbortSignal,
  timersBefore: number,
): Promise<Record<string, number>> {
  let open = provider.requests.length;
  for (const { closedBy } of provider.requests) {
    void closedBy.then(() => {
      open -= 1;
    });
  }
  const count = (): Record<string, number> => ({
    connections: open,
    readers: bodies.filter(({ locked }) => locked).length,
    listeners: getEventListeners(signal, 'abort').length,
    timers: Math.max(0, timers() - timersBefore),
  });
  await until(() => Object.values(count()).every((left) => left === 0)).catch(() => undefined);
  return count();
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}
