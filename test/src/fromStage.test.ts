import fc from 'fast-check';
import { concat, config, EMPTY, from, NEVER, Observable, of, retry, Subject, take, throwError } from 'rxjs';
import { fromStage, type Emit, type Stage } from 'rx-model-stream';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';

/** Doubles letters, tells the letters it has seen at the end; fails at `!` after the first half of its output. */
function doubling(): Stage<string, string> {
  let seen = '';
  return {
    push(letter, emit) {
      seen += letter;
      emit(`${letter}1`);
      if (letter === '!') throw new Error(`Cannot double ${seen}`);
      emit(`${letter}2`);
    },
    end(emit) {
      emit(`seen ${seen}`);
    },
  };
}

/** A stage that does nothing, but for the given methods. */
function stageOf(methods: Partial<Stage<string, string>>): Stage<string, string> {
  return { push() {}, end() {}, ...methods };
}

/** Hands every input on and lists the calls it gets. */
function listening(calls: string[], methods: Partial<Stage<string, string>> = {}): Stage<string, string> {
  return {
    push(input, emit) {
      calls.push(`push ${input}`);
      (methods.push ?? emit)(input, emit);
    },
    end(emit) {
      calls.push('end');
      methods.end?.(emit);
    },
    fail(error, emit) {
      calls.push('fail');
      if (methods.fail) methods.fail(error, emit);
      else throw error;
    },
  };
}

const wire = new Error('wire');
const failing = throwError(() => wire);

describeOperatorContract('fromStage', {
  create: () => fromStage(doubling),
  inputs: ['a', 'b', 'c', 'd'],
  empty: { marble: '(x|)', values: { x: 'seen ' } },
  failing: { inputs: ['a', '!'], error: new Error('Cannot double a!') },
});

describe('fromStage()', () => {
  describe('1. createStage runs once a subscription; its throw reaches the error channel', () => {
    it('does not run before the subscription, and once for each', () => {
      let created = 0;
      const result = of('a').pipe(
        fromStage(() => {
          created += 1;
          return doubling();
        }),
      );
      expect(created).toBe(0);
      result.subscribe();
      result.subscribe();
      expect(created).toBe(2);
    });

    it('reports its throw without subscribing to the source', () => {
      let subscribed = 0;
      const source = new Observable<string>(() => {
        subscribed += 1;
      });
      const result = source.pipe(
        fromStage<string, string>(() => {
          throw new RangeError('No stage');
        }),
      );
      expect(outcomeOf(result)).toEqual([{ error: { name: 'RangeError', message: 'No stage' } }]);
      expect(subscribed).toBe(0);
    });

    it('gives a retry above the stage a fresh state', () => {
      let attempts = 0;
      const source = new Observable<string>((subscriber) => {
        attempts += 1;
        subscriber.next(attempts === 1 ? 'a' : 'b');
        if (attempts === 1) subscriber.error(wire);
        else subscriber.complete();
      });
      expect(outcomeOf(source.pipe(fromStage(doubling), retry(1)))).toEqual([
        { next: 'a1' },
        { next: 'a2' },
        { next: 'b1' },
        { next: 'b2' },
        { next: 'seen b' },
        'complete',
      ]);
    });
  });

  describe('2. at most one of end and fail is called', () => {
    const callsOf = (source: Observable<string>, methods: Partial<Stage<string, string>> = {}): string[] => {
      const calls: string[] = [];
      outcomeOf(source.pipe(fromStage(() => listening(calls, methods))));
      return calls;
    };

    it('is end when the source completes', () => {
      expect(callsOf(of('a'))).toEqual(['push a', 'end']);
    });

    it('is fail when the source fails', () => {
      expect(callsOf(concat(of('a'), failing))).toEqual(['push a', 'fail']);
    });

    it('is none after a throw of push', () => {
      const push = (): never => {
        throw wire;
      };
      expect(callsOf(of('a', 'b'), { push })).toEqual(['push a']);
    });

    it('is not fail after a throw of end', () => {
      const end = (): never => {
        throw wire;
      };
      expect(callsOf(of('a'), { end })).toEqual(['push a', 'end']);
    });

    it('is none after the consumer left', () => {
      const calls: string[] = [];
      const source = new Subject<string>();
      const subscription = source.pipe(fromStage(() => listening(calls))).subscribe();
      source.next('a');
      subscription.unsubscribe();
      source.complete();
      expect(calls).toEqual(['push a']);
    });

    it('is none once the stage is done', () => {
      const calls: string[] = [];
      const stage = { ...listening(calls), done: true };
      expect(outcomeOf(of('a', 'b').pipe(fromStage(() => stage)))).toEqual([{ next: 'a' }, 'complete']);
      expect(calls).toEqual(['push a']);
    });

    it('is none when the source goes on and ends inside the emission that made the stage done', () => {
      const calls: string[] = [];
      const source = new Subject<string>();
      const heard: string[] = [];
      source.pipe(fromStage(() => ({ ...listening(calls), done: true }))).subscribe({
        next(value) {
          heard.push(value);
          source.next('late');
          source.error(wire);
        },
        error: () => heard.push('error'),
        complete: () => heard.push('complete'),
      });
      source.next('a');
      expect(heard).toEqual(['a', 'complete']);
      expect(calls).toEqual(['push a']);
    });

    it('completes and leaves the source when the stage is done', () => {
      let produced = 0;
      const source = new Observable<string>((subscriber) => {
        while (!subscriber.closed && produced < 10) {
          produced += 1;
          subscriber.next(`${produced}`);
        }
      });
      const untilThree = (): Stage<string, string> => {
        let done = false;
        return {
          push(input, emit) {
            done = input === '3';
            emit(input);
          },
          end() {},
          get done() {
            return done;
          },
        };
      };
      const outcome = outcomeOf(source.pipe(fromStage(untilThree)));
      expect(outcome).toEqual([{ next: '1' }, { next: '2' }, { next: '3' }, 'complete']);
      expect(produced).toBe(3);
    });

    it('passes a failure unchanged where the stage has no fail', () => {
      let reported: unknown;
      failing.pipe(fromStage(doubling)).subscribe({ error: (error: unknown) => (reported = error) });
      expect(reported).toBe(wire);
    });

    it('reports what fail throws, after what it emits', () => {
      const fail = (_error: unknown, emit: Emit<string>): void => {
        emit('owed');
        throw new Error('reported');
      };
      expect(outcomeOf(failing.pipe(fromStage(() => stageOf({ fail }))))).toEqual([
        { next: 'owed' },
        { error: { name: 'Error', message: 'reported' } },
      ]);
    });

    it('completes when fail returns', () => {
      const fail = (_error: unknown, emit: Emit<string>): void => {
        emit('owed');
      };
      expect(outcomeOf(failing.pipe(fromStage(() => stageOf({ fail }))))).toEqual([{ next: 'owed' }, 'complete']);
    });
  });

  describe('3. what was emitted before a throw is delivered before the error', () => {
    it('delivers it in order', () => {
      expect(outcomeOf(of('a', '!', 'b').pipe(fromStage(doubling)))).toEqual([
        { next: 'a1' },
        { next: 'a2' },
        { next: '!1' },
        { error: { name: 'Error', message: 'Cannot double a!' } },
      ]);
    });

    const methods: Partial<Stage<string, string>>[] = [
      {
        push() {
          throw wire;
        },
      },
      {
        end() {
          throw wire;
        },
      },
      {
        fail() {
          throw wire;
        },
      },
    ];

    it.each(methods.map((method) => [Object.keys(method)[0]!, method] as const))(
      'has left the source before it reports a throw of %s',
      (name, method) => {
        const heard: string[] = [];
        const source = new Subject<string>();
        const watched = new Observable<string>((subscriber) => {
          subscriber.add(source.subscribe(subscriber));
          return () => heard.push('left');
        });
        watched.pipe(fromStage(() => stageOf(method))).subscribe({ error: () => heard.push('error') });
        if (name === 'push') source.next('a');
        else if (name === 'end') source.complete();
        else source.error(new Error('source'));
        expect(heard).toEqual(['left', 'error']);
      },
    );
  });

  describe('4. after the consumer left, emit does nothing', () => {
    it('lets the running push finish its input', () => {
      const done: string[] = [];
      const push = (input: string, emit: Emit<string>): void => {
        emit(input);
        emit(input);
        done.push(input);
      };
      const result = of('a', 'b').pipe(
        fromStage(() => stageOf({ push })),
        take(1),
      );
      expect(outcomeOf(result)).toEqual([{ next: 'a' }, 'complete']);
      expect(done).toEqual(['a']);
    });

    it('drops a throw that comes after it', () => {
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      jest.useFakeTimers();
      try {
        expect(outcomeOf(of('!').pipe(fromStage(doubling), take(1)))).toEqual([{ next: '!1' }, 'complete']);
        jest.runAllTimers();
      } finally {
        jest.useRealTimers();
        config.onUnhandledError = null;
      }
      expect(unhandled).toEqual([]);
    });

    it('drops what end and fail emit and throw when the consumer leaves inside them', () => {
      const speak = (emit: Emit<string>): never => {
        emit('first');
        emit('second');
        throw wire;
      };
      const stage = (): Stage<string, string> =>
        stageOf({
          end: speak,
          fail: (_error, emit) => speak(emit),
        });
      for (const source of [EMPTY, failing]) {
        expect(outcomeOf(source.pipe(fromStage(stage), take(1)))).toEqual([{ next: 'first' }, 'complete']);
      }
    });
  });

  describe('5. a notification that arrives while a stage method runs waits its turn', () => {
    /** What comes when the consumer says `answers[value]` to the source at each value. */
    function conversation(answers: Readonly<Record<string, (source: Subject<string>) => void>>): unknown[] {
      const source = new Subject<string>();
      return outcomeOf(
        new Observable((subscriber) => {
          source.pipe(fromStage(doubling)).subscribe({
            next(value) {
              subscriber.next(value);
              answers[value]?.(source);
            },
            error(error: unknown) {
              subscriber.error(error);
            },
            complete() {
              subscriber.complete();
            },
          });
          source.next('a');
        }),
      );
    }

    it('takes an input after the one that runs', () => {
      const heard = conversation({
        a1(source) {
          source.next('b');
          source.next('c');
        },
      });
      expect(heard).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].map((next) => ({ next })));
    });

    it('takes the end after the inputs that came before it', () => {
      const heard = conversation({
        a1(source) {
          source.next('b');
          source.complete();
        },
      });
      expect(heard).toEqual([...['a1', 'a2', 'b1', 'b2', 'seen ab'].map((next) => ({ next })), 'complete']);
    });

    it('takes the failure after the inputs that came before it', () => {
      const heard = conversation({
        a1(source) {
          source.next('b');
          source.error(wire);
        },
      });
      const error = { name: 'Error', message: 'wire' };
      expect(heard).toEqual([...['a1', 'a2', 'b1', 'b2'].map((next) => ({ next })), { error }]);
    });

    it('drops what waits when the stage throws', () => {
      const heard = conversation({
        a1(source) {
          source.next('!');
          source.next('b');
          source.complete();
        },
      });
      const error = { name: 'Error', message: 'Cannot double a!' };
      expect(heard).toEqual([...['a1', 'a2', '!1'].map((next) => ({ next })), { error }]);
    });

    it('says the same for a source that is fed from inside as for one that is not', () => {
      const letters = fc.array(fc.constantFrom('a', 'b', 'c', '!'), { maxLength: 8 });
      fc.assert(
        fc.property(letters, fc.array(fc.nat(3), { minLength: 16, maxLength: 16 }), (inputs, appetites) => {
          const source = new Subject<string>();
          const waiting = [...inputs];
          const feed = (count: number): void => {
            for (const input of waiting.splice(0, count)) source.next(input);
          };
          const fed = new Observable((subscriber) => {
            source.pipe(fromStage(doubling)).subscribe({
              next(value) {
                subscriber.next(value);
                feed(appetites.pop() ?? 0);
              },
              error(error: unknown) {
                subscriber.error(error);
              },
              complete() {
                subscriber.complete();
              },
            });
            while (waiting.length > 0) feed(1);
            source.complete();
          });
          expect(outcomeOf(fed)).toEqual(outcomeOf(from(inputs).pipe(fromStage(doubling))));
        }),
      );
    });

    it('takes them in a loop: 200,000 of them need no more stack than one', () => {
      const source = new Subject<number>();
      let received = 0;
      let deepest = 0;
      let depth = 0;
      const counting = (): Stage<number, number> => ({
        push(input, emit) {
          depth += 1;
          deepest = Math.max(deepest, depth);
          emit(input);
          depth -= 1;
        },
        end() {},
      });
      source.pipe(fromStage(counting)).subscribe((count) => {
        received = count;
        if (count < 200_000) source.next(count + 1);
      });
      source.next(1);
      expect(received).toBe(200_000);
      expect(deepest).toBe(1);
    });
  });

  describe('6. a synchronous source stops when the consumer has enough', () => {
    it.each([1, 2, 3, 7])('produces no more than the consumer took: %i', (count) => {
      let produced = 0;
      const source = new Observable<string>((subscriber) => {
        while (!subscriber.closed && produced < 1000) {
          produced += 1;
          subscriber.next('a');
        }
      });
      source
        .pipe(
          fromStage(() => listening([])),
          take(count),
        )
        .subscribe();
      expect(produced).toBe(count);
    });
  });

  describe("7. a throw of the consumer's own next is reported by RxJS, later", () => {
    it('does not reach the stage, which goes on', () => {
      const calls: string[] = [];
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      jest.useFakeTimers();
      try {
        of('a', 'b')
          .pipe(fromStage(() => listening(calls)))
          .subscribe(() => {
            throw wire;
          });
        expect(unhandled).toEqual([]);
        jest.runAllTimers();
      } finally {
        jest.useRealTimers();
        config.onUnhandledError = null;
      }
      expect(calls).toEqual(['push a', 'push b', 'end']);
      expect(unhandled).toEqual([wire, wire]);
    });
  });

  it('is silent as long as its source is, and keeps no subscription after it was left', () => {
    const source = new Subject<string>();
    const subscription = concat(source, NEVER).pipe(fromStage(doubling)).subscribe();
    expect(source.observed).toBe(true);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
  });
});
