import { concat, from, of, take, throwError } from 'rxjs';
import {
  accumulateBlocks,
  isModelStreamError,
  ModelStreamError,
  textOf,
  type ModelEvent,
  type Snapshot,
} from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';
import { outcomeOf } from '../support/outcome';

const start: ModelEvent = { type: 'response-start', provider: 'demo', model: 'm1' };
const hel: ModelEvent = { type: 'text-delta', index: 0, text: 'Hel' };
const lo: ModelEvent = { type: 'text-delta', index: 0, text: 'lo' };
const late: ModelEvent = { type: 'text-delta', index: 7, text: 'a' };
const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });

const idle: Snapshot = { status: 'idle', ordinal: 0, blocks: [] };
const opened: Snapshot = { status: 'streaming', ordinal: 0, provider: 'demo', model: 'm1', blocks: [] };
const saidHel: Snapshot = { ...opened, blocks: [{ kind: 'text', text: 'Hel' }] };
const saidHello: Snapshot = { ...opened, blocks: [{ kind: 'text', text: 'Hello' }] };

function misfit(snapshot: Snapshot): ModelStreamError {
  const message = 'Cannot apply text-delta: block 7 does not follow 1 blocks';
  const error = new ModelStreamError('malformed', message);
  return new ModelStreamError('malformed', message, { snapshot: { ...snapshot, status: 'failed', error } });
}

describeOperatorContract<ModelEvent, Snapshot>('accumulateBlocks', {
  create: () => accumulateBlocks(),
  inputs: [hel, lo, { type: 'finish', reason: 'stop' }],
  empty: { marble: '(x|)', values: { x: { ...idle, status: 'stopped' } } },
  failing: {
    inputs: [start, hel, late],
    error: misfit(saidHel),
  },
});

describe('accumulateBlocks()', () => {
  const events: Record<string, ModelEvent> = {
    s: start,
    a: hel,
    b: lo,
    r: { type: 'raw', provider: 'demo', event: 1 },
    u: { type: 'usage', usage: { outputTokens: 2 } },
    f: { type: 'finish', reason: 'stop', rawReason: 'end_turn', turn: 'turn' },
    e: { type: 'error', error: lost },
    R: { type: 'restart', attempt: 1, cause: lost },
    x: late,
  };
  const ended = { finishReason: 'stop', rawFinishReason: 'end_turn', turn: 'turn' } as const;
  const snapshots: Record<string, Snapshot> = {
    S: opened,
    A: saidHel,
    B: saidHello,
    U: { ...saidHello, usage: { outputTokens: 2 } },
    F: { ...saidHello, ...ended, status: 'complete', usage: { outputTokens: 2 } },
    E: { ...saidHel, status: 'failed', error: lost },
    P: { ...saidHel, status: 'stopped' },
    I: idle,
  };

  it(
    'emits a snapshot for each event that changes something',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a-r-b--u--f--|', events);
      const result = '     --S--A---B--U--F--|';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots);
    }),
  );

  it('1. keeps the identity of a block that did not change', () => {
    const said: Snapshot[] = [];
    from([start, hel, { type: 'text-delta', index: 1, text: 'a' }, { type: 'finish', reason: 'stop' }] as ModelEvent[])
      .pipe(accumulateBlocks())
      .subscribe((snapshot) => said.push(snapshot));
    const [first] = said[1]!.blocks;
    expect(said.slice(1).map(({ blocks }) => blocks[0] === first)).toEqual([true, true, true]);
  });

  it(
    '3. begins a new snapshot at each response of a session, with the next ordinal',
    marbles(({ cold, expectObservable }) => {
      const source = cold<ModelEvent>('--s--f--s--a--f--|', { ...events, f: { type: 'finish', reason: 'stop' } });
      const result = '     --S--F--T--U--V--|';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, {
        S: opened,
        F: { ...opened, status: 'complete', finishReason: 'stop' },
        T: { ...opened, ordinal: 1 },
        U: { ...saidHel, ordinal: 1 },
        V: { ...saidHel, ordinal: 1, status: 'complete', finishReason: 'stop' },
      });
    }),
  );

  it(
    '3. begins the same one anew at a restart',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--R--s--a--|   ', events);
      const result = '     --S--A--I--S--A--(P|)';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots);
    }),
  );

  it(
    '4. says stopped when the source completes without an ending',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--a--b--f--|', events);
      const subscription = ' ^----!';
      const result = '       --S--(AP|)';
      expectObservable(source.pipe(take(2), accumulateBlocks())).toBe(result, snapshots);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it.each(['f', 'e'])('4. says nothing more when the source completes after its ending: %s', (ending) => {
    const outcome = outcomeOf(from([events['s']!, events[ending]!]).pipe(accumulateBlocks()));
    expect(outcome.filter((said) => said !== 'complete')).toHaveLength(2);
  });

  it(
    '5. reports a failure as a copy that carries the snapshot so far',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--#', events, lost);
      const result = '     --S--A--#';
      const error = new ModelStreamError('network', 'Connection lost', { retryable: true, snapshot: snapshots['E'] });
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots, error);
    }),
  );

  it('5. leaves the failure itself as it was', () => {
    let reported: unknown;
    concat(
      of(start, hel),
      throwError(() => lost),
    )
      .pipe(accumulateBlocks())
      .subscribe({ error: (error: unknown) => (reported = error) });
    expect(isModelStreamError(reported)).toBe(true);
    expect(reported).not.toBe(lost);
    expect(lost.snapshot).toBeUndefined();
  });

  it(
    '5. passes an error that is no ModelStreamError unchanged',
    marbles(({ cold, expectObservable }) => {
      const bug = new TypeError('Not a function');
      const source = cold('--s--#', events, bug);
      const result = '     --S--#';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots, bug);
    }),
  );

  it(
    'shows a failure that came as an event as a failed snapshot',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--(e|)', events);
      const result = '     --S--A--(E|)';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots);
    }),
  );

  it(
    'fails with malformed when an event does not fit its block, with the snapshot so far',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--a--x--b--|', events);
      const subscription = ' ^-------!      ';
      const result = '       --S--A--#      ';
      expectObservable(source.pipe(accumulateBlocks())).toBe(result, snapshots, misfit(saidHel));
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it('2. folds 100,000 blocks whose list nobody reads, and then reads it', () => {
    const count = 100_000;
    const events = function* (): Iterable<ModelEvent> {
      yield start;
      for (let index = 0; index < count; index += 1) {
        yield { type: 'block-start', index, block: { kind: 'text', text: '' } };
        yield { type: 'text-delta', index, text: 'a' };
        yield { type: 'block-end', index, block: { kind: 'text', text: 'a' } };
      }
      yield { type: 'finish', reason: 'stop' };
    };
    let last: Snapshot | undefined;
    from(events())
      .pipe(accumulateBlocks())
      .subscribe((snapshot) => (last = snapshot));
    expect(textOf(last!)).toBe('a'.repeat(count));
  });
});
