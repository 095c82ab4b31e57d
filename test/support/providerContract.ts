import { isDeepStrictEqual } from 'node:util';
import { Subject } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  isModelStreamError,
  ModelStreamError,
  type Frame,
  type ModelEvent,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { createRandom } from '../../src/testing/createRandom';
import { randomCuts } from './chunkings';
import { damagedFrames } from './damagedFrames';
import { blocksOf, brokenLaws, brokenSessionLaws, responsesIn } from './eventLaws';
import { framingOf, type WireSample } from './fixtures';
import {
  endingPlace,
  framesIn,
  framesOf,
  framesWith,
  frozenFrame,
  isOpenAfter,
  readBody,
  readFrames,
  type Reading,
} from './frames';
import { plainError } from './outcome';
import { hasCollection } from './shared';

/** Something the provider may say tomorrow and that no mapper knows: payloads that follow each other. */
export interface UnknownWire {
  readonly title: string;
  readonly payloads: readonly unknown[];
  /** The name of the frame of each payload, where that says what it is. */
  readonly names?: readonly string[];
  /** What of it has its place in the turn that is sent back. */
  readonly inTurn?: unknown;
}

/** What the suite has to know of a provider. */
export interface ProviderContract {
  readonly create: () => Provider;
  /** Checked at every place. */
  readonly fixtures: readonly WireSample[];
  /** Checked at some places, the same ones every time: they are long. */
  readonly recordings?: readonly WireSample[];
  readonly keepAlives: readonly unknown[];
  readonly unknowns: readonly UnknownWire[];
}

/** At how many places of a recording something is put in or cut off. */
const SAMPLED_PLACES = 12;
/** How many payloads of a stream are damaged, one at a time. */
const DAMAGES = 30;

/** What every provider owes its caller, over all of its samples. */
export function describeProviderContract(name: string, contract: ProviderContract): void {
  const { create, fixtures, recordings = [], keepAlives, unknowns } = contract;

  function lawsBrokenBy({ events, error }: Reading): string[] {
    const { name: provider, session } = create();
    return session
      ? brokenSessionLaws(provider, events, error !== undefined)
      : brokenLaws(provider, events, error === undefined);
  }

  /** The places before the frames of a stream up to the one that ends it, or up to the end of the body. */
  function placesIn(frames: readonly Frame[], isSampled: boolean): number[] {
    const places = [...frames.keys(), frames.length].slice(0, (endingPlace(create(), frames) ?? frames.length) + 1);
    return isSampled ? sampled(places) : places;
  }

  function eachSample(title: string, check: (frames: readonly Frame[], isSampled: boolean) => void): void {
    const rows = [
      ...fixtures.map((sample) => [sample.name, sample, false] as const),
      ...recordings.map((sample) => [sample.name, sample, true] as const),
    ];
    describe(title, () => {
      it.each(rows)('%s', (_name, sample, isSampled) => {
        check(framesIn(framingOf(sample), sample.bytes()), isSampled);
      });
    });
  }

  describe(`${name} keeps the provider contract`, () => {
    if (recordings.length === 0 && !hasCollection) it.skip('recordings skipped: none are there', () => {});

    describe('gives the same events and the same error for every chunking', () => {
      it.each([...fixtures, ...recordings].map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
        const body = sample.bytes();
        const { events, error } = readBody(create(), framingOf(sample), [body]);
        for (const [chunking, chunks] of chunkingsOf(body)) {
          const cut = readBody(create(), framingOf(sample), chunks);
          expectSame(chunking, cut, { ...cut, events, error });
        }
      });
    });

    eachSample('keeps nothing from one stream to the next', (frames) => {
      const provider = create();
      const first = readFrames(provider, frames);
      readFrames(provider, frames.slice(0, frames.length / 2));
      expectSame('again', readFrames(provider, frames), first);
    });

    eachSample('changes no payload it is given', (frames) => {
      const frozen = frames.map((frame) => frozenFrame(frame, create()));
      expectSame('frozen', readFrames(create(), frozen), readFrames(create(), frames));
    });

    eachSample('tells one response with one ending, and opens and closes each block once', (frames) => {
      expect(lawsBrokenBy(readFrames(create(), frames))).toEqual([]);
    });

    eachSample('is truncated wherever the body ends before the terminal signal', (frames, isSampled) => {
      const { events, eventsBefore } = readFrames(create(), frames);
      for (const place of placesIn(frames, isSampled)) {
        if (create().session && !isInsideResponse(events.slice(0, eventsBefore[place]))) {
          const { error } = readFrames(create(), frames.slice(0, place));
          expect(error).toBeUndefined(); // between two responses
          continue;
        }
        if (!isOpenAfter(create(), frames.slice(0, place))) continue;
        const cut = readFrames(create(), frames.slice(0, place));
        expectSame(`${place}`, cut, { ...cut, events: events.slice(0, eventsBefore[place]) });
        expect(cut.error).toMatchObject({ code: 'truncated', retryable: true });
      }
    });

    for (const { title, payloads, names, inTurn } of unknowns) {
      eachSample(`gives ${title} as raw, wherever it comes, and changes nothing else`, (frames, isSampled) => {
        const provider = create();
        const { events, eventsBefore, error } = readFrames(provider, frames);
        const raws = payloads.map((event): ModelEvent => ({ type: 'raw', provider: provider.name, event }));
        for (const place of placesIn(frames, isSampled)) {
          const after = readFrames(provider, framesWith(frames, place, namedFrames(payloads, names)));
          const at = eventsBefore[place] ?? events.length;
          const expected = { ...after, events: [...events.slice(0, at), ...raws, ...events.slice(at)], error };
          const found = after.events.map((event) => withoutInTurn(event, inTurn));
          expectSame(`${place}`, { ...after, events: found }, expected);
        }
      });
    }

    eachSample('takes no notice of a keep-alive, wherever it comes', (frames, isSampled) => {
      const { events, error } = readFrames(create(), frames);
      const places = [...frames.keys(), frames.length]; // after the terminal signal too
      for (const place of isSampled ? sampled(places) : places) {
        const after = readFrames(create(), framesWith(frames, place, framesOf(...keepAlives)));
        expectSame(`${place}`, after, { ...after, events, error });
      }
    });

    eachSample('keeps the laws of events, and fails only with its own error, whatever a payload holds', (frames) => {
      for (const damaged of damagedFrames(create(), frames, DAMAGES)) {
        const reading = readFrames(create(), damaged);
        expect(isModelStreamError(reading.error) ? undefined : reading.error).toBeUndefined();
        expect(lawsBrokenBy(reading)).toEqual([]);
      }
    });

    eachSample('folds into snapshots that say what the events say', (frames) => {
      checkSnapshots(readFrames(create(), frames));
    });
  });
}

function namedFrames(payloads: readonly unknown[], names: readonly string[] = []): Frame[] {
  return framesOf(...payloads).map((frame, place) => {
    const name = names[place];
    return name === undefined ? frame : { ...frame, name };
  });
}

/** The fold keeps what did not change, changes no snapshot it gave out, and ends with what a plain loop says. */
function checkSnapshots({ events, error }: Reading): void {
  const source = new Subject<ModelEvent>();
  const given: { readonly snapshot: Snapshot; readonly text: string }[] = [];
  let last: Snapshot = emptySnapshot;
  let failure: unknown;
  source.pipe(accumulateBlocks()).subscribe({
    next: (snapshot) => {
      last = snapshot;
    },
    error: (reported: unknown) => {
      failure = reported;
    },
  });
  for (const event of events) {
    const before = last;
    source.next(event);
    if (last === before) continue;
    given.push({ snapshot: last, text: JSON.stringify(last) });
    const touched = 'index' in event ? event.index : undefined;
    const kept = event.type === 'response-start' ? [] : before.blocks; // it begins a new snapshot
    const moved = kept.filter((block, index) => index !== touched && block !== last.blocks[index]);
    expect(moved).toEqual([]);
  }
  expect(given.filter(({ snapshot, text }) => JSON.stringify(snapshot) !== text)).toEqual([]);

  const responses = responsesIn(events).filter((said) => said.some(({ type }) => type === 'response-start'));
  const said = responses.at(-1) ?? [];
  const start = said.find((event) => event.type === 'response-start');
  const finish = said.find((event) => event.type === 'finish');
  const blocks = blocksOf(said);
  const ended = finish?.reason === 'error' ? 'failed' : 'complete';
  const ordinal = Math.max(0, responses.length - 1);
  expect(last).toMatchObject({ status: finish ? ended : start ? 'streaming' : 'idle', ordinal });
  expectSame('blocks', last.blocks, blocks);
  expect([last.provider, last.responseId, last.model]).toEqual([start?.provider, start?.responseId, start?.model]);
  expect([last.finishReason, last.rawFinishReason]).toEqual([finish?.reason, finish?.rawReason]);
  expect(last.turn).toBe(finish?.turn);
  expect(last.usage).toBe(said.filter((event) => event.type === 'usage').at(-1)?.usage);
  if (error === undefined) return;
  source.error(new ModelStreamError('network', 'Connection was reset'));
  expect(isModelStreamError(failure) && failure.snapshot).toMatchObject({ status: finish ? ended : 'failed' });
  expectSame('blocks of the failure', isModelStreamError(failure) && failure.snapshot?.blocks, blocks);
}

/** Whether a response has begun and not ended. */
function isInsideResponse(events: readonly ModelEvent[]): boolean {
  return responsesIn(events)
    .at(-1)!
    .some(({ type }) => type === 'response-start');
}

function chunkingsOf(body: Uint8Array): [title: string, chunks: Uint8Array[]][] {
  return [
    ...[1, 7, 64].map((size): [string, Uint8Array[]] => [`${size} bytes`, sliceBytes(body, size)]),
    ...[0.3, 0.05, 0.01].map((probability, seed): [string, Uint8Array[]] => [
      `random seed ${seed} probability ${probability}`,
      randomCuts(body, seed, probability),
    ]),
  ];
}

/** The first place, the last one, and some between, the same ones every time. */
function sampled(places: readonly number[]): number[] {
  const random = createRandom(places.length);
  const some = Array.from({ length: SAMPLED_PLACES }, () => Math.floor(random() * places.length));
  return [...new Set([0, places.length - 1, ...some])];
}

/** The event, its turn without what an unknown item or block put there: what is left must be what it was. */
function withoutInTurn(event: ModelEvent, value: unknown): ModelEvent {
  return event.type === 'finish' && value !== undefined ? { ...event, turn: without(event.turn, value) } : event;
}

function without(where: unknown, value: unknown): unknown {
  if (typeof where !== 'object' || where === null) return where;
  if (Array.isArray(where)) {
    return where.filter((entry) => !isDeepStrictEqual(entry, value)).map((entry) => without(entry, value));
  }
  return Object.fromEntries(Object.entries(where).map(([key, entry]) => [key, without(entry, value)]));
}

/** Strict equality of two readings or parts of them. Jest, which is slower, is asked only for the report. */
function expectSame(title: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(asData(actual), asData(expected))) return;
  expect([title, asData(actual)]).toStrictEqual([title, asData(expected)]);
  throw new Error(`What was read differs: ${title}`);
}

/** Errors as data: `isDeepStrictEqual` and jest do not look at all of their fields. */
function asData(reading: unknown): unknown {
  if (typeof reading !== 'object' || reading === null || !('error' in reading)) return reading;
  return { ...reading, error: plainError(reading.error) };
}
