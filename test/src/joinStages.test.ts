import fc from 'fast-check';
import { concat, from, of, take, throwError, type Observable, type OperatorFunction } from 'rxjs';
import { fromStage, joinStages, type Emit, type Stage } from 'rx-model-stream';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';

/** What a scripted stage does, one after another, when one of its methods is called. */
type Act = 'emit' | 'become done' | 'throw';

interface Script {
  /** For the first input, the second, and so on; more inputs are handed on. */
  readonly pushes: readonly (readonly Act[])[];
  readonly end: readonly Act[];
  /** Absent: the stage has no `fail`. */
  readonly fail?: readonly Act[];
}

/** A stage that does what its script says. What it says tells who said it, to what, and as which word of the answer. */
function scripted(name: string, { pushes, end, fail }: Script): Stage<string, string> {
  let pushed = 0;
  let done = false;

  function perform(acts: readonly Act[], heard: string, emit: Emit<string>): void {
    acts.forEach((act, place) => {
      const word = `${name}${place}(${heard})`;
      if (act === 'throw') throw new Error(word);
      if (act === 'become done') done = true;
      else emit(word);
    });
  }

  return {
    push(input, emit) {
      perform(pushes[pushed] ?? ['emit'], input, emit);
      pushed += 1;
    },
    end(emit) {
      perform(end, 'end', emit);
    },
    ...(fail && {
      fail(error, emit) {
        perform(fail, error instanceof Error ? error.message : 'unknown', emit);
      },
    }),
    get done() {
      return done;
    },
  };
}

const acts = fc.array(fc.constantFrom<Act>('emit', 'emit', 'emit', 'become done', 'throw'), { maxLength: 4 });
const script: fc.Arbitrary<Script> = fc.record(
  { pushes: fc.array(acts, { maxLength: 5 }), end: acts, fail: acts },
  { requiredKeys: ['pushes', 'end'] },
);

const wire = new Error('wire');

function sourceOf(count: number, fails: boolean): Observable<string> {
  const inputs = from(Array.from({ length: count }, (_, index) => String(index)));
  return fails
    ? concat(
        inputs,
        throwError(() => wire),
      )
    : inputs;
}

function joined(first: Script, second: Script): OperatorFunction<string, string> {
  return fromStage(() => joinStages(scripted('a', first), scripted('b', second)));
}

function piped(first: Script, second: Script): OperatorFunction<string, string> {
  return (source) =>
    source.pipe(
      fromStage(() => scripted('a', first)),
      fromStage(() => scripted('b', second)),
    );
}

const passing: Script = { pushes: [], end: [] };

describeOperatorContract('joinStages', {
  create: () =>
    joined(
      { pushes: [['emit', 'emit']], end: ['emit'] },
      { pushes: [['emit'], ['emit', 'emit'], ['emit'], ['throw']], end: ['emit'] },
    ),
  inputs: ['x', 'y'],
  empty: { marble: '(xy|)', values: { x: 'b0(a0(end))', y: 'b0(end)' } },
  failing: { inputs: ['x', 'y', 'z'], error: new Error('b0(a0(z))') },
});

describe('joinStages()', () => {
  it('1. says the same as two operators, errors included', () => {
    fc.assert(
      fc.property(script, script, fc.nat(5), fc.boolean(), (first, second, count, fails) => {
        const source = sourceOf(count, fails);
        expect(outcomeOf(source.pipe(joined(first, second)))).toEqual(outcomeOf(source.pipe(piped(first, second))));
      }),
      { numRuns: 2000 },
    );
  });

  it('1. says the same as two operators to a consumer that leaves', () => {
    fc.assert(
      fc.property(script, script, fc.nat(5), fc.boolean(), fc.nat(6), (first, second, count, fails, enough) => {
        const source = sourceOf(count, fails);
        expect(outcomeOf(source.pipe(joined(first, second), take(enough)))).toEqual(
          outcomeOf(source.pipe(piped(first, second), take(enough))),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('1. joins three as well as two, whichever two are joined first', () => {
    fc.assert(
      fc.property(script, script, script, fc.nat(4), fc.boolean(), (first, second, third, count, fails) => {
        const [a, b, c] = [
          () => scripted('a', first),
          () => scripted('b', second),
          () => scripted('c', third),
        ] as const;
        const source = sourceOf(count, fails);
        const apart = outcomeOf(source.pipe(fromStage(a), fromStage(b), fromStage(c)));
        expect(outcomeOf(source.pipe(fromStage(() => joinStages(joinStages(a(), b()), c()))))).toEqual(apart);
        expect(outcomeOf(source.pipe(fromStage(() => joinStages(a(), joinStages(b(), c())))))).toEqual(apart);
      }),
      { numRuns: 1000 },
    );
  });

  it('2. gives a throw of the first to the second as the failure of the source', () => {
    const first: Script = { pushes: [['emit', 'throw']], end: [] };
    const second: Script = { ...passing, fail: ['emit', 'throw'] };
    expect(outcomeOf(of('x').pipe(joined(first, second)))).toEqual([
      { next: 'b0(a0(x))' },
      { next: 'b0(a1(x))' },
      { error: { name: 'Error', message: 'b1(a1(x))' } },
    ]);
  });

  it('2. completes when the second takes the throw of the first as an end', () => {
    const first: Script = { pushes: [['throw']], end: [] };
    const second: Script = { ...passing, fail: ['emit'] };
    expect(outcomeOf(of('x', 'y').pipe(joined(first, second)))).toEqual([{ next: 'b0(a0(x))' }, 'complete']);
  });

  it('3. does not take a throw of the second for a failure of the first', () => {
    const first: Script = { pushes: [['emit', 'emit']], end: ['emit'], fail: ['emit'] };
    const second: Script = { pushes: [['throw']], end: ['emit'], fail: ['emit'] };
    expect(outcomeOf(of('x').pipe(joined(first, second)))).toEqual([
      { error: { name: 'Error', message: 'b0(a0(x))' } },
    ]);
  });

  it('3. lets the first finish its input after the second has thrown', () => {
    const finished: string[] = [];
    const first: Stage<string, string> = {
      push(input, emit) {
        emit(input);
        emit(input);
        finished.push(input);
      },
      end() {},
    };
    const second = (): Stage<string, string> => scripted('b', { pushes: [['throw']], end: [] });
    outcomeOf(of('x', 'y').pipe(fromStage(() => joinStages(first, second()))));
    expect(finished).toEqual(['x']);
  });

  it('ends the second when the first is done, and leaves the source', () => {
    const first: Script = { pushes: [['emit', 'become done']], end: ['emit'] };
    const second: Script = { pushes: [], end: ['emit'] };
    expect(outcomeOf(of('x', 'y').pipe(joined(first, second)))).toEqual([
      { next: 'b0(a0(x))' },
      { next: 'b0(end)' },
      'complete',
    ]);
  });

  it('completes when the second is done, whatever the first still has to say', () => {
    const first: Script = { pushes: [['emit', 'emit', 'throw']], end: ['emit'] };
    const second: Script = { pushes: [['emit', 'become done']], end: ['emit'] };
    expect(outcomeOf(of('x', 'y').pipe(joined(first, second)))).toEqual([{ next: 'b0(a0(x))' }, 'complete']);
  });
});
