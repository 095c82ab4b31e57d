import { ModelStreamError, parseJsonArray, type JsonFrame } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): JsonFrame => ({ type: 'json', value });

const CUT = new ModelStreamError('truncated', 'Cannot read array: the body ends before it does', { retryable: true });

describeOperatorContract('parseJsonArray', {
  create: () => parseJsonArray({ maxFrameBytes: 12 }),
  inputs: [encode('[{"a":1},{"a"'), encode(':2},3'), encode('4,5] {}')],
  empty: { marble: '#', error: CUT },
  failing: {
    inputs: [encode('[1,2'), encode(',"12345'), encode('678901"')],
    error: new ModelStreamError('too-large', 'Cannot buffer element: it exceeds 12 bytes'),
  },
});

describe('parseJsonArray()', () => {
  const chunks = { a: encode('[{"n":1},{"n'), b: encode('":2},3'), c: encode(']') };
  const frames = { x: json({ n: 1 }), y: json({ n: 2 }), z: json(3) };

  it(
    'emits an object with its last byte and a number with the byte after it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a-----b--c--|', chunks);
      const subscription = ' ^-------------!';
      const result = '       --x-----y--z--|';
      expectObservable(source.pipe(parseJsonArray())).toBe(result, frames);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'emits arrays, strings and literals, each when it is whole',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--c--d--e|', {
        a: encode('[["'),
        b: encode(']"]'),
        c: encode(' , "'),
        d: encode('\\"", true'),
        e: encode('\n]\n'),
      });
      const result = '     -----x-----y--z|';
      expectObservable(source.pipe(parseJsonArray())).toBe(result, { x: json([']']), y: json('"'), z: json(true) });
    }),
  );

  it(
    'is truncated when the body ends inside the array, after the elements before',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--|', chunks);
      const result = '     --x--y--#';
      expectObservable(source.pipe(parseJsonArray())).toBe(result, frames, CUT);
    }),
  );

  it(
    'gives a body that is no array as a stray frame when it ends, then fails',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--|   ', { a: encode('{"error":'), b: encode('"Overloaded"}') });
      const result = '     --------(s#)';
      const error = new ModelStreamError('malformed', 'Cannot read array: the body does not begin with one');
      const values = { s: { type: 'stray', text: '{"error":"Overloaded"}' } } as const;
      expectObservable(source.pipe(parseJsonArray())).toBe(result, values, error);
    }),
  );

  it(
    'gives text behind the array as a stray frame when the body ends, then fails',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--|   ', { a: encode('[1] {"error":'), b: encode('"Overloaded"}') });
      const result = '     --x-----(s#)';
      const error = new ModelStreamError('malformed', 'Cannot read array: there is text behind it');
      const values = { x: json(1), s: { type: 'stray', text: '{"error":"Overloaded"}' } } as const;
      expectObservable(source.pipe(parseJsonArray())).toBe(result, values, error);
    }),
  );

  it(
    'leaves the source at an element that is not JSON, after the elements before it in the same chunk',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a---', { a: encode('[1,nope,2]') });
      const subscription = ' ^-!   ';
      const result = '       --(x#)';
      const error = new ModelStreamError('malformed', 'Cannot read array: its element 1 is not JSON');
      expectObservable(source.pipe(parseJsonArray())).toBe(result, { x: json(1) }, error);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'flushes nothing when its source fails',
    marbles(({ cold, expectObservable }) => {
      const lost = new ModelStreamError('network', 'Connection lost');
      const source = cold('--a--b--#', { a: encode('[1] {"error"'), b: encode(':1}') }, lost);
      const result = '     --x-----#';
      expectObservable(source.pipe(parseJsonArray())).toBe(result, { x: json(1) }, lost);
    }),
  );

  it.each([0, -1, NaN])('refuses the bound %p when it is called', (bound) => {
    expect(() => parseJsonArray({ maxFrameBytes: bound })).toThrow(RangeError);
    expect(() => parseJsonArray({ maxDepth: bound })).toThrow(RangeError);
  });
});
