import { concat, from, map, NEVER, tap, type Observable, type OperatorFunction } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  fromByteStream,
  normalize,
  parseJsonArray,
  parseSSE,
  withUsage,
  type Frame,
  type ModelEvent,
  type ModelStreamError,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import {
  anthropic,
  gemini,
  geminiInteractions,
  geminiLive,
  openaiChat,
  openaiResponses,
  xai,
} from 'rx-model-stream/providers';
import { sliceBytes } from 'rx-model-stream/testing';
import type { Expectation } from './expectation';

/** A failure that somebody reported in public, re-created small. */
export interface BugReport {
  readonly id: string;
  readonly title: string;
  /** The operator, and the provider where one matters. */
  readonly api: string;
  readonly encoding?: 'latin1';
  readonly chunks?: readonly string[];
  /** `false`: a chunk is a message, and is not cut. */
  readonly rechunk?: readonly number[] | false;
  /** A described service in place of chunks. */
  readonly server?: { readonly body?: unknown; readonly then?: string };
  /** After the last chunk the body ends cleanly, unless this says that it stays open or that the socket is reset. */
  readonly end?: 'open' | 'reset';
  readonly expect?: Expectation;
  readonly expectAny?: readonly Expectation[];
}

/** What came of one report. */
export interface Result {
  readonly frames: readonly Frame[];
  /** None where no provider reads the frames. */
  readonly events: readonly ModelEvent[];
  readonly snapshot: Snapshot;
  readonly error: ModelStreamError | undefined;
}

const PROVIDERS: Readonly<Record<string, () => Provider>> = {
  anthropic,
  'gemini-interactions': geminiInteractions,
  'gemini-json-array': gemini,
  'gemini-live': geminiLive,
  'gemini-sse': gemini,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  xai,
};

/** By the operator that is named, or else by the provider; others have event streams. */
const FRAMINGS: Readonly<Record<string, () => OperatorFunction<Uint8Array, Frame>>> = {
  parseJsonArray,
  parseSSE,
  'gemini-json-array': parseJsonArray,
  'gemini-live': parseMessages,
};

/** The failure of a connection that a report resets. */
export const RESET = new TypeError('terminated');

/** Whether the report is answered here: it needs no reconnection, and no service that is only described. */
export function isAnswerable(report: BugReport): boolean {
  const { operator, provider } = partsOf(report);
  if (bodyOf(report) === undefined || operator === 'retryWithResume') return false;
  return provider === undefined ? operator in FRAMINGS : provider in PROVIDERS;
}

/** The ways in which the bytes of a report are handed over: always with the same result. */
export function chunkingsOf(report: BugReport): Uint8Array[][] {
  const given = (bodyOf(report) ?? []).map((chunk) => new Uint8Array(Buffer.from(chunk, report.encoding ?? 'utf8')));
  const whole = new Uint8Array(Buffer.concat(given));
  if (report.rechunk === false) return [given];
  return [given, [whole], ...[1, 2, 3, 5, 17].map((size) => sliceBytes(whole, size))];
}

/** Reads to the end, or as far as a body that stays open goes. */
export async function resultOf(report: BugReport, chunks: readonly Uint8Array[]): Promise<Result> {
  const { operator, provider = '' } = partsOf(report);
  const frames: Frame[] = [];
  const events: ModelEvent[] = [];
  let snapshot: Snapshot = emptySnapshot;
  let error: ModelStreamError | undefined;
  const framed = bytesOf(report, chunks).pipe(
    (FRAMINGS[operator] ?? FRAMINGS[provider] ?? parseSSE)(),
    tap((frame) => frames.push(frame)),
  );
  const folded = (named: Provider): Observable<unknown> =>
    framed.pipe(
      normalize(named),
      withUsage(),
      tap((event) => events.push(event)),
      accumulateBlocks(),
      tap((next) => {
        snapshot = next;
      }),
    );
  const createProvider = PROVIDERS[provider];
  const read: Observable<unknown> = createProvider ? folded(createProvider()) : framed;
  await new Promise<void>((resolve) => {
    read.subscribe({
      error: (failure: ModelStreamError) => {
        error = failure;
        snapshot = failure.snapshot ?? snapshot;
        resolve();
      },
      complete: resolve,
    });
    if (report.end === 'open') resolve(); // all there is was said meanwhile
  });
  return { frames, events, snapshot, error };
}

/** Each chunk as the message of a socket. */
function parseMessages(): OperatorFunction<Uint8Array, Frame> {
  return map((chunk) => ({ type: 'json', value: JSON.parse(new TextDecoder().decode(chunk)) as unknown }));
}

function partsOf({ api }: BugReport): { readonly operator: string; readonly provider: string | undefined } {
  const [operator = '', provider] = api.split('/');
  return { operator, provider };
}

/** The pieces of the body, where the report has them. */
function bodyOf({ chunks, server }: BugReport): readonly string[] | undefined {
  const { body, then } = server ?? {};
  if (chunks !== undefined || then !== 'close' || !Array.isArray(body)) return chunks;
  return body.map(String);
}

function bytesOf({ end }: BugReport, chunks: readonly Uint8Array[]): Observable<Uint8Array> {
  if (end === 'reset') return fromByteStream(() => resetAfter(chunks));
  return end === 'open' ? concat(from(chunks), NEVER) : from(chunks);
}

// eslint-disable-next-line @typescript-eslint/require-await -- as a socket hands bytes over
async function* resetAfter(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
  throw RESET;
}
