import { ModelStreamError, type ModelEvent } from 'rx-model-stream';
import type { FakeRunOptions } from 'rx-model-stream/testing/node';
import { createRandom } from '../../src/testing/createRandom';
import { payloadsIn } from '../support/fakeService';
import { lastSnapshotOf } from '../support/lastSnapshot';
import { withReader, type Cut, type Read, type Reading } from './reading';
import type { CutStream } from './streams';

/** What was tried with one stream. */
export interface Verdict {
  readonly reads: number;
  /** What does not hold, in words. */
  readonly problems: readonly string[];
}

const WAYS = ['truncate', 'reset'] as const;

/** The bytes at which a stream is cut: every `step`th. */
function* cutsOf(body: string, step: number): Generator<Cut> {
  const length = new TextEncoder().encode(body).length;
  for (let afterBytes = 0; afterBytes < length; afterBytes += step) for (const type of WAYS) yield { afterBytes, type };
}

/** Cut at every byte, once, or five times in all: the same list of events, and the same failure where the answer fails. */
export function goesOn(stream: CutStream, cutCount: 1 | 5, step = 1): Verdict {
  const place = firstPlace(stream);
  if (place === undefined) return { reads: 0, problems: [] };
  const random = createRandom(cutCount);
  const length = new TextEncoder().encode(stream.body).length;
  const ways = mayEndEarly(stream) ? WAYS.slice(1) : WAYS; // an end in good order may be an ending
  const another = (): Cut => ({
    afterBytes: Math.floor(random() * length),
    type: ways[Math.floor(random() * ways.length)]!,
  });
  return tried(stream, {}, step, (read, cut, uncut) => {
    const cuts = [cut, ...Array.from({ length: cutCount - 1 }, another)];
    const reading = read(cuts, { maxRetries: 9 });
    const isBegunAgain = reading.events.some((event) => event.type === 'restart');
    const canGoOn = cut.afterBytes >= place && uncut.failure === undefined;
    if (isBegunAgain && canGoOn) return 'began again where it could go on';
    if (same(reading, uncut)) return undefined;
    const isAnswer = cut.type === 'truncate' && same(reading, read([cut], { maxTotalRetries: 0 }));
    return isAnswer ? undefined : 'not the same events';
  });
}

/** Cut at every byte, and too late to be streamed: the whole is fetched, and the same snapshot comes of it. */
export function isFetchedWhole(stream: CutStream, step = 1): Verdict {
  if (!stream.isWhole) return { reads: 0, problems: [] };
  const tooOld = { maxStreams: 0, unfinishedPolls: 2 };
  return tried(stream, tooOld, step, (read, cut, uncut) => {
    if (uncut.failure !== undefined) return undefined;
    const reading = read([cut]);
    const isSame = reading.failure === undefined && snapshotJson(reading) === snapshotJson(uncut);
    return isSame || same(reading, read([cut], { maxTotalRetries: 0 })) ? undefined : 'not the same snapshot';
  });
}

/** Cut at every byte, twice, and begun again: one `restart` for each attempt, and the snapshot of the one that succeeded. */
export function beginsAgain(stream: CutStream, step = 1): Verdict {
  return tried(withoutService(stream), {}, step, (read, cut, uncut) => {
    if (uncut.failure !== undefined) return undefined;
    const reading = read([cut, cut], { restart: 'always' });
    if (reading.failure !== undefined) {
      return isPossibleEnd(stream, cut) ? undefined : `failed with ${reading.failure}`; // one of several choices is open
    }
    const restarts = reading.events.flatMap((event) => (event.type === 'restart' ? event.attempt : []));
    if (restarts.length === 0 && same(reading, read([cut], { maxTotalRetries: 0 }))) return undefined;
    if (JSON.stringify(restarts) !== '[1,2]') return `restarted ${restarts.join()}`;
    return snapshotJson(reading) === snapshotJson(uncut) ? undefined : 'not the same snapshot';
  });
}

function tried(
  stream: CutStream,
  run: FakeRunOptions,
  step: number,
  problemOf: (read: Read, cut: Cut, uncut: Reading) => string | undefined,
): Verdict {
  const problems: string[] = [];
  let reads = 0;
  withReader(stream, run, (read) => {
    const uncut = read([]);
    for (const cut of cutsOf(stream.body, step)) {
      reads += 1;
      const problem = problemOf(read, cut, uncut);
      if (problem !== undefined) {
        problems.push(`${stream.folder}/${stream.name}, ${cut.type} after ${cut.afterBytes} bytes: ${problem}`);
      }
    }
  });
  return { reads, problems };
}

/** The stream of a service that cannot go on with it. */
function withoutService({ folder, name, provider, body, isWhole }: CutStream): CutStream {
  return { folder, name, provider, body, isWhole };
}

/** The bytes after which a stream can be gone on with; undefined where that is never, or not before its content. */
function firstPlace({ provider, service, body }: CutStream): number | undefined {
  const tracker = provider().resume?.createTracker();
  if (!service || !tracker) return undefined;
  const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
  let length = 0;
  for (const event of body.split(/(?<=\n\r?\n)/)) {
    length += new TextEncoder().encode(event).length;
    for (const payload of payloadsIn(event)) {
      tracker.read(payload);
      if (tracker.pointAfter(lost)) return length;
      if (provider().lifecycleOf(payload).phase === 'content') return undefined;
    }
  }
  return undefined;
}

/** Whether the body may end here, as far as its payloads tell one by one: only a mapper knows whether every choice did. */
function isPossibleEnd({ provider, body }: CutStream, { type, afterBytes }: Cut): boolean {
  const received = new TextDecoder().decode(new TextEncoder().encode(body).subarray(0, afterBytes));
  const endings = payloadsIn(received).flatMap((payload) => provider().lifecycleOf(payload).ending ?? []);
  return type === 'truncate' && endings.at(-1) === 'possible';
}

/** Whether the body may end before its terminal signal. */
function mayEndEarly({ provider, body }: CutStream): boolean {
  return payloadsIn(body).some((payload) => provider().lifecycleOf(payload).ending === 'possible');
}

/** Whether two readings say the same of the attempt that counts. */
function same(reading: Reading, other: Reading): boolean {
  return (
    reading.failure === other.failure && JSON.stringify(lastAttempt(reading)) === JSON.stringify(lastAttempt(other))
  );
}

function lastAttempt({ events }: Reading): readonly ModelEvent[] {
  return events.slice(events.map((event) => event.type).lastIndexOf('restart') + 1);
}

function snapshotJson({ events }: Reading): string {
  return JSON.stringify(lastSnapshotOf(events));
}
