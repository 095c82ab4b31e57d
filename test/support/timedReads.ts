import { map, NEVER, timer, type Observable } from 'rxjs';
import { pacedMap, pullChunks } from 'rx-model-stream';

/** One read of a source: how long it takes, and how long the consumer then works on the value. */
export interface TimedRead<Value> {
  readonly readMs: number;
  readonly workMs: number;
  readonly value: Value;
}

/** A source that pulls, whose reads take their time and the last of which is never answered. */
export function timedReads<Value>(reads: readonly TimedRead<Value>[]): Observable<Value> {
  const remaining = reads.values();
  return pullChunks<Value>(() => {
    const { value: read } = remaining.next();
    return read ? timer(read.readMs).pipe(map(() => ({ done: false, value: read.value }))) : NEVER;
  });
}

/** The consumer of such a source, who holds every value as long as he works on it. */
export function worked<Value>(source: Observable<Value>, reads: readonly TimedRead<Value>[]): Observable<Value> {
  return source.pipe(pacedMap((value, index) => timer(reads[index]?.workMs ?? 0).pipe(map(() => value))));
}
