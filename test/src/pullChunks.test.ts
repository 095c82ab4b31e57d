import {
  EMPTY,
  map,
  merge,
  mergeMap,
  NEVER,
  of,
  share,
  Subject,
  switchMap,
  take,
  takeUntil,
  timer,
  Observable,
} from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { currentDemand, pacedMap, pullChunks, type Hold } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { outcomeOf } from '../support/outcome';

type Result = IteratorResult<string, unknown>;

const END: Result = { done: true, value: undefined };

function chunk(value: string): Result {
  return { done: false, value };
}

/** What reads answer in marble tests: a chunk of one or two letters, or the end. */
const RESULTS = { a: chunk('a'), b: chunk('b'), c: chunk('c'), x: chunk('xy'), e: END };

type ColdRead = ReturnType<typeof coldReads>[number];

function coldReads({ cold }: RunHelpers, marblesOfReads: readonly string[]) {
  return marblesOfReads.map((marble) => cold<Result>(marble, RESULTS));
}

/** Answers with each of the reads once. */
function inOrder(reads: readonly ColdRead[]): () => Observable<Result> {
  let count = 0;
  return () => reads[count++] ?? NEVER;
}

/** Answers synchronously with so many chunks, and counts how often it was asked. */
function synchronousReads(chunkCount: number) {
  const source = {
    reads: 0,
    read: (): Observable<Result> => {
      source.reads += 1;
      return of(source.reads > chunkCount ? END : chunk('a'));
    },
  };
  return source;
}

/** Three frames of work on a value. */
const work = (value: string): Observable<string> => timer(3).pipe(map(() => value));

describe('pullChunks()', () => {
  it(
    'reads on at once when nothing is held',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const reads = coldReads(helpers, ['--(a|)', '-(b|)', '---(e|)']);
      const first = '                    ^-!';
      const second = '                   --^!';
      const third = '                    ---^--!';
      const chunks = '                   --ab--|';
      expectObservable(pullChunks(inOrder(reads))).toBe(chunks);
      [first, second, third].forEach((marble, index) => {
        expectSubscriptions(reads[index]!.subscriptions).toBe(marble);
      });
    }),
  );

  it(
    'reads on only when everything made of the last chunk is done',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const reads = coldReads(helpers, ['--(x|)', '--(c|)', '-(e|)']);
      const first = '                    ^-!            ';
      const second = '                   --------^-!    ';
      const third = '                    -------------^!';
      const letters = '                  -----x--y----c|';
      const source = pullChunks(inOrder(reads)).pipe(mergeMap((text: string) => text));
      expectObservable(source.pipe(pacedMap(work))).toBe(letters);
      [first, second, third].forEach((marble, index) => {
        expectSubscriptions(reads[index]!.subscriptions).toBe(marble);
      });
    }),
  );

  it(
    'is paced by the slowest of several consumers',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const reads = coldReads(helpers, ['--(a|)', '-(e|)']);
      const second = '                   -------^!';
      const quick = '                    --a-----|';
      const slow = '                     -------a|';
      const source = pullChunks(inOrder(reads)).pipe(share());
      expectObservable(source).toBe(quick);
      expectObservable(source.pipe(pacedMap((value) => timer(5).pipe(map(() => value))))).toBe(slow);
      expectSubscriptions(reads[1]!.subscriptions).toBe(second);
    }),
  );

  it(
    'reads on when the slow one of several consumers leaves',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const reads = coldReads(helpers, ['--(a|)', '-(e|)']);
      const second = '                   ----^!';
      const leaving = '                  ^---!';
      const quick = '                    --a--|';
      const source = pullChunks(inOrder(reads)).pipe(share());
      expectObservable(source).toBe(quick);
      expectObservable(source.pipe(pacedMap(() => NEVER)), leaving).toBe('------');
      expectSubscriptions(reads[1]!.subscriptions).toBe(second);
    }),
  );

  it(
    'holds sources that are merged each on its own',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const slow = coldReads(helpers, ['-(a|)', '-(e|)']);
      const other = coldReads(helpers, ['--(b|)', '-(e|)']);
      const slowSecond = '              ----^!   ';
      const otherSecond = '             -------^!';
      const letters = '                 ----a--b|';
      const source = merge(pullChunks(inOrder(slow)), pullChunks(inOrder(other)));
      expectObservable(source.pipe(pacedMap(work))).toBe(letters);
      expectSubscriptions(slow[1]!.subscriptions).toBe(slowSecond);
      expectSubscriptions(other[1]!.subscriptions).toBe(otherSecond);
    }),
  );

  it(
    'keeps its pace behind switchMap, and what was left is not read any more',
    marbles((helpers) => {
      const { hot, expectObservable, expectSubscriptions } = helpers;
      const left = coldReads(helpers, ['-(a|)', '-(c|)']);
      const current = coldReads(helpers, ['-(b|)', '-(e|)']);
      const clicks = hot('                -m-n---------');
      const currentSecond = '             --------^!   ';
      const letters = '                   -----a--b----';
      const streams: Readonly<Record<string, Observable<string>>> = {
        m: pullChunks(inOrder(left)),
        n: pullChunks(inOrder(current)),
      };
      const events = clicks.pipe(switchMap((click) => streams[click] ?? NEVER));
      expectObservable(events.pipe(pacedMap(work))).toBe(letters);
      expectSubscriptions(left[1]!.subscriptions).toBe([]);
      expectSubscriptions(current[1]!.subscriptions).toBe(currentSecond);
    }),
  );

  it(
    'ends a read that is pending when the consumer leaves',
    marbles((helpers) => {
      const { expectObservable, expectSubscriptions } = helpers;
      const reads = coldReads(helpers, ['--(a|)', '------(b|)']);
      const leaving = '                  ^---!';
      const second = '                   --^-!';
      const chunks = '                   --a--';
      expectObservable(pullChunks(inOrder(reads)), leaving).toBe(chunks);
      expectSubscriptions(reads[1]!.subscriptions).toBe(second);
    }),
  );

  const letters = mergeMap((text: string) => text);

  it.each<[name: string, marble: string, consume: (source: Observable<string>) => Observable<string>]>([
    ['take', '                              --(x|)', (source) => source.pipe(letters, take(1))],
    ['take behind share', '                 --(x|)', (source) => source.pipe(letters, share(), take(1))],
    ['take behind pacedMap', '              -----(x|)', (source) => source.pipe(letters, pacedMap(work), take(1))],
    ['take behind pacedMap with 8', '       -----(x|)', (source) => source.pipe(letters, pacedMap(work, 8), take(1))],
    [
      'take behind two pacedMap',
      '                                     --------(x|)',
      (source) => source.pipe(letters, pacedMap(work), pacedMap(work), take(1)),
    ],
  ])('starts no read when the consumer has enough: %s', (_name, marble, consume) => {
    marbles((helpers) => {
      const reads = coldReads(helpers, ['--(x|)', '--(b|)']);
      helpers.expectObservable(consume(pullChunks(inOrder(reads)))).toBe(marble.trim());
      helpers.expectSubscriptions(reads[1]!.subscriptions).toBe([]);
    })();
  });

  it(
    'reports a read that fails, unchanged, after what came before it',
    marbles((helpers) => {
      const reads = coldReads(helpers, ['--(a|)', '--#']);
      const chunks = '                   --a-#';
      helpers.expectObservable(pullChunks(inOrder(reads))).toBe(chunks);
    }),
  );

  it('reports a throw of read, unchanged', () => {
    const error = new Error('read');
    const read = () => {
      throw error;
    };
    expect(outcomeOf(pullChunks(read))).toEqual([{ error: { name: 'Error', message: 'read' } }]);
  });

  it('reads anew for each subscription', () => {
    const { read } = synchronousReads(2);
    const source = pullChunks(read);
    expect(outcomeOf(source)).toEqual([{ next: 'a' }, { next: 'a' }, 'complete']);
    expect(outcomeOf(source)).toEqual(['complete']);
  });

  it('passes on a chunk that is undefined', () => {
    const results = [{ done: false, value: undefined }, END];
    expect(outcomeOf(pullChunks(() => of(results.shift()!)))).toEqual([{ next: undefined }, 'complete']);
  });

  it('reads promises and whatever else RxJS takes', async () => {
    const results = [chunk('a'), chunk('b'), END];
    const said: string[] = [];
    await pullChunks(() => Promise.resolve(results.shift()!)).forEach((value) => said.push(value));
    expect(said).toEqual(['a', 'b']);
  });

  describe('with reads that answer synchronously', () => {
    const MILLION = 1_000_000;

    it('completes after a million of them', () => {
      const source = synchronousReads(MILLION);
      let chunks = 0;
      let isComplete = false;
      pullChunks(source.read).subscribe({ next: () => (chunks += 1), complete: () => (isComplete = true) });
      expect([chunks, source.reads, isComplete]).toEqual([MILLION, MILLION + 1, true]);
    });

    it('completes after a hundred thousand of them behind pacedMap', () => {
      const source = synchronousReads(100_000);
      let chunks = 0;
      let isComplete = false;
      pullChunks(source.read)
        .pipe(pacedMap((value) => of(value)))
        .subscribe({ next: () => (chunks += 1), complete: () => (isComplete = true) });
      expect([chunks, isComplete]).toEqual([100_000, true]);
    });

    it('takes one answer of a read that has no end of them', () => {
      let answers = 0;
      const endless = new Observable<IteratorResult<number, unknown>>((subscriber) => {
        while (!subscriber.closed && answers < 100) subscriber.next({ done: false, value: (answers += 1) });
      });
      expect(outcomeOf(pullChunks(() => endless).pipe(take(1)))).toEqual([{ next: 1 }, 'complete']);
      expect(answers).toBe(1);
    });

    it('fails when a read answers nothing, and does not ask for ever', () => {
      let reads = 0;
      const outcome = outcomeOf(
        pullChunks(() => {
          reads += 1;
          return EMPTY;
        }),
      );
      expect(outcome).toEqual([{ error: expect.objectContaining({ name: 'EmptyError' }) as unknown }]);
      expect(reads).toBe(1);
    });

    it('stops when the consumer has enough', () => {
      const source = synchronousReads(Infinity);
      expect(outcomeOf(pullChunks(source.read).pipe(take(3)))).toHaveLength(4);
      expect(source.reads).toBe(3);
    });

    it('stops when the consumer leaves inside an emission', () => {
      const source = synchronousReads(Infinity);
      const seen: string[] = [];
      const stop = new Subject<void>();
      pullChunks(source.read)
        .pipe(takeUntil(stop))
        .subscribe((value) => {
          seen.push(value);
          if (seen.length === 2) stop.next();
        });
      expect([seen.length, source.reads]).toEqual([2, 2]);
    });

    it('waits for a hold that is taken during an emission', () => {
      const source = synchronousReads(2);
      const holds: (Hold | undefined)[] = [];
      pullChunks(source.read).subscribe(() => holds.push(currentDemand()?.hold()));
      expect(source.reads).toBe(1);
      holds[0]?.release();
      expect(source.reads).toBe(2);
      holds[1]?.release();
      expect(source.reads).toBe(3);
    });
  });

  it('is paced by pacedMap of another copy of this package', async () => {
    const source = synchronousReads(2);
    const done = new Subject<string>();
    await jest.isolateModulesAsync(async () => {
      const copy = await import('rx-model-stream');
      expect(copy.pacedMap).not.toBe(pacedMap);
      pullChunks(source.read)
        .pipe(copy.pacedMap(() => done.pipe(take(1))))
        .subscribe();
    });
    expect(source.reads).toBe(1);
    done.next('a');
    expect(source.reads).toBe(2);
  });
});
