import { ModelStreamError, parseSSE, type SseOutput } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describeOperatorContract('parseSSE', {
  create: () => parseSSE({ maxFrameBytes: 20 }),
  inputs: [encode('data: 1\n\ndata: 2\n\nda'), encode('ta: 3\n'), encode('\nid: 4\n\ndata: 5')],
  failing: {
    inputs: [encode('data: 1\n\n'), encode('data: 2\n\ndata: '), encode('123456789012345')],
    error: new ModelStreamError('too-large', 'Cannot buffer line: it exceeds 20 bytes'),
  },
});

describe('parseSSE()', () => {
  const chunks = {
    a: encode('data: 1\n\nda'),
    b: encode('ta: 2\n'),
    c: encode('\n'),
    d: encode('id: 7\ndata: 3\n'),
  };
  const frames: Record<string, SseOutput> = {
    x: { type: 'sse', data: '1' },
    y: { type: 'sse', data: '2' },
    z: { type: 'sse', data: '3', lastEventId: '7', incomplete: true },
  };

  it(
    'emits an event with the chunk that completes it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a-----b--c--|', chunks);
      const subscription = ' ^-------------!';
      const result = '       --x--------y--|';
      expectObservable(source.pipe(parseSSE())).toBe(result, frames);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'emits an event that was cut off when the body ends',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--c--d--|   ', chunks);
      const result = '     --x-----y-----(z|)';
      expectObservable(source.pipe(parseSSE())).toBe(result, frames);
    }),
  );

  it(
    'drops it with flush: false',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--c--d--|', chunks);
      const result = '     --x-----y-----|';
      expectObservable(source.pipe(parseSSE({ flush: false }))).toBe(result, frames);
    }),
  );

  it(
    'flushes nothing when its source fails',
    marbles(({ cold, expectObservable }) => {
      const lost = new ModelStreamError('network', 'Connection lost');
      const source = cold('--a--b--c--d--#', chunks, lost);
      const result = '     --x-----y-----#';
      expectObservable(source.pipe(parseSSE())).toBe(result, frames, lost);
    }),
  );

  it(
    'emits what was whole before a line that exceeds maxFrameBytes, then fails',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a-----b---', { a: encode('data: 1\n\ndata: 12'), b: encode('34') });
      const subscription = ' ^-------!   ';
      const result = '       --x-----#   ';
      const error = new ModelStreamError('too-large', 'Cannot buffer line: it exceeds 9 bytes');
      expectObservable(source.pipe(parseSSE({ maxFrameBytes: 9 }))).toBe(result, frames, error);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'fails when the data of an event exceeds maxFrameBytes, although each of its lines is short',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--c-----', {
        a: encode('data: 1234\n'),
        b: encode('data: 56\n'),
        c: encode('data: 789\n'),
      });
      const result = '     --------#     ';
      const error = new ModelStreamError('too-large', 'Cannot buffer event: its data exceeds 10 UTF-16 units');
      expectObservable(source.pipe(parseSSE({ maxFrameBytes: 10 }))).toBe(result, frames, error);
    }),
  );

  it(
    'gives the events of a resumed body the id to begin with',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a-------d--|   ', { ...chunks, d: encode('ta: 2\n\nid: 7\ndata: 3') });
      const result = '     --x-------y--(z|)';
      expectObservable(source.pipe(parseSSE({ lastEventId: '6' }))).toBe(result, {
        ...frames,
        x: { type: 'sse', data: '1', lastEventId: '6' },
        y: { type: 'sse', data: '2', lastEventId: '6' },
      });
    }),
  );

  it.each([0, -1, NaN])('refuses maxFrameBytes %p when it is called', (maxFrameBytes) => {
    expect(() => parseSSE({ maxFrameBytes })).toThrow(RangeError);
  });
});
