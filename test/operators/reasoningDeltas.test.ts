import { ModelStreamError, reasoningDeltas, type ModelEvent } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
const letMe: ModelEvent = { type: 'reasoning-delta', index: 0, text: 'Let me' };
const see: ModelEvent = { type: 'reasoning-delta', index: 0, text: ' see' };
const restart: ModelEvent = { type: 'restart', attempt: 1, cause: lost };

const events: Record<string, ModelEvent> = {
  s: { type: 'response-start', provider: 'demo' },
  a: letMe,
  b: see,
  t: { type: 'text-delta', index: 1, text: 'Hi' },
  // The second alternative: block 2.
  o: { type: 'block-start', index: 2, block: { kind: 'reasoning', text: '', choice: 1 } },
  c: { type: 'reasoning-delta', index: 2, text: 'Hm' },
  f: { type: 'finish', reason: 'stop' },
  R: restart,
};
const thoughts: Record<string, string> = { x: 'Let me', y: ' see', z: 'Hm' };

describeOperatorContract<ModelEvent, string>('reasoningDeltas', {
  create: () => reasoningDeltas(),
  inputs: [letMe, see, { type: 'finish', reason: 'stop' }],
  failing: { inputs: [letMe, restart], error: lost },
});

describe('reasoningDeltas()', () => {
  it(
    '1. picks the reasoning as it grows, and nothing else',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--t--b--f--|', events);
      const result = '     -----x-----y-----|';
      expectObservable(source.pipe(reasoningDeltas())).toBe(result, thoughts);
    }),
  );

  it(
    '1. picks the alternative it is told to',
    marbles(({ cold, expectObservable }) => {
      const source = '  --s--a--o--c--b--f--|';
      const first = '   -----x--------y-----|';
      const second = '  -----------z--------|';
      expectObservable(cold(source, events).pipe(reasoningDeltas())).toBe(first, thoughts);
      expectObservable(cold(source, events).pipe(reasoningDeltas({ choice: 1 }))).toBe(second, thoughts);
    }),
  );

  it(
    '2. passes over a restart before any reasoning',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--t--R--s--a--|', events);
      const result = '     --------------x--|';
      expectObservable(source.pipe(reasoningDeltas())).toBe(result, thoughts);
    }),
  );

  it(
    '2. fails with the cause of a restart once reasoning was handed out, and leaves the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--a--R--s--b--|', events);
      const subscription = ' ^-------!         ';
      const result = '       -----x--#         ';
      expectObservable(source.pipe(reasoningDeltas())).toBe(result, thoughts, lost);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );
});
