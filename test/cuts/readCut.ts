import { concat, EMPTY, of, tap, throwError, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  fromWebSocketMessages,
  isModelStreamError,
  normalize,
  withUsage,
  type Frame,
  type ModelEvent,
  type Snapshot,
} from 'rx-model-stream';
import { connectionLost } from '../../src/testing/connectionLost';
import { FakeSocket } from '../support/fakeSocket';
import { framingOf } from '../support/fixtures';
import type { Sample } from '../support/samples';

/** How the connection ends at a cut: a body in order or by a failure, a socket by its close code. */
export type Ending = 'eof' | 'reset' | `close ${number}`;

/** What a consumer of a stream was told. */
export interface Reading {
  /** Before usage is gathered. */
  readonly events: readonly ModelEvent[];
  /** The last one, or the one that the failure carries. */
  readonly snapshot: Snapshot;
  /** Undefined when the stream completed. */
  readonly error: unknown;
}

/** A stream in the units between which it is cut: bytes of a body, or messages of a socket. */
export interface Wire {
  readonly sample: Sample;
  readonly length: number;
  readonly endings: readonly Ending[];
  /** Reads the first `at` units, and then the ending. */
  read(at: number, ending: Ending): Reading;
}

const BODY_ENDINGS: readonly Ending[] = ['eof', 'reset'];
/** In order, without a code, going away, lost, internal error. */
const SOCKET_ENDINGS: readonly Ending[] = ['close 1000', 'close 1005', 'close 1001', 'close 1006', 'close 1011'];

export function wireOf(sample: Sample): Wire {
  return sample.name.endsWith('.jsonl') && !sample.name.endsWith('.aws.jsonl') ? socketOf(sample) : bodyOf(sample);
}

/** Nothing waits, so that one reading is one call: the source gives what there is and ends. */
function bodyOf(sample: Sample): Wire {
  const bytes = sample.bytes();
  const frame = framingOf(sample);
  return {
    sample,
    length: bytes.length,
    endings: BODY_ENDINGS,
    read(at, ending) {
      const end = ending === 'reset' ? throwError(connectionLost) : EMPTY;
      return readingOf(sample, concat(of(bytes.subarray(0, at)), end).pipe(frame()), () => undefined);
    },
  };
}

function socketOf(sample: Sample): Wire {
  const messages = new TextDecoder()
    .decode(sample.bytes())
    .split('\n')
    .filter((line) => line !== '');
  return {
    sample,
    length: messages.length,
    endings: SOCKET_ENDINGS,
    read(at, ending) {
      const socket = new FakeSocket();
      return readingOf(
        sample,
        fromWebSocketMessages(() => socket),
        () => {
          for (const message of messages.slice(0, at)) socket.message(message);
          socket.closed(Number(ending.replace('close ', '')));
        },
      );
    },
  };
}

function readingOf({ name, provider }: Sample, frames: Observable<Frame>, act: () => void): Reading {
  const events: ModelEvent[] = [];
  let snapshot: Snapshot = emptySnapshot;
  let ending: { readonly error: unknown } | undefined;
  frames
    .pipe(
      normalize(provider),
      tap((event) => events.push(event)),
      withUsage(),
      accumulateBlocks(),
    )
    .subscribe({
      next: (next) => {
        snapshot = next;
      },
      error: (error: unknown) => {
        ending = { error };
        if (isModelStreamError(error)) snapshot = error.snapshot ?? emptySnapshot;
      },
      complete: () => {
        ending = { error: undefined };
      },
    });
  act();
  if (ending === undefined) throw new Error(`${name} waits, although it has ended`);
  return { events, snapshot, error: ending.error };
}
