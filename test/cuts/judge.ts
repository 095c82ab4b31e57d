import {
  applyEvent,
  emptySnapshot,
  isModelStreamError,
  type ModelEvent,
  type ModelStreamError,
  type Snapshot,
} from 'rx-model-stream';
import { rewritingsBetween, type Rewriting } from './growth';
import { isSame } from './isSame';
import type { Reading, Wire } from './readCut';

/** What a cut stream turned out to be. */
export type Outcome =
  | 'whole' // the answer of the uncut stream and its ending; of a session all responses so far
  | 'part' // a typed error that carries a beginning
  | 'ended' // a beginning that is told as an answer
  | 'wrong'; // anything else

export interface Judgement {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** A stream that nobody cuts. */
export interface Uncut {
  readonly reading: Reading;
  /** Where it takes back itself what it said. */
  readonly rewritings: readonly Rewriting[];
  judge(cut: Reading): Judgement;
}

export function uncutOf(wire: Wire): Uncut {
  const reading = wire.read(wire.length, wire.endings[0]!);
  const { events } = reading;
  const shown = snapshotsOf(events);
  const usages = [undefined, ...events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []))];

  function judge(cut: Reading): Judgement {
    const strange = cut.events.findIndex((event, place) => {
      const isLast = place === cut.events.length - 1;
      return !isSame(event, events[place]) && !(isLast && isHalf(event, events[place]));
    });
    if (isAll(cut, strange)) return { outcome: 'whole' };
    return cut.error === undefined ? judgeCompletion(cut, strange) : judgeFailure(cut, strange);
  }

  function isAll(cut: Reading, strange: number): boolean {
    const hasAllEvents = strange === -1 && cut.events.length === events.length;
    return hasAllEvents && isSame(cut.error, reading.error) && isSame(cut.snapshot, reading.snapshot);
  }

  function judgeCompletion({ events: said, snapshot }: Reading, strange: number): Judgement {
    if (wire.sample.provider.session && strange === -1 && isBetweenResponses(said)) return { outcome: 'whole' };
    if (snapshot.status === 'complete' && isSameAnswer(snapshot)) return { outcome: 'whole' };
    const broken = rewritingsBetween(snapshot, reading.snapshot);
    const isBeginning = snapshot.status === 'complete' && broken.length === 0;
    const reason = `completes as ${snapshot.status} after ${said.length} of ${events.length} events`;
    return { outcome: isBeginning ? 'ended' : 'wrong', reason };
  }

  /** Whether nothing is missing but what comes after the ending: usage, as a rule. */
  function isSameAnswer(snapshot: Snapshot): boolean {
    const { usage } = snapshot;
    return isSame({ ...snapshot }, { ...reading.snapshot, usage }) && usages.some((told) => isSame(told, usage));
  }

  function judgeFailure({ error, events: said, snapshot }: Reading, strange: number): Judgement {
    if (!isModelStreamError(error)) return wrong(`fails with a foreign error: ${String(error)}`);
    if (error.code !== 'truncated' && error.code !== 'network') return wrong(`fails with ${error.code}`);
    if (strange !== -1) return wrong(`event ${strange} is not that of the uncut stream`);
    const shownThen = shown[said.length]!;
    const isHalfSaid = !isSame(said.at(-1), events[said.length - 1]);
    const difference = isHalfSaid
      ? rewritingsBetween(snapshot, shownThen).map(() => 'block')[0]
      : differenceBetween(failedAt(shownThen, error), snapshot);
    return difference === undefined ? { outcome: 'part' } : wrong(`the snapshot has another ${difference}`);
  }

  const rewritings = shown.slice(1).flatMap((snapshot, place) => rewritingsBetween(shown[place]!, snapshot));
  return { reading, rewritings, judge };
}

function wrong(reason: string): Judgement {
  return { outcome: 'wrong', reason };
}

/** Where the data of events is text, half of a text is delivered too. */
function isHalf(event: ModelEvent, whole: ModelEvent | undefined): boolean {
  return event.type === 'text-delta' && whole?.type === 'text-delta' && whole.text.startsWith(event.text);
}

function isBetweenResponses(events: readonly ModelEvent[]): boolean {
  const marks = events.filter(({ type }) => type === 'response-start' || type === 'finish');
  return marks.at(-1)?.type !== 'response-start';
}

/** What is shown before the first event and after each. */
function snapshotsOf(events: readonly ModelEvent[]): Snapshot[] {
  const snapshots: Snapshot[] = [emptySnapshot];
  for (const event of events) snapshots.push(applyEvent(snapshots.at(-1)!, event));
  return snapshots;
}

/** What is shown when the stream fails here. Of a response that has ended nothing changes. */
function failedAt(shown: Snapshot, error: ModelStreamError): Snapshot {
  if (shown.status === 'complete' || shown.status === 'failed') return { ...shown };
  const usage = shown.usage && { ...shown.usage, partial: true as const };
  return { ...shown, usage, status: 'failed', error };
}

function differenceBetween(expected: Snapshot, found: Snapshot): string | undefined {
  const keys = Object.keys(expected) as (keyof Snapshot)[];
  return keys.find((key) => key !== 'error' && !isSame(expected[key], found[key]));
}
