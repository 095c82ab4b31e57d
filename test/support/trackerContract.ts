import { ModelStreamError, type Payload, type Provider, type ResumePoint, type ResumeTracker } from 'rx-model-stream';
import { createRandom } from '../../src/testing/createRandom';
import { continued, created, payloadsIn, type Routes } from './fakeService';
import { readFrames } from './frames';
import { lastSnapshotOf } from './lastSnapshot';

/** A run that its service can go on with. */
export interface ResumableRun {
  readonly name: string;
  /** The service, afresh. */
  readonly serve: () => Routes;
}

/** What the suite has to know of a tracker. */
export interface TrackerContract {
  readonly create: () => Provider;
  /** The path of the request that creates a run. */
  readonly path: string;
  readonly runs: readonly ResumableRun[];
  readonly keepAlives: readonly Payload[];
  /** Those that can be fetched whole where they cannot be streamed any more; none where the service knows no such thing. */
  readonly fetched: readonly ResumableRun[];
}

export const LOST = new ModelStreamError('network', 'Connection lost', { retryable: true });
export const TOO_LATE = new ModelStreamError('http', 'Too late', { status: 400 });
export const UNKNOWN = new ModelStreamError('http', 'Unknown', { status: 404 });

const FATAL = [
  new ModelStreamError('http', 'Unauthorized', { status: 401 }),
  new ModelStreamError('aborted', 'Left'),
  new ModelStreamError('malformed', 'Not JSON'),
  new ModelStreamError('too-large', 'Too large'),
];

/** What every tracker owes. */
export function describeTrackerContract(name: string, contract: TrackerContract): void {
  const { create, path, runs, keepAlives, fetched } = contract;
  const eachRun = runs.map((run) => [run.name, run] as const);

  function trackerOf(): ResumeTracker {
    return create().resume!.createTracker();
  }

  /** What is delivered when each connection is lost after so many payloads. */
  function readAcross(run: ResumableRun, lengths: readonly number[]): Payload[] {
    const routes = run.serve();
    const tracker = trackerOf();
    let payloads = payloadsIn(created(routes, path).body);
    const delivered: Payload[] = [];
    for (const length of [...lengths, Infinity]) {
      delivered.push(...payloads.slice(0, length).flatMap((payload) => tracker.read(payload) ?? []));
      if (length >= payloads.length) break;
      const point = tracker.pointAfter(LOST);
      if (!point) break;
      payloads = payloadsIn(continued(routes, path, point).body);
    }
    return delivered.filter((payload) => !isIdle(payload));
  }

  function isIdle(payload: Payload): boolean {
    return create().lifecycleOf(payload).phase === 'idle';
  }

  function streamOf(run: ResumableRun): Payload[] {
    return payloadsIn(created(run.serve(), path).body);
  }

  /** Where to go on after each number of payloads. */
  function pointsIn(payloads: readonly Payload[]): (ResumePoint | undefined)[] {
    return [...payloads.keys(), payloads.length].map((length) => pointAt(payloads.slice(0, length)));
  }

  function pointAt(payloads: readonly Payload[], failure = LOST): ResumePoint | undefined {
    const tracker = trackerOf();
    for (const payload of payloads) tracker.read(payload);
    return tracker.pointAfter(failure);
  }

  /** The numbers of payloads after which there is a way on. */
  function placesIn(run: ResumableRun): number[] {
    return pointsIn(streamOf(run)).flatMap((point, length) => (point ? length : []));
  }

  describe(`${name} keeps the tracker contract`, () => {
    it.each(eachRun)('hands on every payload once, wherever the connection was lost: %s', (_name, run) => {
      const whole = streamOf(run).filter((payload) => !isIdle(payload));
      for (const place of placesIn(run)) expect(values(readAcross(run, [place]))).toEqual(values(whole));
    });

    it.each(eachRun)('and however often: %s', (_name, run) => {
      const whole = streamOf(run).filter((payload) => !isIdle(payload));
      const [first = Infinity] = placesIn(run);
      const random = createRandom(7);
      for (let round = 0; round < 20; round += 1) {
        const lengths = Array.from({ length: 5 }, () => Math.floor(random() * whole.length));
        lengths[0] = Math.max(lengths[0]!, first);
        expect(values(readAcross(run, lengths))).toEqual(values(whole));
      }
    });

    it.each(eachRun)('has a way on from its first place to its ending: %s', (_name, run) => {
      const places = placesIn(run);
      expect(places.length).toBeGreaterThan(0);
      expect(places).toEqual(places.map((_place, nth) => places[0]! + nth));
      expect(trackerOf().pointAfter(LOST)).toBeUndefined();
    });

    it.each(eachRun)('does not move with keep-alives: %s', (_name, run) => {
      const payloads = streamOf(run);
      for (const [length, point] of pointsIn(payloads).entries()) {
        const before = payloads.slice(0, length);
        // It stands until another one comes; one that the end of a body cut short is none.
        const lastEventId = before.filter(({ incomplete }) => !incomplete).at(-1)?.lastEventId;
        const idle = keepAlives.map((payload) => ({ ...payload, ...(lastEventId !== undefined && { lastEventId }) }));
        expect(pointAt([...before, ...idle])).toEqual(point);
      }
    });

    it.each(eachRun)('has no way on after a failure that asking again cannot mend: %s', (_name, run) => {
      const payloads = streamOf(run);
      for (const failure of FATAL) {
        expect([...payloads.keys()].flatMap((length) => pointAt(payloads.slice(0, length), failure) ?? [])).toEqual([]);
      }
    });

    if (fetched.length === 0) return;

    it.each(fetched.map((run) => [run.name, run] as const))(
      'fetches whole what cannot be streamed any more, and says the missing rest: %s',
      (_name, run) => {
        const payloads = streamOf(run);
        const uncut = snapshotOf(create(), payloads);
        for (const place of placesIn(run)) {
          for (const refusal of [TOO_LATE, UNKNOWN]) {
            const tracker = trackerOf();
            const delivered = payloads.slice(0, place).flatMap((payload) => tracker.read(payload) ?? []);
            expect(tracker.pointAfter(LOST)?.query).toMatchObject({ stream: 'true' });
            const point = tracker.pointAfter(refusal)!;
            expect(point).toMatchObject({ query: {}, isWhole: true });
            const routes = run.serve();
            created(routes, path);
            delivered.push(tracker.read(wholeIn(continued(routes, path, point).body))!);
            expect(snapshotOf(create(), delivered)).toEqual(uncut);
            expect(tracker.pointAfter(LOST)).toBeUndefined();
          }
        }
      },
    );
  });
}

export function wholeIn(body: unknown): Payload {
  return { value: JSON.parse(String(body)) as unknown };
}

function snapshotOf(provider: Provider, payloads: readonly Payload[]): unknown {
  return lastSnapshotOf(
    readFrames(
      provider,
      payloads.map((payload) => ({ type: 'json', ...payload })),
    ).events,
  );
}

function values(payloads: readonly Payload[]): unknown[] {
  return payloads.map(({ value }) => value);
}
