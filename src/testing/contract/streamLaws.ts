import { Subject as Source } from 'rxjs';
import { normalize } from '../../../operators';
import { isModelStreamError } from '../../errors';
import type { ModelEvent } from '../../events';
import type { Frame } from '../../frame';
import type { Lifecycle, Provider } from '../../provider';
import { sliceBytes } from '../sliceBytes';
import { damagedFrames } from './damagedFrames';
import { demandLawful, demandSame, outcome } from './demands';
import { shown } from './difference';
import { frozenFrame, payloadIn, readChunks, readFrames, type Reading } from './reading';
import type { Law } from './subject';

/** How many payloads of a stream are damaged, one at a time. */
const DAMAGES = 30;

/** Bytes a chunk, and at random. */
const CHUNKINGS = [1, 7, 64, ...[6, 40, 200].map((max) => ({ seed: max, max }))];

/** What a provider owes for a stream as it is, and for the same stream in other hands. */
export const STREAM_LAWS: readonly Law[] = [
  {
    law: 'gives the same events and the same error for every chunking',
    check({ provider, wire }) {
      if (!wire) return;
      const { events, error } = readChunks(provider, wire.framing, [wire.body]);
      for (const sizes of CHUNKINGS) {
        const cut = readChunks(provider, wire.framing, sliceBytes(wire.body, sizes));
        demandSame(`Cut into chunks of ${JSON.stringify(sizes)} it reads otherwise`, cut, { ...cut, events, error });
      }
    },
  },
  {
    law: 'keeps nothing from one stream to the next',
    check({ provider, frames }) {
      const first = readFrames(provider, frames);
      readFrames(provider, frames.slice(0, frames.length / 2));
      demandSame('After another stream it reads otherwise', readFrames(provider, frames), first);
    },
  },
  {
    law: 'reads two streams at the same time as if each were alone',
    check({ provider, frames }) {
      const { events, error } = readFrames(provider, frames);
      for (const side of readSideBySide(provider, frames)) {
        demandSame('Beside another stream it reads otherwise', side, { events, error });
      }
    },
  },
  {
    law: 'says the same of a payload whenever it is asked',
    check({ provider, frames }) {
      const payloads = frames.flatMap((frame) => payloadIn(frozenFrame(frame, provider), provider) ?? []);
      const lives = payloads.map((payload) => provider.lifecycleOf(payload));
      const again = [...payloads].reverse().map((payload) => provider.lifecycleOf(payload));
      demandSame('Asked again, in another order, lifecycleOf says otherwise', again.reverse(), lives);
    },
  },
  {
    law: 'names itself in the failures it reports',
    check({ provider, frames }) {
      for (const frame of frames) {
        const payload = payloadIn(frame, provider);
        const error: Lifecycle['error'] = payload && provider.lifecycleOf(payload).error;
        if (error === undefined) continue;
        if (!isModelStreamError(error)) throw new Error(`A failure is no ModelStreamError: ${shown(error)}`);
        demandSame('A failure has another name', error.provider, provider.name);
      }
    },
  },
  {
    law: 'changes no payload it is given',
    check({ provider, frames }) {
      const frozen = frames.map((frame) => frozenFrame(frame, provider));
      const reading = readFrames(provider, frozen);
      demandSame('Payloads that cannot be changed read otherwise', reading, readFrames(provider, frames));
    },
  },
  {
    law: 'tells one response with one ending, and opens and closes each block once',
    check({ provider, frames }) {
      demandLawful(provider, readFrames(provider, frames));
    },
  },
  {
    law: 'comes to the end that the stream has',
    check({ provider, frames, wire, fails }) {
      const { error } = wire ? readChunks(provider, wire.framing, [wire.body]) : readFrames(provider, frames);
      const code = isModelStreamError(error) ? error.code : error;
      if (code !== fails)
        throw new Error(`It ${outcome(error)}, and the stream ${fails ? `fails with ${fails}` : 'is whole'}`);
    },
  },
  {
    law: 'keeps the laws of events, and fails only with its own error, whatever a payload holds',
    check({ provider, frames }) {
      for (const damaged of damagedFrames(provider, frames, DAMAGES)) {
        const reading = readFrames(provider, damaged);
        if (reading.error !== undefined && !isModelStreamError(reading.error)) {
          throw new Error(`A damaged payload fails with ${shown(reading.error)}`, { cause: reading.error });
        }
        demandLawful(provider, reading);
      }
    },
  },
];

/** Two subscriptions that get each frame in turn. */
function readSideBySide(provider: Provider, frames: readonly Frame[]): Pick<Reading, 'events' | 'error'>[] {
  const sides = [0, 1].map(() => {
    const source = new Source<Frame>();
    const side: { readonly events: ModelEvent[]; error: unknown } = { events: [], error: undefined };
    source.pipe(normalize(provider)).subscribe({
      next: (event) => side.events.push(event),
      error: (error: unknown) => {
        side.error = error;
      },
    });
    return { source, side };
  });
  for (const frame of frames) for (const { source } of sides) source.next(frame);
  for (const { source } of sides) source.complete();
  return sides.map(({ side }) => side);
}
