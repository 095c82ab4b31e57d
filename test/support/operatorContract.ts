import { concat, from, mergeMap, NEVER, Observable, of, Subject, take, type OperatorFunction } from 'rxjs';
import { asData, marbles } from './marbles';
import { outcomeOf } from './outcome';

/** What the suite has to know of an operator. */
export interface OperatorContract<In, Out> {
  readonly create: () => OperatorFunction<In, Out>;
  /** The first one gives an output at once; it leaves something unfinished where the operator can have such. */
  readonly inputs: readonly [In, ...In[]];
  /** What comes when a source completes without a value, as a marble of one moment. Default `|`. */
  readonly empty?: { readonly marble: string; readonly values?: Readonly<Record<string, unknown>>; error?: unknown };
  /** Whether it fails some time after what is drawn, when its source says nothing. Default `false`. */
  readonly isImpatient?: boolean;
  /** Inputs of which the last one must fail; absent where no input can. */
  readonly failing?: { readonly inputs: readonly [In, ...In[]]; readonly error: unknown };
}

/** What every operator owes its caller. */
export function describeOperatorContract<In, Out>(
  name: string,
  { create, inputs, empty = { marble: '|' }, isImpatient = false, failing }: OperatorContract<In, Out>,
): void {
  const wire = new Error('wire');

  describe(`${name}() keeps the operator contract`, () => {
    it(
      'stays silent while the source is silent',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold<In>('  ------');
        const subscription = isImpatient ? '^-----!' : '^-----';
        const result = '           ------';
        expectObservable(source.pipe(create()), subscription).toBe(result);
        expectSubscriptions(source.subscriptions).toBe(subscription);
      }),
    );

    it(
      'says what is owed when an empty source completes',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold<In>('  ---|');
        const subscription = '     ^--!';
        const result = `           ---${empty.marble}`;
        expectObservable(source.pipe(create())).toBe(result, empty.values, empty.error);
        expectSubscriptions(source.subscriptions).toBe(subscription);
      }),
    );

    it(
      'forwards the error of its source unchanged',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold<In>('  ---#', undefined, wire);
        const subscription = '     ^--!';
        const result = '           ---#';
        expectObservable(source.pipe(create())).toBe(result, undefined, wire);
        expectSubscriptions(source.subscriptions).toBe(subscription);
      }),
    );

    it(
      'leaves the source when the consumer leaves, in the middle of a chain too',
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold<In>('  ------');
        const subscription = '     ^--!  ';
        const result = '           ------';
        const chain = source.pipe(
          mergeMap((value) => of(value)),
          create(),
          mergeMap((value) => of(value)),
        );
        expectObservable(chain, subscription).toBe(result);
        expectSubscriptions(source.subscriptions).toBe(subscription);
      }),
    );

    it('stops a synchronous source as soon as the consumer has enough', () => {
      let produced = 0;
      const source = new Observable<In>((subscriber) => {
        while (!subscriber.closed && produced < 10) {
          produced += 1;
          subscriber.next(inputs[0]);
        }
      });
      expect(outcomeOf(source.pipe(create(), take(1)))).toHaveLength(2);
      expect(produced).toBe(1);
    });

    it('gives every subscription its own state', () => {
      const operator = create();
      const alone = asData(outcomeOf(from(inputs).pipe(operator)));
      const open = concat(of(inputs[0]), NEVER).pipe(operator).subscribe();
      expect(asData(outcomeOf(from(inputs).pipe(operator)))).toEqual(alone);
      open.unsubscribe();
    });

    it('keeps the order when its consumer feeds the source', () => {
      const source = new Subject<In>();
      const waiting = [...inputs];
      function feed(): void {
        const [input] = waiting.splice(0, 1);
        if (input !== undefined) source.next(input);
      }
      const fed = new Observable<Out>((subscriber) => {
        source.pipe(create()).subscribe({
          next(output) {
            subscriber.next(output);
            feed();
          },
          error(error: unknown) {
            subscriber.error(error);
          },
          complete() {
            subscriber.complete();
          },
        });
        while (waiting.length > 0) feed();
        source.complete();
      });
      expect(asData(outcomeOf(fed))).toEqual(asData(outcomeOf(from(inputs).pipe(create()))));
    });

    if (failing) {
      it('reports an input that must fail once, on the error channel, after it has left the source', () => {
        const heard: unknown[] = [];
        const source = new Subject<In>();
        const watched = new Observable<In>((subscriber) => {
          subscriber.add(source.subscribe(subscriber));
          return () => heard.push('left');
        });
        watched.pipe(create()).subscribe({
          error: (error: unknown) => heard.push({ error }),
          complete: () => heard.push('complete'),
        });
        for (const input of [...failing.inputs, ...failing.inputs]) source.next(input);
        source.complete();
        expect(asData(heard)).toEqual(['left', { error: asData(failing.error) }]);
      });
    }
  });
}
