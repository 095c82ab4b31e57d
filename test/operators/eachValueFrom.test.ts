import { concat, defer, finalize, mergeMap, NEVER, of, Subject, tap, throwError, type Observable } from 'rxjs';
import { eachValueFrom } from 'rx-model-stream';
import { pulledLetters } from '../support/pulledLetters';

async function valuesOf<T>(source: Observable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of eachValueFrom(source)) values.push(value);
  return values;
}

describe('eachValueFrom()', () => {
  it('gives every value, then ends', async () => {
    expect(await valuesOf(of('a', 'b'))).toEqual(['a', 'b']);
    expect(await valuesOf(of())).toEqual([]);
    expect(await valuesOf(pulledLetters('ab').letters)).toEqual(['a', 'b']);
  });

  it('subscribes at the first step', async () => {
    const { said, letters } = pulledLetters('a');
    const values = eachValueFrom(letters);
    expect(said).toEqual([]);
    await values.next();
    expect(said).toEqual(['read a']);
    await values.return?.();
  });

  it('lets the source read on when the body is done', async () => {
    const { said, letters } = pulledLetters('ab');
    for await (const value of eachValueFrom(letters)) {
      await new Promise(setImmediate);
      said.push(`done ${value}`);
    }
    expect(said).toEqual(['read a', 'done a', 'read b', 'done b', 'read end', 'left']);
  });

  it('lets the source read on when the body is done with all values of a chunk', async () => {
    const { said, letters } = pulledLetters('ab');
    const source = letters.pipe(mergeMap((letter) => [letter, letter.toUpperCase()]));
    for await (const value of eachValueFrom(source)) {
      await new Promise(setImmediate);
      said.push(`done ${value}`);
    }
    expect(said).toEqual(['read a', 'done a', 'done A', 'read b', 'done b', 'done B', 'read end', 'left']);
  });

  it('keeps what a source pushes meanwhile', async () => {
    const source = new Subject<string>();
    const values = eachValueFrom(source);
    const first = values.next();
    for (const value of ['a', 'b', 'c']) source.next(value);
    source.complete();
    expect(await first).toEqual({ done: false, value: 'a' });
    expect([await values.next(), await values.next()]).toEqual([
      { done: false, value: 'b' },
      { done: false, value: 'c' },
    ]);
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(await values.next()).toEqual({ done: true, value: undefined });
  });

  it('answers steps that are asked for at the same time in order', async () => {
    const values = eachValueFrom(pulledLetters('ab').letters);
    const steps = await Promise.all([values.next(), values.next(), values.next()]);
    expect(steps.map(({ value }) => value)).toEqual(['a', 'b', undefined]);
  });

  it('gives everything that came before a failure, then throws it', async () => {
    const failure = new Error('wire');
    const seen: string[] = [];
    const loop = async (): Promise<void> => {
      for await (const value of eachValueFrom(
        concat(
          of('a', 'b'),
          throwError(() => failure),
        ),
      ))
        seen.push(value);
    };
    await expect(loop()).rejects.toBe(failure);
    expect(seen).toEqual(['a', 'b']);
  });

  describe('leaves the source', () => {
    it('on break', async () => {
      const { said, letters } = pulledLetters('abc');
      for await (const value of eachValueFrom(letters)) if (value === 'b') break;
      expect(said).toEqual(['read a', 'read b', 'left']);
    });

    it('on a throw of the body', async () => {
      const { said, letters } = pulledLetters('abc');
      const loop = async (): Promise<void> => {
        for await (const value of eachValueFrom(letters)) throw new Error(`bad ${value}`);
      };
      await expect(loop()).rejects.toThrow('bad a');
      expect(said).toEqual(['read a', 'left']);
    });

    it('while a step is pending, which then finds the end', async () => {
      let isLeft = false;
      const values = eachValueFrom(NEVER.pipe(finalize(() => (isLeft = true))));
      const step = values.next();
      expect(await values.return?.()).toEqual({ done: true, value: undefined });
      expect(isLeft).toBe(true);
      expect(await step).toEqual({ done: true, value: undefined });
    });

    it('inside a synchronous emission', async () => {
      const said: string[] = [];
      const source = defer(() => concat(of('a', 'b'), NEVER)).pipe(
        tap((value) => {
          said.push(value);
          void values.return?.();
        }),
        finalize(() => said.push('left')),
      );
      const values = eachValueFrom(source);
      expect(await values.next()).toEqual({ done: true, value: undefined });
      expect(said).toEqual(['a', 'left']);
    });

    it('before the first step, and never subscribes', async () => {
      const { said, letters } = pulledLetters('a');
      const values = eachValueFrom(letters);
      await values.return?.();
      expect(await values.next()).toEqual({ done: true, value: undefined });
      expect(said).toEqual([]);
    });
  });
});
