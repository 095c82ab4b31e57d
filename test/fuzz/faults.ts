import { inspect, isDeepStrictEqual } from 'node:util';
import { from, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  isModelStreamError,
  normalize,
  withUsage,
  type Block,
  type ModelEvent,
  type Snapshot,
} from 'rx-model-stream';
import { brokenLaws, brokenSessionLaws, responsesIn } from '../../src/testing/contract/eventLaws';
import { blocksOf } from '../support/foldedBlocks';
import { FRAMINGS } from './framings';
import type { FuzzCase } from './fuzzCase';

/** What went wrong with a stream: nothing, where its reader kept what it promises. */
export function faultsOf(fuzzCase: FuzzCase): string[] {
  const { provider, framing, pieces, maxFrameBytes } = fuzzCase;
  const frames = FRAMINGS[framing].read(pieces, maxFrameBytes);
  const reading = readingOf(frames.pipe(normalize(provider)));
  const isCut = reading.error !== undefined;
  const laws = provider.session
    ? brokenSessionLaws(provider.name, reading.values, isCut)
    : brokenLaws(provider.name, reading.values, !isCut);
  return [
    ...reading.faults,
    ...laws,
    ...faultsOfAmount(reading.values, pieces),
    ...faultsOfFold(reading.values),
    ...strangeValuesIn(reading.values),
    ...pollutions(),
    ...faultsOfMessage(reading.error),
  ];
}

interface SyncReading<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  readonly faults: readonly string[];
}

/** Everything a stream says whose source is there: it has to end at once, and to say nothing after. */
function readingOf<T>(source: Observable<T>): SyncReading<T> {
  const values: T[] = [];
  const endings: { readonly error: unknown }[] = [];
  const faults: string[] = [];
  const subscription = source.subscribe({
    next(value) {
      if (endings.length > 0) faults.push('says more after its end');
      values.push(value);
    },
    error(error: unknown) {
      endings.push({ error });
    },
    complete() {
      endings.push({ error: undefined });
    },
  });
  subscription.unsubscribe();
  if (endings.length !== 1) faults.push(`has ${endings.length} endings, although all is there`);
  const error = endings[0]?.error;
  if (error !== undefined && !isModelStreamError(error)) faults.push(`fails with ${inspect(error)}`);
  return { values, error, faults };
}

/** Each byte gives so many events and so many characters at the most: an object may be written back longer than it came. */
const MAX_EVENTS_PER_BYTE = 1;
const MAX_CHARACTERS_PER_BYTE = 8;
const FREE = 64;

function faultsOfAmount(events: readonly ModelEvent[], pieces: readonly Uint8Array[]): string[] {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const characters = events.reduce((sum, event) => sum + charactersIn(event), 0);
  return [
    ...(events.length > FREE + MAX_EVENTS_PER_BYTE * bytes ? [`gives ${events.length} events for ${bytes} bytes`] : []),
    ...(characters > FREE + MAX_CHARACTERS_PER_BYTE * bytes
      ? [`gives ${characters} characters for ${bytes} bytes`]
      : []),
  ];
}

function charactersIn(event: ModelEvent): number {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return event.text.length;
    case 'tool-call-delta':
      return event.argumentsDelta.length;
    case 'media-delta':
      return (event.data?.length ?? 0) + (event.transcript?.length ?? 0);
    default:
      return 0;
  }
}

/** The events fold, and into what a plain loop makes of them. */
function faultsOfFold(events: readonly ModelEvent[]): string[] {
  const { values, error, faults } = readingOf<Snapshot>(from(events).pipe(withUsage(), accumulateBlocks()));
  if (error !== undefined) return [...faults, `does not fold: ${inspect(error)}`];
  const last = values.at(-1) ?? emptySnapshot;
  const said = responsesIn(events).filter((response) => response.some(({ type }) => type === 'response-start'));
  const isSame = isDeepStrictEqual([...last.blocks], said.at(-1) === undefined ? [] : blocksOf(said.at(-1)!));
  return [...faults, ...(isSame ? [] : ['folds into other blocks']), ...last.blocks.flatMap(faultsOfCall)];
}

function faultsOfCall(block: Block): string[] {
  if (block.kind !== 'tool-call' || block.state !== 'whole' || block.format !== 'json') return [];
  try {
    JSON.parse(block.arguments);
    return [];
  } catch {
    return ['has a whole call whose arguments are no JSON'];
  }
}

/** Fields that hold what a provider wrote, as it wrote it. */
const VERBATIM: ReadonlySet<string> = new Set(['raw', 'event', 'turn', 'content', 'error']);

/** Values of ours that are no data: JSON would lose them. */
function strangeValuesIn(events: readonly ModelEvent[]): string[] {
  const found = new Set<string>();
  const look = (value: unknown, path: string): void => {
    if (typeof value === 'number' && !Number.isFinite(value)) found.add(`${path} is ${value}`);
    if (['undefined', 'function', 'symbol', 'bigint'].includes(typeof value)) found.add(`${path} is ${typeof value}`);
    if (typeof value !== 'object' || value === null) return;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== Array.prototype) found.add(`${path} is no plain object`);
    for (const [key, entry] of Object.entries(value)) {
      if (!VERBATIM.has(key)) look(entry, Array.isArray(value) ? `${path}[]` : `${path}.${key}`);
    }
  };
  for (const event of events) look(event, event.type);
  return [...found];
}

/** In messages of these codes the service has its say. */
const OF_SERVICE: ReadonlySet<string> = new Set(['provider', 'http']);
const OWN_WORDS = /^[A-Z][\w :,.'()-]{0,150}$/;

function faultsOfMessage(error: unknown): string[] {
  if (!isModelStreamError(error)) return [];
  const { code, message } = error;
  const isFit = OF_SERVICE.has(code) ? message.length <= 1000 : OWN_WORDS.test(message);
  return isFit ? [] : [`has a message that is not fit: ${message.slice(0, 100)}`];
}

const UNTOUCHED = [Object.prototype, Array.prototype, Function.prototype].map(
  (prototype) => [prototype, Reflect.ownKeys(prototype).length] as const,
);

function pollutions(): string[] {
  return UNTOUCHED.flatMap(([prototype, count]) =>
    Reflect.ownKeys(prototype).length === count ? [] : ['pollutes a prototype'],
  );
}
