import fc from 'fast-check';
import { concat, EMPTY, from, tap, throwError, timer } from 'rxjs';
import { currentDemand, ModelStreamError, normalize, pullChunks, type Frame, type ModelEvent } from 'rx-model-stream';
import { asData, marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';
import { tiny, tinyFrame, type TinyTurn, type TinyWire } from '../support/tinyProvider';

const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
const restart: Frame = { type: 'restart', attempt: 1, cause: lost };

function truncated(responseId?: string): ModelStreamError {
  return new ModelStreamError('truncated', 'Stream ended before its terminal signal', {
    provider: 'tiny',
    responseId,
    retryable: true,
  });
}

const malformed = new ModelStreamError('malformed', 'Cannot read frame: its 5 characters are not JSON');

describeOperatorContract<Frame, ModelEvent<TinyTurn>>('normalize', {
  create: () => normalize(tiny()),
  inputs: [tinyFrame({ start: 'r1' }), tinyFrame({ say: 'a' }), tinyFrame({ say: 'b' }), tinyFrame('stop')],
  empty: { marble: '#', error: truncated() },
  failing: { inputs: [tinyFrame({ start: 'r1' }), { type: 'sse', data: 'words' }], error: malformed },
});

const frames: Record<string, Frame> = {
  s: tinyFrame({ start: 'r1' }),
  t: tinyFrame({ say: 'hi' }),
  e: tinyFrame({ reason: 'stop' }),
  p: tinyFrame('ping'),
  u: tinyFrame({ unheardOf: 1 }),
  f: tinyFrame({ fault: new ModelStreamError('provider', 'Overloaded') }),
  z: tinyFrame('stop'),
  r: restart,
  h: { type: 'hint', retryMs: 1000 },
};

const events: Record<string, ModelEvent<TinyTurn>> = {
  S: { type: 'response-start', provider: 'tiny', responseId: 'r1' },
  O: { type: 'block-start', index: 0, block: { kind: 'text', text: '' } },
  T: { type: 'text-delta', index: 0, text: 'hi' },
  C: { type: 'block-end', index: 0, block: { kind: 'text', text: 'hi' } },
  F: { type: 'finish', reason: 'stop', turn: { said: 'hi' } },
  N: { type: 'finish', reason: 'other', turn: { said: '' } },
  E: { type: 'raw', provider: 'tiny', event: { reason: 'stop' } },
  U: { type: 'raw', provider: 'tiny', event: { unheardOf: 1 } },
  B: { type: 'usage', usage: { outputTokens: 0 } },
  R: { type: 'restart', attempt: 1, cause: lost },
};

describe('normalize()', () => {
  it(
    '1. gives a response from response-start to finish',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-t---e-z-----|   ', frames);
      const subscription = ' ^--------------!   ';
      const result = '       -S-(OT)E-(CF)--|   ';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '2. only remembers a finish reason: a body that ends without the terminal signal is truncated',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-t---e--|', frames);
      const result = '     -S-(OT)E--#';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events, truncated('r1'));
    }),
  );

  it(
    '2. passes a failure after a finish reason, before the terminal signal, unchanged',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-t---e--#', frames, lost);
      const result = '     -S-(OT)E--#';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events, lost);
    }),
  );

  it(
    '2. takes the end of the body for the ending where the provider says that it may be',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-t---e--|   ', frames);
      const result = '     -S-(OT)E--(CF|)';
      expectObservable(source.pipe(normalize(tiny({ reasonMayEnd: true })))).toBe(result, events);
    }),
  );

  it(
    '2. does not take a failure of the body for an ending',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-t---e--#', frames, lost);
      const result = '     -S-(OT)E--#';
      expectObservable(source.pipe(normalize(tiny({ reasonMayEnd: true })))).toBe(result, events, lost);
    }),
  );

  it(
    '3. completes lingerMs after the terminal signal where the body stays open, and leaves it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-z---------', frames);
      const subscription = ' ^------!     ';
      const result = '       -S-N---|     ';
      expectObservable(source.pipe(normalize(tiny(), { lingerMs: 4 }))).toBe(result, events);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '3. waits 250 ms unless told otherwise',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-z 900ms -', frames);
      const subscription = ' ^--- 249ms !';
      const result = '       -S-N 249ms |';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '3. completes with the body where that ends sooner',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-z--|', frames);
      const result = '     -S-N--|';
      expectObservable(source.pipe(normalize(tiny(), { lingerMs: 4 }))).toBe(result, events);
    }),
  );

  it(
    '3. ignores what comes after the terminal signal: data, failures in band, restarts',
    marbles(({ cold, expectObservable }) => {
      const source = cold<Frame>('-s-zufsrhz-|', { ...frames, u: { type: 'sse', data: 'words' } });
      const result = '     -S-N-------|';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events);
    }),
  );

  it(
    '3. completes where the source fails after the terminal signal',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-z--#', frames, lost);
      const subscription = ' ^-----!';
      const result = '       -S-N--|';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '3. waits for the body for ever when lingerMs is Infinity',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--z 99s |', frames);
      const result = '     --S--N 99s |';
      expectObservable(source.pipe(normalize(tiny(), { lingerMs: Infinity }))).toBe(result, events);
    }),
  );

  it(
    '3. counts lingerMs only while the source may read: a slow consumer does not cost the connection',
    marbles(({ cold, expectObservable }) => {
      const bodies = ['s', 'z'].map((frame) => ({ done: false, value: frames[frame]! }));
      const reads = [...bodies.map((body) => cold('-(a|)', { a: body })), cold<IteratorResult<Frame>>('----------')];
      const body = pullChunks<Frame>(() => reads.shift()!);
      // Each event takes 5 ms: the terminal signal is heard at 7, its event is done with at 12.
      const slowly = tap(() => {
        const hold = currentDemand()?.hold();
        timer(5).subscribe(() => hold?.release());
      });
      const result = '-S-----N-------|';
      expectObservable(body.pipe(normalize(tiny(), { lingerMs: 3 }), slowly)).toBe(result, events);
    }),
  );

  it(
    '4. gives what is unknown as raw, in its place, and nothing for a keep-alive or a hint',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-u-p-s-h-u-z-|', frames);
      const result = '     -U---S---U-N-|';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events);
    }),
  );

  it(
    '4. gives every payload as raw with raw: all, before the events it gave',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s---u-p-h-z---|', frames);
      const result = '     -(aS)U-b---(cN)|';
      expectObservable(source.pipe(normalize(tiny(), { raw: 'all' }))).toBe(result, {
        ...events,
        a: { type: 'raw', provider: 'tiny', event: { start: 'r1' } },
        b: { type: 'raw', provider: 'tiny', event: 'ping' },
        c: { type: 'raw', provider: 'tiny', event: 'stop' },
      });
    }),
  );

  it('4. gives an unknown payload anywhere before the ending as raw, and changes nothing else', () => {
    const answer: TinyWire[] = [{ start: 'r1' }, { say: 'a' }, { spent: 1 }, { say: 'b' }, { reason: 'stop' }, 'stop'];
    const outcomeOfAnswer = (wire: readonly TinyWire[]): unknown[] =>
      outcomeOf(from(wire.map(tinyFrame)).pipe(normalize(tiny())));
    fc.assert(
      fc.property(fc.nat(answer.length - 1), fc.constantFrom<TinyWire>('ping', { unheardOf: 1 }), (place, extra) => {
        const outcome = outcomeOfAnswer([...answer.slice(0, place), extra, ...answer.slice(place)]);
        const before = outcomeOfAnswer(answer.slice(0, place)).slice(0, -1); // without its truncation
        const expected = outcomeOfAnswer(answer);
        if (extra !== 'ping') expected.splice(before.length, 0, { next: events['U'] });
        expect(outcome).toEqual(expected);
      }),
    );
  });

  it(
    '5. reports a failure in band after what its payload carries, and leaves the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  -s-f---z-|', frames);
      const subscription = ' ^--!      ';
      const result = '       -S-(B#)   ';
      const error = new ModelStreamError('provider', 'Overloaded', { responseId: 'r1' });
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, events, error);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    '6. begins a fresh response at a restart',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-t---e-r-s-t---z----|', frames);
      const result = '     -S-(OT)E-R-S-(OT)(CG)-|';
      expectObservable(source.pipe(normalize(tiny()))).toBe(result, {
        ...events,
        G: { type: 'finish', reason: 'other', turn: { said: 'hi' } },
      });
    }),
  );

  it(
    '6. forgets at a restart that the body might have ended, and what the response was called',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-e-r--|', frames);
      const result = '     -S-E-R--#';
      expectObservable(source.pipe(normalize(tiny({ reasonMayEnd: true })))).toBe(result, events, truncated());
    }),
  );

  it(
    'fails with malformed when a frame is not JSON, and with truncated when the body ends inside it',
    marbles(({ cold, expectObservable }) => {
      const whole: Frame = { type: 'sse', data: 'words' };
      expectObservable(cold('  -s-w-', { ...frames, w: whole }).pipe(normalize(tiny()))).toBe(
        '                      -S-#',
        events,
        malformed,
      );
      const cut: Frame = { ...whole, incomplete: true };
      expectObservable(cold('  -s-w-', { ...frames, w: cut }).pipe(normalize(tiny()))).toBe(
        '                      -S-#',
        events,
        new ModelStreamError('truncated', 'Cannot read the last frame: the body ends inside it', { retryable: true }),
      );
    }),
  );

  it('has exactly one ending, whatever comes', () => {
    const wire = fc.constantFrom<TinyWire>(
      { start: 'r1' },
      { say: 'a' },
      { reason: 'stop' },
      { unheardOf: 1 },
      { fault: lost },
      'ping',
      'stop',
    );
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 8 }), fc.boolean(), fc.boolean(), (wires, fails, reasonMayEnd) => {
        const ending = fails ? throwError(() => lost) : EMPTY;
        const source = concat(from(wires.map(tinyFrame)), ending);
        const outcome = outcomeOf(source.pipe(normalize(tiny({ reasonMayEnd }))));
        const isFinish = (said: unknown): boolean => JSON.stringify(said).startsWith('{"next":{"type":"finish"');
        const finishes = outcome.flatMap((said, place) => (isFinish(said) ? [place] : []));
        if (outcome.at(-1) === 'complete') expect(finishes).toEqual([outcome.length - 2]);
        else expect(finishes).toEqual([]);
      }),
    );
  });

  it('says the same however often it is subscribed to', () => {
    const result = from([frames['s']!, frames['t']!, frames['z']!]).pipe(normalize(tiny()));
    expect(asData(outcomeOf(result))).toEqual(asData(outcomeOf(result)));
  });

  it.each([-1, NaN, 2 ** 31])('refuses lingerMs %p when it is called', (lingerMs) => {
    expect(() => normalize(tiny(), { lingerMs })).toThrow(RangeError);
  });
});
