import { concat, finalize, mergeMap, NEVER, of, tap, throwError, type Observable } from 'rxjs';
import { toReadableStream } from 'rx-model-stream';
import { pulledLetters } from '../support/pulledLetters';

async function valuesOf<T>(stream: ReadableStream<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

describe('toReadableStream()', () => {
  it('gives every value, then closes', async () => {
    expect(await valuesOf(toReadableStream(of('a', 'b')))).toEqual(['a', 'b']);
    expect(await valuesOf(toReadableStream(pulledLetters('ab').letters))).toEqual(['a', 'b']);
    expect(await valuesOf(toReadableStream(of()))).toEqual([]);
  });

  it('is a body where its values are bytes', async () => {
    const bytes = of('data: a\n\n', 'data: b\n\n').pipe(mergeMap((text) => [new TextEncoder().encode(text)]));
    expect(await new Response(toReadableStream(bytes)).text()).toBe('data: a\n\ndata: b\n\n');
  });

  it('subscribes at the first read, and reads nothing ahead', async () => {
    const { said, letters } = pulledLetters('ab');
    const reader = toReadableStream(letters).getReader();
    await new Promise(setImmediate);
    expect(said).toEqual([]);
    expect(await reader.read()).toEqual({ done: false, value: 'a' });
    await new Promise(setImmediate);
    expect(said).toEqual(['read a']);
    expect(await reader.read()).toEqual({ done: false, value: 'b' });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(said).toEqual(['read a', 'read b', 'read end', 'left']);
  });

  it('lets the source read on when all values of a chunk were taken and the next is asked for', async () => {
    const { said, letters } = pulledLetters('ab');
    const stream = toReadableStream(letters.pipe(mergeMap((letter) => [letter, letter.toUpperCase()])));
    for await (const value of stream) {
      await new Promise(setImmediate);
      said.push(`took ${value}`);
    }
    expect(said).toEqual(['read a', 'took a', 'took A', 'read b', 'took b', 'took B', 'read end', 'left']);
  });

  it('is read to the last value before it fails', async () => {
    const failure = new Error('wire');
    const reader = toReadableStream(
      concat(
        of('a', 'b'),
        throwError(() => failure),
      ),
    ).getReader();
    expect([await reader.read(), await reader.read()].map(({ value }) => value)).toEqual(['a', 'b']);
    await expect(reader.read()).rejects.toBe(failure);
    await expect(reader.closed).rejects.toBe(failure);
  });

  describe('leaves the source', () => {
    it('when it is cancelled between two reads', async () => {
      const { said, letters } = pulledLetters('abc');
      const reader = toReadableStream(letters).getReader();
      await reader.read();
      await reader.cancel();
      expect(said).toEqual(['read a', 'left']);
    });

    it('when it is cancelled while a read is pending', async () => {
      let isLeft = false;
      const reader = toReadableStream(NEVER.pipe(finalize(() => (isLeft = true)))).getReader();
      const read = reader.read();
      await new Promise(setImmediate);
      await reader.cancel();
      expect(isLeft).toBe(true);
      expect(await read).toEqual({ done: true, value: undefined });
    });

    it('when it is cancelled inside a synchronous emission', async () => {
      const said: string[] = [];
      const source: Observable<string> = concat(of('a', 'b'), NEVER).pipe(
        tap((value) => {
          said.push(value);
          void reader.cancel();
        }),
        finalize(() => said.push('left')),
      );
      const reader = toReadableStream(source).getReader();
      expect(await reader.read()).toEqual({ done: true, value: undefined });
      expect(said).toEqual(['a', 'left']);
    });

    it('when it is cancelled before the first read, and never subscribes', async () => {
      const { said, letters } = pulledLetters('a');
      await toReadableStream(letters).cancel();
      expect(said).toEqual([]);
    });
  });
});
