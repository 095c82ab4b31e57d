import type { Reader } from './readers/reader';
import type { Found, WireStream } from './streams/wireStream';

/** How long a reader takes for all streams of a case. */
export interface Measured {
  readonly reader: Reader;
  readonly milliseconds: number;
}

/** How often the readers take turns. A slow one has no further turn when its time is used up. */
export interface Effort {
  readonly turns: number;
  readonly budgetMs: number;
}

const READS_A_TURN = 3;

/**
 * Lets the readers take turns, so that all meet the same machine, and takes the median of each. A turn is several reads after
 * one that does not count: it clears away what the reader before has left, and gets the code compiled again that the
 * collector has dropped meanwhile.
 */
export async function measure(
  readers: readonly Reader[],
  streams: readonly WireStream[],
  { turns, budgetMs }: Effort,
): Promise<Measured[]> {
  const all = readers.map((reader) => ({ reader, times: [] as number[] }));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { reader, times } of all) {
      if (sumOf(times) > budgetMs) continue;
      await timeOf(reader, streams);
      for (let read = 0; read < READS_A_TURN; read += 1) times.push(await timeOf(reader, streams));
    }
  }
  return all.map(({ reader, times }) => ({ reader, milliseconds: median(times) }));
}

/** Reads the streams and checks what was found, outside the time that counts. */
async function timeOf(reader: Reader, streams: readonly WireStream[]): Promise<number> {
  const found: Found[] = [];
  const start = performance.now();
  for (const stream of streams) found.push(await reader.read(stream));
  const time = performance.now() - start;
  streams.forEach((stream, index) => {
    check(reader, stream, found[index] ?? {});
  });
  return time;
}

/** A reader that finds something else than what is there measures nothing. */
export function check({ name }: Reader, { api, expected }: WireStream, found: Found): void {
  const looked = Object.keys(found) as (keyof Found)[];
  if (looked.length === 0) throw new Error(`${name} finds nothing in ${api}`);
  const misread = looked.filter((key) => expected[key] !== undefined && found[key] !== expected[key]);
  if (misread.length > 0) throw new Error(`${name} misreads ${misread.join(', ')} of ${api}`);
}

export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function sumOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0);
}
