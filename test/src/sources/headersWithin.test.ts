import { catchError, EMPTY, lastValueFrom, NEVER, of, throwError, type Observable } from 'rxjs';
import { fromByteStream, headersWithin, ModelStreamError, type ByteSource } from 'rx-model-stream';
import { createByteStream } from '../../support/byteStream';
import { marbles } from '../../support/marbles';
import { outcomeOf, plainError } from '../../support/outcome';

function lateBy(ms: number): ModelStreamError {
  return new ModelStreamError('timeout', `Cannot open stream: no headers came within ${ms} ms`, { retryable: true });
}

const never = (): AbortSignal => new AbortController().signal;
const response = { body: null } satisfies ByteSource;

describe('headersWithin()', () => {
  it(
    '1. fails when nothing was opened in time, after it has left what was being opened',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const opening = cold<ByteSource>('---------r', { r: response });
      const subscription = '            ^----!    ';
      const result = '                  -----#    ';
      expectObservable(headersWithin(5, () => opening)(never())).toBe(result, undefined, lateBy(5));
      expectSubscriptions(opening.subscriptions).toBe(subscription);
    }),
  );

  it('1. aborts the signal given to open before it tells of the failure', () => {
    const said: string[] = [];
    const open = (signal: AbortSignal): Observable<ByteSource> => {
      signal.addEventListener('abort', () => said.push('aborted'));
      return NEVER;
    };
    marbles(({ expectObservable }) => {
      const bytes = fromByteStream(headersWithin(5, open)).pipe(
        catchError(() => {
          said.push('failed');
          return EMPTY;
        }),
      );
      expectObservable(bytes).toBe('-----|');
    })();
    expect(said).toEqual(['aborted', 'failed']);
  });

  it('1. leaves the signal of its caller alone, so that another service may be asked', () => {
    const signals: AbortSignal[] = [];
    marbles(({ expectObservable }) => {
      const first = headersWithin(5, (signal) => (signals.push(signal), NEVER));
      const second = headersWithin(5, (signal) => (signals.push(signal), of(response)));
      const either = (signal: AbortSignal) => first(signal).pipe(catchError(() => second(signal)));
      expectObservable(either(never())).toBe('-----(r|)', { r: response });
    })();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('2. cancels a response that comes all the same', async () => {
    const body = createByteStream();
    let arrive!: (response: Response) => void;
    const arrival = new Promise<Response>((resolve) => (arrive = resolve));
    const bytes = fromByteStream(headersWithin(0, () => arrival));
    const error: unknown = await lastValueFrom(bytes).catch((reason: unknown) => reason);
    expect(plainError(error)).toEqual(plainError(lateBy(0)));
    arrive(new Response(body.stream as BodyInit));
    await arrival;
    expect(body.isCancelled).toBe(true);
  });

  it(
    '3. is out of the way once the headers are there',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const opening = cold<ByteSource>('----r 99ms |', { r: response });
      const subscription = '            ^---- 99ms !';
      const result = '                  ----r 99ms |';
      expectObservable(headersWithin(5, () => opening)(never())).toBe(result, { r: response });
      expectSubscriptions(opening.subscriptions).toBe(subscription);
    }),
  );

  describe('4. aborts the signal given to open', () => {
    const openings: Record<string, (signal: AbortSignal) => Observable<ByteSource> | ByteSource> = {
      'before the headers': () => NEVER,
      'while the body is read': () => createByteStream().stream,
    };
    it.each(Object.entries(openings))('when it is left %s', (_when, open) => {
      let given: AbortSignal | undefined;
      const subscription = fromByteStream(
        headersWithin<ByteSource>(60_000, (signal) => {
          given = signal;
          return open(signal);
        }),
      ).subscribe();
      expect(given?.aborted).toBe(false);
      subscription.unsubscribe();
      expect(given?.aborted).toBe(true);
    });

    it('when it is left by whoever called it by hand', () => {
      let given: AbortSignal | undefined;
      const own = never();
      const opening = headersWithin<ByteSource>(60_000, (signal) => {
        given = signal;
        return NEVER;
      })(own);
      opening.subscribe().unsubscribe();
      expect([given?.aborted, own.aborted]).toEqual([true, false]);
    });

    it('but not at a normal end', async () => {
      let given: AbortSignal | undefined;
      const open = (signal: AbortSignal): Response => {
        given = signal;
        return new Response('a');
      };
      await lastValueFrom(fromByteStream(headersWithin(60_000, open)));
      expect(given?.aborted).toBe(false);
    });
  });

  it('passes what open fails with on, unchanged', () => {
    const failure = new Error('refused');
    const thrown = headersWithin(5, () => {
      throw failure;
    });
    expect(outcomeOf(thrown(never()))).toEqual([{ error: plainError(failure) }]);
    expect(outcomeOf(headersWithin(5, () => throwError(() => failure))(never()))).toEqual([
      { error: plainError(failure) },
    ]);
  });

  it('is cold', () => {
    const open = jest.fn(() => response);
    const opening = headersWithin(5, open)(never());
    expect(open).not.toHaveBeenCalled();
    expect(outcomeOf(opening)).toEqual([{ next: response }, 'complete']);
    outcomeOf(opening);
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('leaves no timer behind, however it ends', () => {
    jest.useFakeTimers();
    try {
      const openings: Observable<ByteSource>[] = [NEVER, of(response), EMPTY, throwError(() => new Error('refused'))];
      for (const opening of openings) {
        const opened = headersWithin(1000, () => opening)(never());
        opened
          .pipe(catchError(() => EMPTY))
          .subscribe()
          .unsubscribe();
        expect(jest.getTimerCount()).toBe(0);
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('hands the very signal on where there is no limit', () => {
    const open = jest.fn(() => response);
    expect(outcomeOf(headersWithin(Infinity, open)(never()))).toEqual([{ next: response }, 'complete']);
    expect(open).toHaveBeenCalledWith(never());
  });

  it.each([-1, NaN, 2 ** 31])('refuses to wait for %p milliseconds', (ms) => {
    expect(() => headersWithin(ms, () => response)).toThrow(RangeError);
  });
});
