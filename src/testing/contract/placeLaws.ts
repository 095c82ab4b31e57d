import { isModelStreamError } from '../../errors';
import type { ModelEvent } from '../../events';
import type { Frame } from '../../frame';
import { differenceBetween } from './difference';
import { responsesIn } from './eventLaws';
import { framesOf, framesWith, openPlaces, readFrames } from './reading';
import { placesIn, sampled, type Law } from './subject';
import { demandLawful, demandSame, outcome } from './demands';
import type { UnknownPayloads } from './unknownPayloads';

/** What a provider owes wherever its stream is cut. */
export const CUT_LAW: Law = {
  law: 'is truncated wherever the body ends before the terminal signal',
  check(subject) {
    const { provider, frames } = subject;
    const whole = readFrames(provider, frames);
    const { events, eventsBefore } = whole;
    const isOpen = openPlaces(provider, frames, whole);
    for (const place of placesIn(subject)) {
      const before = events.slice(0, eventsBefore[place]);
      const cut = readFrames(provider, frames.slice(0, place));
      if (provider.session && !isInsideResponse(before)) {
        demandSame(`Cut between two responses, before payload ${place}, it fails`, cut.error, undefined);
      } else if (isOpen(place)) {
        demandSame(`Cut before payload ${place} it reads otherwise`, cut.events, before);
        demandTruncated(place, cut.error);
        demandLawful(provider, cut);
      }
    }
  },
};

/** A keep-alive is no event, and changes nothing. */
export function keepAliveLaw(keepAlives: readonly unknown[]): Law {
  return {
    law: 'takes no notice of a keep-alive, wherever it comes',
    check({ provider, frames, maxPlaces }) {
      const { events, error } = readFrames(provider, frames);
      const places = sampled([...frames.keys(), frames.length], maxPlaces); // after the terminal signal too
      for (const place of places) {
        const after = readFrames(provider, framesWith(frames, place, framesOf(...keepAlives)));
        demandSame(`With keep-alives before payload ${place} it reads otherwise`, after, { ...after, events, error });
      }
    },
  };
}

/** What is unknown is not lost, and does no harm. */
export function unknownLaw({ title, payloads, names = [], inTurn }: UnknownPayloads): Law {
  return {
    law: `gives ${title} as raw, wherever it comes, and changes nothing else`,
    check(subject) {
      const { provider, frames } = subject;
      const { events, eventsBefore, error } = readFrames(provider, frames);
      const raws = payloads.map((event): ModelEvent => ({ type: 'raw', provider: provider.name, event }));
      for (const place of placesIn(subject)) {
        const after = readFrames(provider, framesWith(frames, place, namedFrames(payloads, names)));
        const at = eventsBefore[place] ?? events.length;
        const found = after.events.map((event) => withoutInTurn(event, inTurn));
        const expected = [...events.slice(0, at), ...raws, ...events.slice(at)];
        const title = `With it before payload ${place} it reads otherwise`;
        demandSame(title, { events: found, error: after.error }, { events: expected, error });
      }
    },
  };
}

function demandTruncated(place: number, error: unknown): void {
  if (isModelStreamError(error) && error.code === 'truncated' && error.retryable) return;
  throw new Error(`Cut before payload ${place} it ${outcome(error)}, and is not truncated`);
}

/** Whether a response has begun and not ended. */
function isInsideResponse(events: readonly ModelEvent[]): boolean {
  return (
    responsesIn(events)
      .at(-1)
      ?.some(({ type }) => type === 'response-start') ?? false
  );
}

function namedFrames(payloads: readonly unknown[], names: readonly string[]): Frame[] {
  return framesOf(...payloads).map((frame, place) => {
    const name = names[place];
    return name === undefined ? frame : { ...frame, name };
  });
}

/** The event, its turn without what an unknown item or block put there: what is left must be what it was. */
function withoutInTurn(event: ModelEvent, value: unknown): ModelEvent {
  return event.type === 'finish' && value !== undefined ? { ...event, turn: without(event.turn, value) } : event;
}

function without(where: unknown, value: unknown): unknown {
  if (typeof where !== 'object' || where === null) return where;
  if (Array.isArray(where)) {
    const others = where.filter((entry) => differenceBetween(entry, value) !== undefined);
    return others.map((entry) => without(entry, value));
  }
  return Object.fromEntries(Object.entries(where).map(([key, entry]) => [key, without(entry, value)]));
}
