import { ModelStreamError, parseNdjson, type JsonFrame } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): JsonFrame => ({ type: 'json', value });

describeOperatorContract('parseNdjson', {
  create: () => parseNdjson({ maxFrameBytes: 12 }),
  inputs: [encode('{"a":1}\n{"a"'), encode(':2}\r\n\nBad '), encode('gateway\n3')],
  failing: {
    inputs: [encode('1\n'), encode('2\n"12345'), encode('678901"\n')],
    error: new ModelStreamError('too-large', 'Cannot buffer line: it exceeds 12 bytes'),
  },
});

describe('parseNdjson()', () => {
  const chunks = { a: encode('{"n":1}\n{"n'), b: encode('":2}\n'), c: encode('3') };
  const frames = { x: json({ n: 1 }), y: json({ n: 2 }), z: json(3) };

  it(
    'emits a line with its end, and the last one when the body ends',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a-----b--c--|   ', chunks);
      const subscription = ' ^-------------!   ';
      const result = '       --x-----y-----(z|)';
      expectObservable(source.pipe(parseNdjson())).toBe(result, frames);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'gives a line that is not JSON as a stray frame and reads on',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a----|   ', { a: encode('Bad gateway\n1\n') });
      const result = '     --(sx)-|';
      const values = { s: { type: 'stray', text: 'Bad gateway' }, x: json(1) } as const;
      expectObservable(source.pipe(parseNdjson())).toBe(result, values);
    }),
  );

  it(
    'is truncated when the last line has no end and is not JSON',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--|', chunks);
      const result = '     --x--#';
      const message = 'Cannot read the last line: the body ends inside it';
      const error = new ModelStreamError('truncated', message, { retryable: true });
      expectObservable(source.pipe(parseNdjson())).toBe(result, frames, error);
    }),
  );

  it(
    'flushes nothing when its source fails',
    marbles(({ cold, expectObservable }) => {
      const lost = new ModelStreamError('network', 'Connection lost');
      const source = cold('--a--b--c--#', chunks, lost);
      const result = '     --x--y-----#';
      expectObservable(source.pipe(parseNdjson())).toBe(result, frames, lost);
    }),
  );

  it(
    'emits the lines before one that exceeds maxFrameBytes, then fails and leaves the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a--b---', { a: encode('1\n"12'), b: encode('345"') });
      const subscription = ' ^----!   ';
      const result = '       --x--#   ';
      const error = new ModelStreamError('too-large', 'Cannot buffer line: it exceeds 6 bytes');
      expectObservable(source.pipe(parseNdjson({ maxFrameBytes: 6 }))).toBe(result, { x: json(1) }, error);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it.each([0, -1, NaN])('refuses maxFrameBytes %p when it is called', (maxFrameBytes) => {
    expect(() => parseNdjson({ maxFrameBytes })).toThrow(RangeError);
  });
});
