import { delay, map, mergeMap, Observable, of, range, Subject, take, timer } from 'rxjs';
import { pacedMap, pullChunks } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';

describeOperatorContract('pacedMap', {
  create: () => pacedMap((value: string) => of(value, `${value}'`)),
  inputs: ['a', 'b', 'c'],
});

/** So many frames of work on a value. */
function work(frames: number): (value: string) => Observable<string> {
  return (value) => timer(frames).pipe(map(() => value));
}

/** What reads answer: a chunk of one or two letters, or the end. */
const RESULTS = {
  a: { done: false, value: 'a' },
  b: { done: false, value: 'b' },
  x: { done: false, value: 'xy' },
  e: { done: true, value: undefined },
} as const;

const letters = mergeMap((text: string) => text);

/** The letters of what the reads answer, one read after the other. */
function lettersOf(reads: readonly Observable<IteratorResult<string, unknown>>[]): Observable<string> {
  let count = 0;
  return pullChunks(() => reads[count++]!).pipe(letters);
}

describe('pacedMap()', () => {
  it(
    'works on one value after another, in order',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-ab-------|');
      const works = {
        a: cold('          ----(a|)    '),
        b: cold('              --(b|)  '),
      };
      const first = '              -^---!      ';
      const second = '             -----^-!    ';
      const result = '             -----a-b--|';
      expectObservable(source.pipe(pacedMap((value) => works[value as 'a' | 'b']))).toBe(result);
      expectSubscriptions(works.a.subscriptions).toBe(first);
      expectSubscriptions(works.b.subscriptions).toBe(second);
    }),
  );

  it(
    'works on as many values at once as it is told',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('abc|     ');
      const works = {
        a: cold('          ----(a|) '),
        b: cold('           --(b|)  '),
        c: cold('             --(c|)'),
      };
      const first = '              ^---!    ';
      const second = '             -^-!     ';
      const third = '              ---^-!   ';
      const result = '             ---ba(c|)';
      expectObservable(source.pipe(pacedMap((value) => works[value as 'a' | 'b' | 'c'], 2))).toBe(result);
      expectSubscriptions(works.a.subscriptions).toBe(first);
      expectSubscriptions(works.b.subscriptions).toBe(second);
      expectSubscriptions(works.c.subscriptions).toBe(third);
    }),
  );

  it('tells the work the place of its value', () => {
    const indexed = of('a', 'b').pipe(pacedMap((value, index) => [`${value}${index}`]));
    expect(outcomeOf(indexed)).toEqual([{ next: 'a0' }, { next: 'b1' }, 'complete']);
  });

  it.each([0, -1, NaN])('refuses to work on %p values at once', (concurrent) => {
    expect(() => pacedMap(() => of('a'), concurrent)).toThrow(
      new RangeError(`Cannot use concurrent ${concurrent}: expected a positive number`),
    );
  });

  describe('holds the source', () => {
    it(
      'until the work on every value of the chunk is done',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const reads = [cold('-(x|)', RESULTS), cold('-(e|)', RESULTS)];
        const second = '     -------^!';
        const result = '     ----x--y|';
        expectObservable(lettersOf(reads).pipe(pacedMap(work(3)))).toBe(result);
        expectSubscriptions(reads[1]!.subscriptions).toBe(second);
      }),
    );

    it(
      'with several values at work too',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const reads = [cold('-(x|)', RESULTS), cold('-(e|)', RESULTS)];
        const second = '     ------^!';
        const result = '     ---y--x|';
        const frames: Readonly<Record<string, number>> = { x: 5, y: 2 };
        const source = lettersOf(reads);
        expectObservable(source.pipe(pacedMap((value) => work(frames[value]!)(value), 8))).toBe(result);
        expectSubscriptions(reads[1]!.subscriptions).toBe(second);
      }),
    );

    it(
      'without a gap where two of them follow each other',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const reads = [cold('-(x|)', RESULTS), cold('-(e|)', RESULTS)];
        const second = '     --------^!';
        const result = '     -----x--y|';
        const source = lettersOf(reads);
        const between = map((value: string) => value);
        expectObservable(source.pipe(pacedMap(work(1)), between, pacedMap(work(3)))).toBe(result);
        expectSubscriptions(reads[1]!.subscriptions).toBe(second);
      }),
    );

    it(
      'and the stream that the work itself reads',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const outer = [cold('-(a|)', RESULTS), cold('-(e|)', RESULTS)];
        const inner = [cold(' -(x|)', RESULTS), cold('-(b|)', RESULTS), cold('-(e|)', RESULTS)];
        const innerSecond = '--------^!';
        const innerThird = ' ------------^!';
        const outerSecond = '-------------^!';
        const result = '     -----x--y---b-|';
        const source = lettersOf(outer).pipe(pacedMap(() => lettersOf(inner)));
        expectObservable(source.pipe(pacedMap(work(3)))).toBe(result);
        expectSubscriptions(inner[1]!.subscriptions).toBe(innerSecond);
        expectSubscriptions(inner[2]!.subscriptions).toBe(innerThird);
        expectSubscriptions(outer[1]!.subscriptions).toBe(outerSecond);
      }),
    );

    it(
      'not behind an operator that emits asynchronously: values are then buffered, never lost',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const reads = [cold('-(x|)', RESULTS), cold('-(b|)', RESULTS), cold('-(e|)', RESULTS)];
        const second = '     -^!';
        const result = '     -----x--y--(b|)';
        expectObservable(lettersOf(reads).pipe(delay(1), pacedMap(work(3)))).toBe(result);
        expectSubscriptions(reads[1]!.subscriptions).toBe(second);
      }),
    );
  });

  describe('when something fails', () => {
    it(
      'works off what came before the failure of its source',
      marbles(({ cold, expectObservable }) => {
        const source = cold('ab#      ');
        const result = '             ---a--(b#)';
        expectObservable(source.pipe(pacedMap(work(3)))).toBe(result);
      }),
    );

    it(
      'reports a throw of project at once and leaves everything',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('a-b--');
        const working = cold('-----');
        const subscription = '       ^-!  ';
        const result = '             --#  ';
        const project = (value: string) => {
          if (value === 'b') throw 'error'; // eslint-disable-line @typescript-eslint/only-throw-error -- as marbles do
          return working;
        };
        expectObservable(source.pipe(pacedMap(project, 2))).toBe(result);
        expectSubscriptions(source.subscriptions).toBe(subscription);
        expectSubscriptions(working.subscriptions).toBe(subscription);
      }),
    );

    it(
      'reports a failure of the work at once and leaves everything',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('   ab--');
        const works = { a: cold('---x'), b: cold('-#') };
        const subscription = '          ^-! ';
        const result = '                --# ';
        expectObservable(source.pipe(pacedMap((value) => works[value as 'a' | 'b'], 2))).toBe(result);
        expectSubscriptions(source.subscriptions).toBe(subscription);
        expectSubscriptions(works.a.subscriptions).toBe(subscription);
      }),
    );

    it('does not start work on what still waits', () => {
      const started: string[] = [];
      const first = new Subject<string>();
      const project = (value: string) => {
        started.push(value);
        return first;
      };
      let failure: unknown;
      of('a', 'b')
        .pipe(pacedMap(project))
        .subscribe({ error: (error: unknown) => (failure = error) });
      first.error('work');
      expect([started, failure]).toEqual([['a'], 'work']);
    });
  });

  describe('when the consumer leaves', () => {
    it(
      'leaves the work',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold(' a----');
        const working = cold('--x--');
        const leaving = '             ^--! ';
        const result = '              --x- ';
        expectObservable(source.pipe(pacedMap(() => working)), leaving).toBe(result);
        expectSubscriptions(working.subscriptions).toBe(leaving);
      }),
    );

    it('stops work that emits synchronously', () => {
      let produced = 0;
      const working = new Observable<number>((subscriber) => {
        while (!subscriber.closed && produced < 10) subscriber.next((produced += 1));
      });
      expect(
        outcomeOf(
          of('a').pipe(
            pacedMap(() => working),
            take(2),
          ),
        ),
      ).toHaveLength(3);
      expect(produced).toBe(2);
    });
  });

  it('works off a long queue without recursion', () => {
    const first = new Subject<number>();
    let results = 0;
    let isComplete = false;
    range(0, 100_000)
      .pipe(pacedMap((value) => (value === 0 ? first : of(value))))
      .subscribe({ next: () => (results += 1), complete: () => (isComplete = true) });
    expect(results).toBe(0);
    first.complete();
    expect([results, isComplete]).toEqual([99_999, true]);
  });

  it('takes promises and whatever else RxJS takes', async () => {
    const results: string[] = [];
    await of('a', 'b')
      .pipe(pacedMap((value) => Promise.resolve(value)))
      .forEach((value) => results.push(value));
    expect(results).toEqual(['a', 'b']);
  });
});
