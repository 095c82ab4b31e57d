import { from, tap, type Observable, type OperatorFunction } from 'rxjs';
import { normalize } from '../../../operators';
import type { ModelEvent } from '../../events';
import type { Frame } from '../../frame';
import { payloadOf, type Payload } from '../../payload';
import type { Lifecycle, Provider } from '../../provider';
import { CONTENT } from '../../responseReader';

/** Everything that was said about one stream. */
export interface Reading {
  readonly events: readonly ModelEvent[];
  /** How many events were out before each frame, and before the end of the body. */
  readonly eventsBefore: readonly number[];
  /** Undefined when the stream completed. */
  readonly error: unknown;
}

/** What a provider makes of frames that are all there. */
export function readFrames(provider: Provider, frames: readonly Frame[]): Reading {
  return reading(provider, from(frames));
}

/** What a provider makes of a body that is all there, in these chunks. */
export function readChunks(
  provider: Provider,
  framing: OperatorFunction<Uint8Array, Frame>,
  chunks: readonly Uint8Array[],
): Reading {
  return reading(provider, from(chunks).pipe(framing));
}

function reading(provider: Provider, frames: Observable<Frame>): Reading {
  const events: ModelEvent[] = [];
  const eventsBefore: number[] = [];
  let ending: { readonly error: unknown } | undefined;
  const count = (): void => {
    eventsBefore.push(events.length);
  };
  frames.pipe(tap({ next: count, complete: count }), normalize(provider)).subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => {
      ending = { error };
    },
    complete: () => {
      ending = { error: undefined };
    },
  });
  if (ending === undefined) throw new Error('The stream waits, although all of its frames were there');
  return { events, eventsBefore, ...ending };
}

/** The frames of a body, those before its failure if it does not keep to its framing. */
export function framesIn(framing: OperatorFunction<Uint8Array, Frame>, body: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  from([body])
    .pipe(framing)
    .subscribe({ next: (next) => frames.push(next), error: () => undefined });
  return frames;
}

/** Payloads as frames. */
export function framesOf(...payloads: readonly unknown[]): Frame[] {
  return payloads.map((value) => ({ type: 'json', value }));
}

/** The frames with others put before one of them, or behind them all. */
export function framesWith(frames: readonly Frame[], place: number, others: readonly Frame[]): Frame[] {
  return [...frames.slice(0, place), ...others, ...frames.slice(place)];
}

/** The payload of a frame; undefined where it has none or does not parse. */
export function payloadIn(frame: Frame, { eventData }: Provider): Payload | undefined {
  try {
    return payloadOf(frame, eventData);
  } catch {
    return undefined;
  }
}

/** The frame decoded, its payload such that nobody can change it; a frame that does not parse is left as it is. */
export function frozenFrame(frame: Frame, provider: Provider): Frame {
  if (frame.type !== 'sse' && frame.type !== 'json') return frame;
  const payload = payloadIn(frame, provider);
  return payload === undefined ? frame : { ...payload, type: 'json', value: frozen(payload.value) };
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** The place of the frame that ends the reading: the terminal signal, a failure in band, one that does not parse. */
export function endingPlace(provider: Provider, frames: readonly Frame[]): number | undefined {
  if (provider.session) return undefined; // there is always more
  const place = frames.findIndex((frame) => {
    try {
      const life = lifeOf(provider, frame);
      return life?.ending === 'final' || life?.error !== undefined;
    } catch {
      return true;
    }
  });
  return place === -1 ? undefined : place;
}

/** For each place whether the end of the body there cannot be an ending; no frame before it ends the reading. */
export function openPlaces(
  provider: Provider,
  frames: readonly Frame[],
  { events, eventsBefore }: Reading,
): (place: number) => boolean {
  const isOpen = [true];
  return (place) => {
    for (let at = isOpen.length - 1; at < place; at += 1) {
      const frame = frames[at];
      const ending = frame && lifeOf(provider, frame)?.ending;
      const grows = events.slice(eventsBefore[at], eventsBefore[at + 1]).some(({ type }) => CONTENT.has(type));
      isOpen.push(ending === undefined ? grows || isOpen[at] === true : ending !== 'possible');
    }
    return isOpen[place] === true;
  };
}

function lifeOf(provider: Provider, frame: Frame): Lifecycle | undefined {
  const payload = payloadOf(frame, provider.eventData);
  return payload && provider.lifecycleOf(payload);
}
