import { defer, scan, startWith, timestamp, type OperatorFunction, type Timestamp, type TimestampProvider } from 'rxjs';
import { emptySnapshot, type Block, type Snapshot } from '../index';

/** An answer as it stands, and when what came. Times are of the clock that was given. */
export interface Answer {
  readonly label: string;
  readonly snapshot: Snapshot;
  readonly askedAt: number;
  readonly firstTokenAt?: number;
  readonly endedAt?: number;
}

/** Notes when the parts of an answer come. Emits at once, before anything has come. */
export function timed(label: string, clock: TimestampProvider): OperatorFunction<Snapshot, Answer> {
  return (snapshots) =>
    defer(() => {
      const asked: Answer = { label, snapshot: emptySnapshot, askedAt: clock.now() };
      return snapshots.pipe(timestamp(clock), scan(withSnapshot, asked), startWith(asked));
    });
}

/** The answer after its next snapshot. The first token is the first thing to be seen, be it reasoning or a call. */
export function withSnapshot(answer: Answer, { value: snapshot, timestamp: at }: Timestamp<Snapshot>): Answer {
  return {
    ...answer,
    snapshot,
    ...(answer.firstTokenAt === undefined && snapshot.blocks.some(hasContent) && { firstTokenAt: at }),
    ...(hasEnded(snapshot) && { endedAt: at }),
  };
}

export function hasEnded({ status }: Snapshot): boolean {
  return status !== 'idle' && status !== 'streaming';
}

/** In one word or two: how the answer ended, or where it stands. */
export function stateOf({ status, finishReason, error }: Snapshot): string {
  switch (status) {
    case 'idle':
      return 'waiting';
    case 'complete':
      return finishReason ?? status;
    case 'failed':
      return error ? `failed: ${error.code}` : status;
    default:
      return status;
  }
}

function hasContent(block: Block): boolean {
  switch (block.kind) {
    case 'text':
    case 'reasoning':
      return block.text !== '';
    case 'media':
      return block.parts.length > 0 || block.url !== undefined;
    default:
      return true;
  }
}
