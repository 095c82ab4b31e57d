import fc from 'fast-check';
import { concat, from, of, take, takeUntil, throwError, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  ModelStreamError,
  withUsage,
  type ModelEvent,
  type ModelPrice,
  type Snapshot,
  type TokenUsage,
} from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf, plainError } from '../support/outcome';

const start = { type: 'response-start', provider: 'demo', model: 'm1' } as const satisfies ModelEvent;
const text: ModelEvent = { type: 'text-delta', index: 0, text: 'a' };
const finish: ModelEvent = { type: 'finish', reason: 'stop' };
const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
const restart: ModelEvent = { type: 'restart', attempt: 1, cause: lost };

function usage(outputTokens: number, rest: TokenUsage = {}): ModelEvent {
  return { type: 'usage', usage: { inputTokens: 1000, outputTokens, ...rest } };
}

const noPrice = new Error('No price list');

describeOperatorContract<ModelEvent, ModelEvent>('withUsage', {
  create: () =>
    withUsage({
      prices: (model) => {
        if (model === 'unheard of') throw noPrice;
        return undefined;
      },
    }),
  inputs: [start, usage(1), text, usage(2), finish],
  failing: { inputs: [{ ...start, model: 'unheard of' }, usage(1), finish], error: noPrice },
});

describe('withUsage()', () => {
  const events: Record<string, ModelEvent> = { s: start, a: text, u: usage(1), v: usage(2), f: finish, R: restart };
  const partial = (count: number, rest: TokenUsage = {}): ModelEvent => usage(count, { partial: true, ...rest });

  it(
    '1. holds running totals back and emits the last one directly before finish',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--u--a--v--f---|', events);
      const result = '     --s-----a-----(vf)|';
      expectObservable(source.pipe(withUsage())).toBe(result, events);
    }),
  );

  it('1. passes all other events on as they are, in order', () => {
    const others: ModelEvent[] = [
      { type: 'raw', provider: 'demo', event: 1 },
      start,
      { type: 'block-start', index: 0, block: { kind: 'text', text: '' } },
      text,
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'a' } },
      finish,
    ];
    const places = fc.array(fc.integer({ min: 1, max: others.length - 2 }), { maxLength: 4 });
    fc.assert(
      fc.property(places, (usages) => {
        const mixed = others.flatMap((event, place) => [
          event,
          ...usages.filter((at) => at === place).map((at) => usage(at)),
        ]);
        const passed: ModelEvent[] = [];
        from(mixed)
          .pipe(withUsage())
          .subscribe((event) => passed.push(event));
        expect(passed.filter(({ type }) => type !== 'usage')).toEqual(others);
        const last = mixed.filter(({ type }) => type === 'usage').at(-1);
        expect(passed.slice(-2)).toEqual(last ? [last, finish] : others.slice(-2));
      }),
    );
  });

  describe('2. prices the usage', () => {
    const price: ModelPrice = { input: 2, output: 8, cachedInput: 0.5, cacheWrite: 2.5 };
    const spent: TokenUsage = { inputTokens: 1_000_000, outputTokens: 500_000 };

    function costOf(tokens: TokenUsage, prices: Parameters<typeof withUsage>[0], model = 'm1'): number | undefined {
      let cost: number | undefined;
      from<ModelEvent[]>([{ ...start, model }, { type: 'usage', usage: tokens }, finish])
        .pipe(withUsage(prices))
        .subscribe((event) => {
          if (event.type === 'usage') cost = event.usage.costUsd;
        });
      return cost;
    }

    it('by a table', () => {
      expect(costOf(spent, { prices: { m1: price } })).toBeCloseTo(2 + 4, 10);
    });

    it('by a function, asked for the model that answered', () => {
      const prices = jest.fn(() => price);
      expect(costOf(spent, { prices })).toBeCloseTo(6, 10);
      expect(prices).toHaveBeenCalledWith('m1');
    });

    it('with what was read from and written to a cache at their own prices', () => {
      const cached: TokenUsage = { ...spent, cachedInputTokens: 400_000, cacheWriteTokens: 200_000 };
      expect(costOf(cached, { prices: { m1: price } })).toBeCloseTo(0.4 * 2 + 0.4 * 0.5 + 0.2 * 2.5 + 4, 10);
      expect(costOf(cached, { prices: { m1: { input: 2, output: 8 } } })).toBeCloseTo(6, 10);
    });

    it('and never below nothing, where a provider counts its cache beside the input', () => {
      const beside: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 1_000_000 };
      expect(costOf(beside, { prices: { m1: price } })).toBeCloseTo(0.5, 10);
    });

    it.each<[string, TokenUsage, Parameters<typeof withUsage>[0], string]>([
      ['a model that the table does not know', spent, { prices: { 'm1-mini': price } }, 'm1'],
      ['a model that has the name of a method', spent, { prices: { m1: price } }, 'toString'],
      ['a model that the function does not know', spent, { prices: () => undefined }, 'm1'],
      ['usage without its input', { outputTokens: 1 }, { prices: { m1: price } }, 'm1'],
      ['usage without its output', { inputTokens: 1 }, { prices: { m1: price } }, 'm1'],
      ['no prices', spent, {}, 'm1'],
    ])('and makes no price up: %s', (_what, tokens, prices, model) => {
      expect(costOf(tokens, prices, model)).toBeUndefined();
    });

    it('and lets the cost that the provider reports stand', () => {
      expect(costOf({ ...spent, costUsd: 1.25 }, { prices: { m1: price } })).toBe(1.25);
      expect(costOf({ ...spent, costUsd: 0 }, { prices: { m1: price } })).toBe(0);
    });

    it('and changes nothing else of it, nor the usage that came in', () => {
      const tokens: TokenUsage = Object.freeze({ ...spent, reasoningTokens: 3, totalTokens: 4, raw: { a: 1 } });
      const outcome = outcomeOf(
        from<ModelEvent[]>([start, { type: 'usage', usage: tokens }, finish]).pipe(
          withUsage({ prices: { m1: price } }),
        ),
      );
      expect(outcome[1]).toEqual({ next: { type: 'usage', usage: { ...tokens, costUsd: 6 } } });
    });
  });

  it(
    '3. emits the usage so far as partial before a failure',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--u--v--#   ', events, lost);
      const result = '     --s--------(p#)';
      expectObservable(source.pipe(withUsage())).toBe(result, { ...events, p: partial(2) }, lost);
    }),
  );

  it(
    '3. emits it as partial before a failure that comes as an event',
    marbles(({ cold, expectObservable }) => {
      const error: ModelEvent = { type: 'error', error: lost };
      const source = cold('--s--u--(e|) ', { ...events, e: error });
      const result = '     --s-----(pe|)';
      expectObservable(source.pipe(withUsage())).toBe(result, { ...events, p: partial(1), e: error });
    }),
  );

  it(
    '3. emits it as partial when the source completes without an ending',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--u--|   ', events);
      const result = '     --s-----(p|)';
      expectObservable(source.pipe(withUsage())).toBe(result, { ...events, p: partial(1) });
    }),
  );

  it(
    '3. says nothing a second time after the ending',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--u--f---#', events, lost);
      const result = '     --s-----(uf)#';
      expectObservable(source.pipe(withUsage())).toBe(result, events, lost);
    }),
  );

  it(
    '4. sets the usage of an attempt that was given up aside, and never adds it',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s-u-R-s-v-R-s-u-f---|', events);
      const result = '     --s---R-s---R-s---(wf)|';
      const abandoned = [1, 2].map((count) => ({ inputTokens: 1000, outputTokens: count, partial: true as const }));
      expectObservable(source.pipe(withUsage())).toBe(result, { ...events, w: usage(1, { abandoned }) });
    }),
  );

  it(
    '4. tells of it where the last attempt has no usage of its own, in failure too',
    marbles(({ cold, expectObservable }) => {
      const abandoned: TokenUsage[] = [{ inputTokens: 1000, outputTokens: 1, partial: true }];
      const values: Record<string, ModelEvent> = {
        ...events,
        w: { type: 'usage', usage: { abandoned } },
        p: { type: 'usage', usage: { partial: true, abandoned } },
      };
      expectObservable(cold('  --s-u-R-s-f---|', events).pipe(withUsage())).toBe(
        '                      --s---R-s-(wf)|',
        values,
      );
      expectObservable(cold('  --s-u-R-s-#   ', events, lost).pipe(withUsage())).toBe(
        '                      --s---R-s-(p#)',
        values,
        lost,
      );
    }),
  );

  it('4. prices what was given up by the model of its own attempt', () => {
    const second: ModelEvent = { ...start, model: 'm2' };
    const prices = { m1: { input: 1000, output: 0 }, m2: { input: 0, output: 1000 } };
    const outcome = outcomeOf(of(start, usage(1), restart, second, usage(2), finish).pipe(withUsage({ prices })));
    const abandoned = [{ inputTokens: 1000, outputTokens: 1, costUsd: 1, partial: true as const }];
    expect(outcome.at(-3)).toEqual({ next: usage(2, { costUsd: 0.002, abandoned }) });
  });

  it(
    '5. says nothing where no usage came: unknown is not 0',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--f--|', events);
      const result = '     --s--a--f--|';
      expectObservable(source.pipe(withUsage({ prices: { m1: { input: 1, output: 1 } } }))).toBe(result, events);
    }),
  );

  it(
    'reports the usage of each response of a session by itself',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s-u-f---s-v-f---s-f-|', events);
      const result = '     --s---(uf)s---(vf)s-f-|';
      expectObservable(source.pipe(withUsage())).toBe(result, events);
    }),
  );

  it(
    '6. passes usage on at once that comes between two responses of a session',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s-u-f-----v-s---f-v-|', events);
      const result = '     --s---(uf)--v-s---f-v-|';
      expectObservable(source.pipe(withUsage())).toBe(result, events);
    }),
  );

  it('6. does not take usage that a session tells before its first response for that of the response', () => {
    const cut = concat(
      of(usage(1), start, text),
      throwError(() => lost),
    );
    expect(outcomeOf(cut.pipe(withUsage()))).toEqual([
      ...[usage(1), start, text].map((next) => ({ next })),
      { error: plainError(lost) },
    ]);
  });

  it('does not carry what was given up in one response of a session into the next', () => {
    const outcome = outcomeOf(
      of(start, usage(1), restart, start, usage(2), finish, start, usage(3), finish).pipe(withUsage()),
    );
    expect(outcome.at(-3)).toEqual({ next: usage(3) });
  });

  it('4. does not price what an attempt used by the model of the one before', () => {
    const prices = { m1: { input: 1000, output: 0 } };
    const unnamed: ModelEvent = { type: 'response-start', provider: 'demo' };
    const outcome = outcomeOf(of(start, usage(1), restart, unnamed, usage(2), finish).pipe(withUsage({ prices })));
    const abandoned = [{ inputTokens: 1000, outputTokens: 1, costUsd: 1, partial: true as const }];
    expect(outcome.at(-3)).toEqual({ next: usage(2, { abandoned }) });
  });

  it('4. keeps what was set aside before it, in one list', () => {
    const first: TokenUsage = { outputTokens: 1, partial: true };
    const second: TokenUsage = { outputTokens: 2, partial: true };
    const events = [start, usage(3, { abandoned: [first, second] }), restart, start, usage(4), finish];
    const third: TokenUsage = { inputTokens: 1000, outputTokens: 3, partial: true };
    expect(outcomeOf(from(events).pipe(withUsage())).at(-3)).toEqual({
      next: usage(4, { abandoned: [first, second, third] }),
    });
  });

  describe('never loses usage, whatever becomes of the attempts', () => {
    /** An attempt: the running totals that came of it. */
    const attempts = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 5,
    });
    const endings = fc.constantFrom('finish' as const, 'error' as const, 'failure' as const, 'nothing' as const);

    /** The events of a response, up to its ending. */
    function eventsOf(totals: readonly (readonly number[])[]): ModelEvent[] {
      return totals.flatMap((attempt, nth) => [
        ...(nth > 0 ? [restart] : []),
        start,
        ...attempt.flatMap((total) => [usage(total), text]),
      ]);
    }

    function endedBy(events: readonly ModelEvent[], ending: string): Observable<ModelEvent> {
      const error: ModelEvent = { type: 'error', error: lost };
      if (ending === 'failure')
        return concat(
          events,
          throwError(() => lost),
        );
      return from(ending === 'nothing' ? events : [...events, ending === 'finish' ? finish : error]);
    }

    /** What is to be told of it, by the words of the documentation. */
    function expected(totals: readonly (readonly number[])[], ending: string): ModelEvent[] {
      const lasts = totals.map((attempt) => attempt.at(-1));
      const own = lasts.at(-1);
      const abandoned = lasts
        .slice(0, -1)
        .flatMap((last) =>
          last === undefined ? [] : [{ inputTokens: 1000, outputTokens: last, partial: true as const }],
        );
      if (own === undefined && abandoned.length === 0) return [];
      const told: TokenUsage = {
        ...(own !== undefined && { inputTokens: 1000, outputTokens: own }),
        ...(ending !== 'finish' && { partial: true }),
        ...(abandoned.length > 0 && { abandoned }),
      };
      return [{ type: 'usage', usage: told }];
    }

    function usageIn(outcome: readonly unknown[]): unknown[] {
      return outcome.flatMap((said) => {
        const event = said instanceof Object && 'next' in said ? (said.next as ModelEvent) : undefined;
        return event?.type === 'usage' ? [event] : [];
      });
    }

    it('in one response, directly before its ending', () => {
      fc.assert(
        fc.property(attempts, endings, (totals, ending) => {
          const outcome = outcomeOf(endedBy(eventsOf(totals), ending).pipe(withUsage()));
          const told = expected(totals, ending);
          expect(usageIn(outcome)).toEqual(told);
          const afterwards = { finish: 2, error: 2, failure: 1, nothing: 1 }[ending];
          if (told.length > 0) expect(outcome.at(-1 - afterwards)).toEqual({ next: told[0] });
        }),
      );
    });

    it('in a snapshot, that of a failure included', () => {
      fc.assert(
        fc.property(attempts, endings, (totals, ending) => {
          const snapshots: Snapshot[] = [];
          endedBy(eventsOf(totals), ending)
            .pipe(withUsage(), accumulateBlocks())
            .subscribe({
              next: (snapshot) => snapshots.push(snapshot),
              error: (error: ModelStreamError) => error.snapshot && snapshots.push(error.snapshot),
            });
          const [told] = expected(totals, ending);
          const status = { finish: 'complete', error: 'failed', failure: 'failed', nothing: 'stopped' }[ending];
          expect(snapshots.at(-1)?.status).toBe(status);
          expect(snapshots.at(-1)?.usage).toEqual(told?.type === 'usage' ? told.usage : undefined);
        }),
      );
    });

    it('of any response of a session, each by itself', () => {
      fc.assert(
        fc.property(fc.array(attempts, { maxLength: 3 }), attempts, endings, (before, last, ending) => {
          const session = before.flatMap((totals) => [...eventsOf(totals), finish]);
          const events = endedBy([...session, ...eventsOf(last)], ending);
          const told = [...before.flatMap((totals) => expected(totals, 'finish')), ...expected(last, ending)];
          expect(usageIn(outcomeOf(events.pipe(withUsage())))).toEqual(told);
        }),
      );
    });

    it('however often the operator is there', () => {
      fc.assert(
        fc.property(attempts, endings, (totals, ending) => {
          const events = endedBy(eventsOf(totals), ending);
          const once = outcomeOf(events.pipe(withUsage()));
          expect(outcomeOf(events.pipe(withUsage(), withUsage()))).toEqual(once);
        }),
      );
    });

    it('and tells a consumer who leaves no more than he took', () => {
      fc.assert(
        fc.property(attempts, endings, fc.nat(12), (totals, ending, count) => {
          const events = endedBy(eventsOf(totals), ending);
          const whole = outcomeOf(events.pipe(withUsage()));
          const taken = outcomeOf(events.pipe(withUsage(), take(count)));
          const values = whole.slice(0, -1).slice(0, count);
          expect(taken).toEqual(values.length < count ? whole : [...values, 'complete']);
        }),
      );
    });
  });

  it(
    'tells what a stopped answer used, where it was stopped before the operator',
    marbles(({ cold, hot, expectObservable }) => {
      const source = cold('--s--u--a--f', events);
      const stop = hot('   ---------x');
      const result = '     --s-----a(p|)';
      expectObservable(source.pipe(takeUntil(stop), withUsage())).toBe(result, { ...events, p: partial(1) });
    }),
  );

  it('and accumulateBlocks() has the running totals without it, but begins anew with a restart', () => {
    const snapshots: Snapshot[] = [];
    from([start, usage(1), restart, start])
      .pipe(accumulateBlocks())
      .subscribe((snapshot) => snapshots.push(snapshot));
    expect(snapshots.map((snapshot) => snapshot.usage?.outputTokens)).toEqual([
      undefined,
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
