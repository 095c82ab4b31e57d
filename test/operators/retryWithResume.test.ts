import {
  catchError,
  concat,
  count,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  NEVER,
  of,
  throwError,
  type Observable,
  type ObservableInput,
} from 'rxjs';
import {
  ModelStreamError,
  normalize,
  retryWithResume,
  withUsage,
  type Frame,
  type Provider,
  type ResumeOptions,
  type ResumePoint,
  type RetryContext,
} from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { tiny, tinyFrame, type TinyTurn, type TinyWire } from '../support/tinyProvider';

const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
const refused = new ModelStreamError('http', 'Not today', { status: 401 });
const overloaded = new ModelStreamError('provider', 'Overloaded', { retryable: true });

/** The first wait of a test is half of its bound. */
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A tiny provider whose frames have numbers, and go on behind the last one that was no keep-alive. */
function numbered(session = false): Provider<TinyTurn> {
  return {
    ...tiny({ session }),
    resume: {
      createTracker() {
        let cursor: string | undefined;
        let isOver = false;
        return {
          read(payload) {
            const { lastEventId, value } = payload;
            if (value === 'stop') isOver = true;
            if (lastEventId === undefined || value === 'ping') return payload;
            if (cursor !== undefined && Number(lastEventId) <= Number(cursor)) return undefined;
            cursor = lastEventId;
            return payload;
          },
          pointAfter(failure) {
            if (cursor === undefined || !failure.retryable) return undefined;
            return { responseId: 'r1', cursor, path: '/r1', query: { after: cursor } };
          },
          cancelPoint: () => (isOver || cursor === undefined ? undefined : { responseId: 'r1', path: '/r1/cancel' }),
        };
      },
    },
  };
}

function frame(value: TinyWire, lastEventId?: string): Frame {
  return { ...tinyFrame(value), ...(lastEventId !== undefined && { lastEventId }) };
}

function restart(attempt: number, cause: ModelStreamError = lost): Frame {
  return { type: 'restart', attempt, cause };
}

const frames: Record<string, Frame> = {
  s: tinyFrame({ start: 'r1' }),
  t: tinyFrame({ say: 'hi' }),
  p: tinyFrame('ping'),
  z: tinyFrame('stop'),
  h: { type: 'hint', retryMs: 7 },
  k: { type: 'hint', retryMs: 7, incomplete: true },
  i: { type: 'hint', lastEventId: '9' },
  f: tinyFrame({ fault: overloaded }),
  a: frame({ start: 'r1' }, '1'),
  b: frame({ say: 'b' }, '2'),
  c: frame({ say: 'c' }, '3'),
  d: frame('stop', '4'),
  q: frame('ping', '3'),
  r: restart(1),
  R: restart(2),
  Q: restart(3),
};

describeOperatorContract<Frame, Frame>('retryWithResume', {
  create: () => retryWithResume(tiny(), { maxRetries: 0 }),
  inputs: [tinyFrame({ start: 'r1' }), tinyFrame({ say: 'a' }), tinyFrame({ say: 'b' })],
  failing: {
    inputs: [tinyFrame({ say: 'a' }), { type: 'sse', data: 'words' }],
    error: new ModelStreamError('malformed', 'Cannot read frame: its 5 characters are not JSON'),
  },
});

describe('retryWithResume()', () => {
  it(
    '1. goes on where the answer stopped, and drops what was delivered before',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-a-b-#', frames, lost);
      const rest = cold('      -b-c-d|', frames);
      const result = '         -a-b- 500ms ---c-d|';
      const points: ResumePoint[] = [];
      const resume = (point: ResumePoint): Observable<Frame> => {
        points.push(point);
        return rest;
      };
      expectObservable(source.pipe(retryWithResume(numbered(), { resume, initialDelayMs: 1000 }))).toBe(result, frames);
      return () => {
        expect(points).toEqual([{ responseId: 'r1', cursor: '2', path: '/r1', query: { after: '2' } }]);
      };
    }),
  );

  it.each<[string, string, ModelStreamError]>([
    ['the source fails', '-a-b-#', lost],
    ['the service reports a failure', '-a-b-f', overloaded],
    ['the source ends before the terminal signal', '-a-b-|', new ModelStreamError('truncated', 'any')],
  ])('1. goes on when %s', (_what, marble, cause) => {
    marbles(({ cold, expectObservable }) => {
      const contexts: RetryContext[] = [];
      const result = '-a-b- 500ms -c-d|';
      const options: ResumeOptions = {
        resume: () => cold('-c-d|', frames),
        initialDelayMs: 1000,
        onRetry: (context) => contexts.push(context),
      };
      expectObservable(cold(marble, frames, lost).pipe(retryWithResume(numbered(), options))).toBe(result, frames);
      return () => {
        expect(contexts).toHaveLength(1);
        expect(contexts[0]).toMatchObject({ kind: 'resume', attempt: 1, delayMs: 500, point: { cursor: '2' } });
        expect(contexts[0]?.error.code).toBe(cause.code);
        expect(Object.isFrozen(contexts[0])).toBe(true);
      };
    })();
  });

  it(
    '2. sends the request again as long as no content was handed on',
    marbles(({ cold, expectObservable }) => {
      let requests = 0;
      const source = defer(() => (++requests === 1 ? cold('-s-p-#', frames, lost) : cold('-s-t-z|', frames)));
      const result = '-s-p- 500ms rs-t-z|';
      expectObservable(source.pipe(retryWithResume(tiny(), { initialDelayMs: 1000 }))).toBe(result, frames);
    }),
  );

  it.each<[NonNullable<ResumeOptions['restart']>, string, string]>([
    ['before-content', '-s-#', '-s- 500ms (rs|)'],
    ['before-content', '-t-#', '-t-#'],
    ['always', '-s-#', '-s- 500ms (rs|)'],
    ['always', '-t-#', '-t- 500ms (rs|)'],
    ['never', '-s-#', '-s-#'],
    ['never', '-t-#', '-t-#'],
  ])('2. with restart %s, %s becomes %s', (restart, marble, result) => {
    marbles(({ cold, expectObservable }) => {
      let requests = 0;
      const source = defer(() =>
        ++requests === 1 ? cold(marble, frames, lost) : concat(of(tinyFrame({ start: 'r1' })), EMPTY),
      );
      const retried = retryWithResume(tiny(), { restart, initialDelayMs: 1000, maxTotalRetries: 1 });
      expectObservable(source.pipe(retried)).toBe(result, frames, lost);
    })();
  });

  it(
    '2. gives exactly one marker a restart, and counts them over the whole stream',
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-#', frames, lost);
      const result = '     -s- 250ms rs- 500ms Rs-#';
      expectObservable(source.pipe(retryWithResume(tiny(), { maxRetries: 2 }))).toBe(result, frames, lost);
    }),
  );

  it(
    '2. keeps the usage of a failed attempt apart from that of the answer',
    marbles(({ cold, expectObservable }) => {
      const fault = new ModelStreamError('provider', 'Overloaded', { retryable: true, retryAfterMs: 9 });
      const words: Record<string, Frame> = {
        s: tinyFrame({ start: 'r1' }),
        t: tinyFrame({ say: 'abcd' }),
        f: tinyFrame({ fault }), // whose usage is the length of what was said
        u: tinyFrame({ spent: 7 }),
        z: tinyFrame('stop'),
      };
      let requests = 0;
      const source = defer(() => (++requests === 1 ? cold('s-t-f', words) : cold('s-u-z|', words)));
      const usage = source.pipe(
        retryWithResume(tiny(), { restart: 'always' }),
        normalize(tiny()),
        withUsage(),
        filter((event) => event.type === 'usage'),
      );
      expectObservable(usage).toBe('---- 9ms ----x|', {
        x: { type: 'usage', usage: { outputTokens: 7, abandoned: [{ outputTokens: 4, partial: true }] } },
      });
    }),
  );

  it(
    '3. passes a failure, with the place where the answer could have gone on',
    marbles(({ cold, expectObservable }) => {
      const resume = (): Observable<Frame> => EMPTY;
      const source = cold('-a-b-#', frames, lost);
      const retried = source.pipe(retryWithResume(numbered(), { resume, maxRetries: 0 }));
      const failure = new ModelStreamError('network', 'Connection lost', {
        retryable: true,
        responseId: 'r1',
        cursor: '2',
      });
      expectObservable(retried).toBe('-a-b-#', frames, failure);
    }),
  );

  it.each<[string, ModelStreamError | Error]>([
    ['what waiting does not help', refused],
    ['the abort of the caller', new ModelStreamError('aborted', 'Stream was aborted by its caller')],
    ['what is no error of this library', new TypeError('fetch failed')],
  ])('3. and 4. passes %s', (_what, failure) => {
    marbles(({ cold, expectObservable }) => {
      const source = cold('-s-#', frames, failure);
      expectObservable(source.pipe(retryWithResume(tiny()))).toBe('-s-#', frames, failure);
    })();
  });

  it(
    '3. hands the payload of a failure that is not retried on, for normalize to report',
    marbles(({ cold, expectObservable }) => {
      const fault = tinyFrame({ fault: refused });
      const source = cold('-s-t-f-', { ...frames, f: fault });
      const result = '     -s-t-f-';
      expectObservable(source.pipe(retryWithResume(tiny()))).toBe(result, { ...frames, f: fault });
    }),
  );

  it.each([
    ['late data', '-t-z-t-|', '-t-z---|'],
    ['a failure of the connection', '-t-z-#', '-t-z-|'],
    ['a failure that is reported late', '-t-z-f-|', '-t-z---|'],
  ])('4. is over after the terminal signal, whatever comes: %s', (_what, marble, result) => {
    marbles(({ cold, expectObservable }) => {
      const source = cold(marble, frames, lost);
      expectObservable(source.pipe(retryWithResume(tiny(), { restart: 'always' }))).toBe(result, frames);
    })();
  });

  it.each<[string, ModelStreamError, string, string]>([
    [
      'what the failure says',
      new ModelStreamError('http', 'Slow down', { retryable: true, retryAfterMs: 30 }),
      '#',
      '30ms r',
    ],
    [
      'no time, where the failure says so',
      new ModelStreamError('http', 'Now', { retryable: true, retryAfterMs: 0 }),
      '#',
      'r',
    ],
    [
      'what the failure says, before what the service said',
      new ModelStreamError('http', 'Slow down', { retryable: true, retryAfterMs: 30 }),
      'h#',
      'h 30ms r',
    ],
    ['what the service last said', lost, 'h#', 'h 7ms r'],
    ['nothing that was cut short', lost, 'k#', 'k 250ms r'],
  ])('5. waits for %s', (_what, failure, marble, result) => {
    marbles(({ cold, expectObservable }) => {
      let requests = 0;
      const source = defer(() => (++requests === 1 ? cold(marble, frames, failure) : NEVER));
      const cause = { ...frames, r: restart(1, failure) };
      expectObservable(source.pipe(retryWithResume(tiny())), '^ 1s !').toBe(` ${result}`, cause);
    })();
  });

  it(
    '5. doubles the bound of the wait with each reconnect in a row, up to the longest',
    marbles(({ cold, expectObservable }) => {
      const delays: number[] = [];
      const options: ResumeOptions = {
        maxRetries: 6,
        initialDelayMs: 100,
        maxDelayMs: 1000,
        onRetry: ({ delayMs }) => delays.push(delayMs),
      };
      const retried = cold('#', frames, lost).pipe(retryWithResume(tiny(), options), ignoreElements());
      expectObservable(retried).toBe('1750ms #', undefined, lost);
      return () => {
        expect(delays).toEqual([50, 100, 200, 400, 500, 500]);
      };
    }),
  );

  it(
    '5. does not wait for longer than the longest wait',
    marbles(({ cold, expectObservable }) => {
      const failure = new ModelStreamError('http', 'Come tomorrow', { retryable: true, retryAfterMs: 86_400_000 });
      expectObservable(cold('-#', frames, failure).pipe(retryWithResume(tiny()))).toBe('-#', undefined, failure);
    }),
  );

  it(
    '5. is left at once while it waits',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-#', frames, lost);
      expectObservable(source.pipe(retryWithResume(tiny(), { initialDelayMs: 1000 })), '--- 100ms !').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^!');
    }),
  );

  it(
    '6. counts reconnects in a row that brought nothing new: a payload nobody had begins the count anew',
    marbles(({ cold, expectObservable }) => {
      const rests = ['-#', '-b-#', '-c-#', '-c-#', '-#'];
      const source = cold('a-#', frames, lost);
      const options: ResumeOptions = {
        resume: () => cold(rests.shift() ?? '', frames, lost),
        initialDelayMs: 0,
        maxRetries: 2,
      };
      const failure = new ModelStreamError('network', 'Connection lost', {
        retryable: true,
        responseId: 'r1',
        cursor: '3',
      });
      expectObservable(source.pipe(retryWithResume(numbered(), options))).toBe('a---b--c-----#', frames, failure);
    }),
  );

  it(
    '6. counts a restart always, whatever it brings',
    marbles(({ cold, expectObservable }) => {
      const source = cold('s-t-#', frames, lost);
      const retried = source.pipe(
        retryWithResume(tiny(), { restart: 'always', initialDelayMs: 0, maxRetries: 2 }),
        filter((frame) => frame.type === 'restart'),
      );
      expectObservable(retried).toBe('----r---R---#', frames, lost);
    }),
  );

  it(
    '6. counts all reconnects of the stream',
    marbles(({ expectObservable }) => {
      let number = 1;
      const next = (): Observable<Frame> =>
        concat(
          of(frame({ say: 'x' }, String(number++))),
          throwError(() => lost),
        );
      const options: ResumeOptions = { resume: next, initialDelayMs: 0, maxTotalRetries: 3 };
      const retried = defer(next).pipe(retryWithResume(numbered(), options), count());
      expectObservable(retried.pipe(catchError(() => of('failed')))).toBe('(x|)', { x: 'failed' });
      return () => {
        expect(number).toBe(5);
      };
    }),
  );

  it(
    '6. does not count asking for a run that goes on',
    marbles(({ cold, expectObservable }) => {
      const provider: Provider = {
        ...tiny(),
        resume: {
          createTracker: () => ({
            read: (payload) => payload,
            pointAfter: () => ({ path: '', query: {}, isRunning: true as const }),
          }),
        },
      };
      let asked = 0;
      const resume = (): Observable<Frame> => (++asked === 6 ? of(tinyFrame('stop')) : throwError(() => lost));
      const retried = cold('#', frames, lost).pipe(retryWithResume(provider, { resume, initialDelayMs: 0 }));
      expectObservable(retried).toBe('(z|)', frames);
    }),
  );

  it(
    '7. of a session answers only failures of the connection',
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-d-f-#', { ...frames, f: frame({ fault: overloaded }, '5') }, lost);
      const options: ResumeOptions = { resume: () => cold('x|', { x: frame({ start: 'r2' }, '6') }) };
      const result = '     a-b-d-f- 250ms x|';
      expectObservable(source.pipe(retryWithResume(numbered(true), options))).toBe(result, {
        ...frames,
        f: frame({ fault: overloaded }, '5'),
        x: frame({ start: 'r2' }, '6'),
      });
    }),
  );

  describe('shouldRetry', () => {
    it.each<[boolean, ModelStreamError, string]>([
      [false, lost, '-#'],
      [true, refused, '- 250ms r'],
    ])('has the last word: %p', (answer, failure, result) => {
      marbles(({ cold, expectObservable }) => {
        let requests = 0;
        const source = defer(() => (++requests === 1 ? cold('-#', frames, failure) : NEVER));
        const retried = source.pipe(retryWithResume(tiny(), { shouldRetry: () => answer }));
        expectObservable(retried, '^ 1s !').toBe(result, { r: restart(1, failure) }, failure);
      })();
    });

    it(
      'is an error of its program where it throws',
      marbles(({ cold, expectObservable }) => {
        const mistake = new Error('no such thing');
        const shouldRetry = (): boolean => {
          throw mistake;
        };
        expectObservable(cold('-#', frames, lost).pipe(retryWithResume(tiny(), { shouldRetry }))).toBe(
          '-#',
          {},
          mistake,
        );
      }),
    );
  });

  describe('cancel', () => {
    it.each<[string, string, string, number, ModelStreamError?]>([
      ['ends the run when the consumer leaves', 'a-b---', '^---!', 1],
      ['ends the run when the consumer leaves during a wait', 'a-b-#', '^------!', 1],
      ['has nothing to end before the run has a name', '------', '^---!', 0],
      ['has nothing to end after the ending', 'a-d---', '^---!', 0],
      ['is not asked where the stream ends by itself', 'a-d-|', '^-----!', 0],
      ['is not asked where the stream fails', 'a-b-#', '^---------!', 0, refused],
    ])('%s', (_what, marble, subscription, times, failure = lost) => {
      marbles(({ cold, expectObservable, flush }) => {
        const cancel = jest.fn(() => EMPTY);
        const retried = cold(marble, frames, failure).pipe(
          retryWithResume(numbered(), { cancel, resume: () => NEVER, initialDelayMs: 1000 }),
          catchError(() => EMPTY),
        );
        expectObservable(retried, subscription);
        flush();
        expect(cancel).toHaveBeenCalledTimes(times);
      })();
    });

    it.each<[string, () => ObservableInput<unknown>]>([
      ['fails', () => throwError(() => lost)],
      [
        'throws',
        () => {
          throw new Error('no such thing');
        },
      ],
      ['rejects', () => Promise.reject(new Error('no such thing'))],
    ])('says nothing when it %s: nobody is there to hear', (_what, cancel) => {
      const subscription = concat(of(frame({ start: 'r1' }, '1')), NEVER)
        .pipe(retryWithResume(numbered(), { cancel }))
        .subscribe();
      expect(() => {
        subscription.unsubscribe();
      }).not.toThrow();
    });
  });

  it.each<[keyof ResumeOptions, number]>([
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['maxTotalRetries', NaN],
    ['initialDelayMs', -1],
    ['maxDelayMs', NaN],
  ])('refuses %s %d', (name, value) => {
    expect(() => retryWithResume(tiny(), { [name]: value })).toThrow(RangeError);
  });
});
