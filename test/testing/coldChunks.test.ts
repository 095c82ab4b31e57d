import { asyncScheduler, map } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { ModelStreamError, parseSSE } from 'rx-model-stream';
import { coldChunks, sliceBytes, type ColdChunksOptions } from 'rx-model-stream/testing';
import { marbles } from '../support/marbles';

const [a, b, c] = sliceBytes('abc', 1);
const lost = new ModelStreamError('network', 'Cannot read the body: the connection failed', { retryable: true });

describe('coldChunks()', () => {
  it(
    'gives a chunk a millisecond and then the end, unless told otherwise',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const chunks = coldChunks(cold, sliceBytes('abc', 1));
      const subscription = '^--!';
      const result = '      abc|';
      expectObservable(chunks).toBe(result, { a, b, c });
      expectSubscriptions(chunks.subscriptions).toBe(subscription);
    }),
  );

  it(
    'gives the n-th chunk at n times the pace, and the end one step after the last',
    marbles(({ cold, expectObservable }) => {
      expectObservable(coldChunks(cold, sliceBytes('abc', 1), { every: 3 })).toBe('a--b--c--|', { a, b, c });
      expectObservable(coldChunks(cold, [], { every: 3 })).toBe('|');
    }),
  );

  it.each<[string, ColdChunksOptions, string, unknown]>([
    ['stays open', { end: 'never' }, 'abc-', undefined],
    ['fails with a connection that is lost', { end: 'error' }, 'abc#', lost],
    [
      'fails with what it is given',
      { end: 'error', error: new TypeError('terminated') },
      'abc#',
      new TypeError('terminated'),
    ],
  ])('%s, when told so', (_what, options, result, error) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(coldChunks(cold, sliceBytes('abc', 1), options)).toBe(result, { a, b, c }, error);
    })();
  });

  it('1. gives each chunk a moment of its own, however many there are', () => {
    const bytes = new Uint8Array(3000).map((_, index) => index % 251);
    const heard: number[] = [];
    const moments: number[] = [];
    new TestScheduler(() => true).run(({ cold }) => {
      coldChunks(cold, sliceBytes(bytes, 1)).subscribe((chunk) => {
        heard.push(...chunk);
        moments.push(asyncScheduler.now());
      });
    });
    expect(heard).toEqual([...bytes]);
    expect(moments).toEqual([...bytes.keys()]);
  });

  it(
    'gives frames at the moment in which they are whole',
    marbles(({ cold, expectObservable }) => {
      const bytes = coldChunks(cold, sliceBytes('data: 1\n\ndata: 2\n\n', [9, 4]), { every: 4 });
      const data = bytes.pipe(
        parseSSE(),
        map((frame) => (frame.type === 'sse' ? frame.data : frame.type)),
      );
      expectObservable(data).toBe('1-------2---|');
    }),
  );

  it.each([0, -1, 1.5, NaN])('throws a RangeError when every is %s', (every) => {
    marbles(({ cold }) => {
      const message = `Cannot use every ${every}: expected a whole number of milliseconds from 1`;
      expect(() => coldChunks(cold, [], { every })).toThrow(new RangeError(message));
    })();
  });
});
