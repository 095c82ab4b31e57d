import fc from 'fast-check';
import { concat, EMPTY, map, mergeMap, NEVER, Observable, of, retry, share, Subject, take, tap, timer } from 'rxjs';
import {
  anthropic,
  currentDemand,
  idleWithin,
  isContent,
  isContentOf,
  ModelStreamError,
  pacedMap,
  pullChunks,
  type Frame,
  type ModelEvent,
} from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';
import { timedReads, worked, type TimedRead } from '../support/timedReads';

function silentFor(ms: number): ModelStreamError {
  return new ModelStreamError('timeout', `Cannot read on: nothing came for ${ms} ms`, { retryable: true });
}

function withoutContentFor(ms: number): ModelStreamError {
  const message = `Cannot read on: nothing that counts came for ${ms} ms`;
  return new ModelStreamError('timeout', message, { retryable: true });
}

const noOpinion = new Error('No opinion');

describeOperatorContract<string, string>('idleWithin', {
  create: () =>
    idleWithin(60_000, {
      counts(value) {
        if (value === 'bad') throw noOpinion;
        return true;
      },
    }),
  inputs: ['a', 'b', 'c'],
  isImpatient: true,
  failing: { inputs: ['a', 'bad'], error: noOpinion },
});

describe('idleWithin()', () => {
  it(
    'fails when nothing comes in time, after it has left the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a---b----------');
      const subscription = ' ^-------------!  ';
      const result = '       --a---b-------#  ';
      expectObservable(source.pipe(idleWithin(8))).toBe(result, undefined, silentFor(8));
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it('has left the source when it tells of it', async () => {
    const said: string[] = [];
    const source = new Observable<never>(() => () => said.push('left'));
    await new Promise<void>((resolve) => {
      source.pipe(idleWithin(0)).subscribe({
        error: () => {
          said.push('failed');
          resolve();
        },
      });
    });
    expect(said).toEqual(['left', 'failed']);
  });

  it(
    '1. begins to wait with the subscription',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  ---------');
      const subscription = ' ^----!   ';
      const result = '       -----#   ';
      expectObservable(source.pipe(idleWithin(5))).toBe(result, undefined, silentFor(5));
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '1. waits anew for each subscription, so that a retry has all of the time again',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a----------');
      const subscriptions = ['^------!     ', '-------^------!'];
      const result = '       --a------a----#';
      expectObservable(source.pipe(idleWithin(5), retry(1))).toBe(result, undefined, silentFor(5));
      expectSubscriptions(source.subscriptions).toBe(subscriptions);
    }),
  );

  it(
    '1. lets a value that comes in time begin the wait anew, and never fails while they come',
    marbles(({ cold, expectObservable }) => {
      const source = cold('----a----b----c----d----|');
      const result = '     ----a----b----c----d----|';
      expectObservable(source.pipe(idleWithin(6))).toBe(result);
    }),
  );

  it(
    '1. counts what it is told to count, and passes the rest on',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--p--p--p--p--');
      const result = '     --a--p--p-#      ';
      const limit = idleWithin<string>(8, { counts: (value) => value !== 'p' });
      expectObservable(source.pipe(limit)).toBe(result, undefined, withoutContentFor(8));
    }),
  );

  it(
    '1. sees behind keep-alives, on events and on frames',
    marbles(({ cold, expectObservable }) => {
      const events: Record<string, ModelEvent> = {
        s: { type: 'response-start', provider: 'demo' },
        a: { type: 'text-delta', index: 0, text: 'a' },
        p: { type: 'raw', provider: 'demo', event: 'ping' },
        u: { type: 'usage', usage: {} },
      };
      const frames: Record<string, Frame> = {
        s: { type: 'json', value: { type: 'message_start', message: {} } },
        a: { type: 'json', value: { type: 'content_block_delta', index: 0, delta: {} } },
        p: { type: 'sse', data: '{"type":"ping"}', name: 'ping' },
        u: { type: 'hint', retryMs: 1 },
      };
      const source = '    -s-a-p-u-p--u-p';
      const result = '    -s-a-p-u-p-#';
      const failure = withoutContentFor(8);
      expectObservable(cold(source, events).pipe(idleWithin(8, { counts: isContent }))).toBe(result, events, failure);
      const ofFrames = idleWithin(8, { counts: isContentOf(anthropic()) });
      expectObservable(cold(source, frames).pipe(ofFrames)).toBe(result, frames, failure);
    }),
  );

  describe('2. counts only while the source may read', () => {
    it('whatever the reads take and the consumer does with the values', () => {
      const spans = fc.record({ readMs: fc.integer({ min: 1, max: 20 }), workMs: fc.nat(40), counts: fc.boolean() });
      fc.assert(
        fc.property(fc.array(spans, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }), (drawn, tens) => {
          const limit = tens + 0.5; // never at the moment of a value
          const reads = drawn.map((read) => ({ ...read, value: read.counts }));
          marbles(({ expectObservable }) => {
            const counted = timedReads(reads).pipe(idleWithin(limit, { counts: (counts) => counts }));
            const failedAt = failureTime(reads, limit);
            const failure = worked(counted, reads).pipe(mergeMap(() => EMPTY));
            expectObservable(failure).toBe(`${failedAt}ms #`, undefined, withoutContentFor(limit));
          })();
        }),
      );
    });

    /** When the source was read for so long without a value that counts; the work at hand is still done. */
    function failureTime(reads: readonly TimedRead<boolean>[], limit: number): number {
      let time = 0;
      let waited = 0;
      for (const { readMs, workMs, value } of reads) {
        if (waited + readMs > limit) break;
        waited = value ? 0 : waited + readMs;
        time += readMs + workMs;
      }
      return time + limit - waited;
    }

    it(
      'where it stands behind the work, too: a source that is held is not silent',
      marbles(({ expectObservable }) => {
        const reads = [5, 30, 30].map((workMs) => ({ readMs: 1, workMs, value: 'a' }));
        const late = worked(timedReads(reads), reads).pipe(idleWithin(10));
        expectObservable(late).toBe('6ms a 30ms a 30ms a 9ms #', undefined, silentFor(10));
      }),
    );

    it(
      'and not while another consumer of the same source holds it',
      marbles(({ expectObservable }) => {
        const reads = [1, 50].map((readMs) => ({ readMs, workMs: 30, value: 'a' }));
        const shared = timedReads(reads).pipe(share());
        expectObservable(shared.pipe(idleWithin(20))).toBe('- a 49ms #', undefined, silentFor(20));
        expectObservable(worked(shared, reads).pipe(take(1))).toBe('31ms (a|)');
      }),
    );

    it('nor while it holds what it was given, or works on it', () => {
      jest.useFakeTimers();
      try {
        const reads = new Subject<IteratorResult<string>>();
        const heard: unknown[] = [];
        let letGo: (() => void) | undefined;
        pullChunks(() => reads)
          .pipe(idleWithin(100))
          .subscribe({
            next: (value) => {
              heard.push(value);
              jest.setSystemTime(Date.now() + 1000); // the work blocks everything for a second
              const hold = currentDemand()?.hold();
              letGo = () => hold?.release();
            },
            error: (error: unknown) => heard.push(error),
          });
        reads.next({ done: false, value: 'a' });
        jest.advanceTimersByTime(500);
        letGo?.();
        jest.advanceTimersByTime(99);
        expect(heard).toEqual(['a']);
        jest.advanceTimersByTime(1);
        expect(heard).toEqual(['a', silentFor(100)]);
      } finally {
        jest.useRealTimers();
      }
    });
  });

  describe('3. knows the life of a response', () => {
    const events: Record<string, ModelEvent> = {
      s: { type: 'response-start', provider: 'demo' },
      a: { type: 'text-delta', index: 0, text: 'a' },
      f: { type: 'finish', reason: 'stop' },
      u: { type: 'usage', usage: {} },
      R: { type: 'restart', attempt: 1, cause: silentFor(1) },
    };

    it(
      'and waits for nothing after its ending',
      marbles(({ cold, expectObservable }) => {
        const source = cold('-s-a-f 99ms |', events);
        const result = '     -s-a-f 99ms |';
        expectObservable(source.pipe(idleWithin(8))).toBe(result, events);
        expectObservable(source.pipe(idleWithin(8, { counts: isContent }))).toBe(result, events);
      }),
    );

    it(
      'until the next one begins',
      marbles(({ cold, expectObservable }) => {
        const source = cold('-s-a-f 99ms u 99ms s---------', events);
        const result = '     -s-a-f 99ms u 99ms s-------# ';
        expectObservable(source.pipe(idleWithin(8, { counts: isContent }))).toBe(result, events, withoutContentFor(8));
      }),
    );

    it(
      'and begins anew with a restart',
      marbles(({ cold, expectObservable }) => {
        const source = cold('-s-a-----R---------', events);
        const result = '     -s-a-----R-------# ';
        expectObservable(source.pipe(idleWithin(8, { counts: isContent }))).toBe(result, events, withoutContentFor(8));
      }),
    );
  });

  it('leaves no timer behind, however it ends', () => {
    jest.useFakeTimers();
    try {
      const endings = [EMPTY, of('a'), concat(of('a'), NEVER).pipe(take(1)), concat(of('a'), NEVER)];
      for (const ending of endings) {
        const subscription = ending.pipe(idleWithin(1000)).subscribe();
        subscription.unsubscribe();
        expect(jest.getTimerCount()).toBe(0);
      }
      const taken = concat(of('a'), NEVER).pipe(idleWithin(1000), take(1));
      expect(outcomeOf(taken)).toEqual([{ next: 'a' }, 'complete']);
      expect(jest.getTimerCount()).toBe(0);
      outcomeOf(of('a', 'b').pipe(idleWithin(1000)));
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('sets no timer for each value', () => {
    jest.useFakeTimers();
    const set = jest.spyOn(globalThis, 'setInterval');
    try {
      const source = new Subject<number>();
      const subscription = source.pipe(idleWithin(1000)).subscribe();
      for (let value = 0; value < 1000; value++) {
        source.next(value);
        jest.advanceTimersByTime(10);
      }
      expect(set.mock.calls.length).toBeLessThan(20);
      subscription.unsubscribe();
    } finally {
      set.mockRestore();
      jest.useRealTimers();
    }
  });

  it('is no step at all without a limit', () => {
    const source = of('a');
    expect(idleWithin(Infinity)(source)).toBe(source);
  });

  it.each([-1, NaN, 2 ** 31])('refuses to wait for %p milliseconds', (ms) => {
    expect(() => idleWithin(ms)).toThrow(RangeError);
  });

  it(
    'goes with the usual operators',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b-----------');
      const result = '     ---x--y------#   ';
      const seen: string[] = [];
      const chain = source.pipe(
        idleWithin(8),
        tap((value) => seen.push(value)),
        pacedMap((value) => timer(1).pipe(map(() => (value === 'a' ? 'x' : 'y')))),
      );
      expectObservable(chain).toBe(result, undefined, silentFor(8));
    }),
  );
});
