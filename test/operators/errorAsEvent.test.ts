import { accumulateBlocks, errorAsEvent, ModelStreamError, type ModelEvent, type Snapshot } from 'rx-model-stream';
import { merge } from 'rxjs';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const start: ModelEvent = { type: 'response-start', provider: 'demo' };
const text: ModelEvent = { type: 'text-delta', index: 0, text: 'a' };
const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });

describeOperatorContract<ModelEvent, ModelEvent>('errorAsEvent', {
  create: () => errorAsEvent(),
  inputs: [start, text],
});

describe('errorAsEvent()', () => {
  const events: Record<string, ModelEvent> = { s: start, a: text, e: { type: 'error', error: lost } };

  it(
    'turns the failure of a stream into a last event',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--a--#   ', events, lost);
      const subscription = ' ^-------!   ';
      const result = '       --s--a--(e|)';
      expectObservable(source.pipe(errorAsEvent())).toBe(result, events);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'changes nothing of a stream that does not fail',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--|', events);
      const result = '     --s--a--|';
      expectObservable(source.pipe(errorAsEvent())).toBe(result, events);
    }),
  );

  it(
    '1. passes an error that is no ModelStreamError unchanged',
    marbles(({ cold, expectObservable }) => {
      const bug = new TypeError('Not a function');
      const source = cold('--s--#', events, bug);
      const result = '     --s--#';
      expectObservable(source.pipe(errorAsEvent())).toBe(result, events, bug);
    }),
  );

  it(
    'lets the others go on where many are merged',
    marbles(({ cold, expectObservable }) => {
      const failing = cold('--s--#        ', events, lost);
      const other = cold('  ---s---a----| ', events);
      const result = '      --ss-e-a----| ';
      expectObservable(merge(failing.pipe(errorAsEvent()), other.pipe(errorAsEvent()))).toBe(result, events);
    }),
  );

  it(
    'makes a last snapshot of the failure, before accumulateBlocks',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--#   ', events, lost);
      const result = '     --S--(E|)';
      const opened: Snapshot = { status: 'streaming', ordinal: 0, provider: 'demo', blocks: [] };
      expectObservable(source.pipe(errorAsEvent(), accumulateBlocks())).toBe(result, {
        S: opened,
        E: { ...opened, status: 'failed', error: lost },
      });
    }),
  );
});
