import { concat, NEVER, of, take } from 'rxjs';
import {
  anthropic,
  firstTokenWithin,
  isContentOf,
  ModelStreamError,
  type Frame,
  type ModelEvent,
} from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';
import { timedReads, worked } from '../support/timedReads';

function unansweredFor(ms: number): ModelStreamError {
  const message = `Cannot wait for the answer: no content came within ${ms} ms`;
  return new ModelStreamError('timeout', message, { retryable: true });
}

const events: Record<string, ModelEvent> = {
  s: { type: 'response-start', provider: 'demo' },
  b: { type: 'block-start', index: 0, block: { kind: 'text', text: '' } },
  a: { type: 'text-delta', index: 0, text: 'a' },
  u: { type: 'usage', usage: {} },
  r: { type: 'raw', provider: 'demo', event: 1 },
  R: { type: 'restart', attempt: 1, cause: unansweredFor(1) },
  f: { type: 'finish', reason: 'stop' },
};

describeOperatorContract<ModelEvent, ModelEvent>('firstTokenWithin', {
  create: () => firstTokenWithin(60_000),
  inputs: [events['s']!, events['u']!, events['a']!, events['f']!],
  isImpatient: true,
});

const noOpinion = new Error('No opinion');

describeOperatorContract<string, string>('firstTokenWithin of values of my own', {
  create: () =>
    firstTokenWithin<string>(60_000, {
      counts(value) {
        if (value === 'bad') throw noOpinion;
        return false;
      },
    }),
  inputs: ['a', 'b'],
  isImpatient: true,
  failing: { inputs: ['a', 'bad'], error: noOpinion },
});

describe('firstTokenWithin()', () => {
  it(
    '1. fails when no content comes in time, whatever else does, after it has left the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-u-r-r-r-r-', events);
      const subscription = ' ^---------!  ';
      const result = '       -s-u-r-r-r#  ';
      expectObservable(source.pipe(firstTokenWithin(10))).toBe(result, events, unansweredFor(10));
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '2. is out of the way once content has come, and leaves no timer',
    marbles(({ cold, expectObservable }) => {
      for (const first of ['a', 'b']) {
        const source = cold(`-s------${first} 99ms a 99ms |`, events);
        const result = `     -s------${first} 99ms a 99ms |`;
        expectObservable(source.pipe(firstTokenWithin(10))).toBe(result, events);
      }
    }),
  );

  it(
    '2. is out of the way after an ending without content',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-f 99ms |', events);
      const result = '     -s-f 99ms |';
      expectObservable(source.pipe(firstTokenWithin(10))).toBe(result, events);
    }),
  );

  it(
    '3. counts only while the source may read',
    marbles(({ expectObservable }) => {
      const reads = [
        { readMs: 3, workMs: 50, value: events['s']! },
        { readMs: 3, workMs: 50, value: events['u']! },
        { readMs: 9, workMs: 0, value: events['a']! },
      ];
      const answer = (ms: number) => worked(timedReads(reads).pipe(firstTokenWithin(ms)), reads);
      expectObservable(answer(14)).toBe('53ms s 52ms u 7ms #', events, unansweredFor(14));
      expectObservable(answer(16)).toBe('53ms s 52ms u 8ms a', events);
    }),
  );

  it(
    '4. begins anew with a restart',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-a-----R---s---------', events);
      const result = '     -s-a-----R---s-----#   ';
      expectObservable(source.pipe(firstTokenWithin(10))).toBe(result, events, unansweredFor(10));
    }),
  );

  it(
    '4. begins anew with a restart before content, too',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-----R---s------a---|', events);
      const result = '     -s-----R---s------a---|';
      expectObservable(source.pipe(firstTokenWithin(12))).toBe(result, events);
    }),
  );

  it(
    '4. begins anew with each further response of a session, not with what comes between two',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-a-f 99ms u 99ms s-----------', events);
      const result = '     -s-a-f 99ms u 99ms s---------# ';
      expectObservable(source.pipe(firstTokenWithin(10))).toBe(result, events, unansweredFor(10));
    }),
  );

  it(
    'waits on frames for what the provider calls content',
    marbles(({ cold, expectObservable }) => {
      const frames: Record<string, Frame> = {
        s: { type: 'json', value: { type: 'message_start', message: {} } },
        p: { type: 'sse', data: '{"type":"ping"}' },
        a: { type: 'sse', data: '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}' },
      };
      const limit = firstTokenWithin(10, { counts: isContentOf(anthropic()) });
      expectObservable(cold('-s-p-p-p-p-p-p', frames).pipe(limit)).toBe('-s-p-p-p-p#', frames, unansweredFor(10));
      expectObservable(cold('-s-p-p-a 99ms |', frames).pipe(limit)).toBe('-s-p-p-a 99ms |', frames);
    }),
  );

  it('leaves no timer behind, however it ends', () => {
    jest.useFakeTimers();
    try {
      concat(of(events['s']!), NEVER).pipe(firstTokenWithin(1000)).subscribe().unsubscribe();
      expect(jest.getTimerCount()).toBe(0);
      outcomeOf(of(events['s']!).pipe(firstTokenWithin(1000)));
      expect(jest.getTimerCount()).toBe(0);
      outcomeOf(concat(of(events['s']!), NEVER).pipe(firstTokenWithin(1000), take(1)));
      expect(jest.getTimerCount()).toBe(0);
      const running = concat(of(events['a']!), NEVER).pipe(firstTokenWithin(1000)).subscribe();
      expect(jest.getTimerCount()).toBe(0);
      running.unsubscribe();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is no step at all without a limit', () => {
    const source = of(events['s']!);
    expect(firstTokenWithin(Infinity)(source)).toBe(source);
  });

  it.each([-1, NaN, 2 ** 31])('refuses to wait for %p milliseconds', (ms) => {
    expect(() => firstTokenWithin(ms)).toThrow(RangeError);
  });
});
