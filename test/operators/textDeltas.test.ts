import { ModelStreamError, textDeltas, type ModelEvent } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
const hel: ModelEvent = { type: 'text-delta', index: 0, text: 'Hel' };
const lo: ModelEvent = { type: 'text-delta', index: 0, text: 'lo' };
const restart: ModelEvent = { type: 'restart', attempt: 1, cause: lost };

const events: Record<string, ModelEvent> = {
  s: { type: 'response-start', provider: 'demo' },
  a: hel,
  b: lo,
  // The second alternative: block 1.
  o: { type: 'block-start', index: 1, block: { kind: 'text', text: '', choice: 1 } },
  c: { type: 'text-delta', index: 1, text: 'eins' },
  // Reasoning: block 2.
  r: { type: 'reasoning-delta', index: 2, text: 'Hm' },
  e: { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hello' } },
  f: { type: 'finish', reason: 'stop' },
  R: restart,
};
const texts: Record<string, string> = { x: 'Hel', y: 'lo', z: 'eins' };

describeOperatorContract<ModelEvent, string>('textDeltas', {
  create: () => textDeltas(),
  inputs: [hel, lo, { type: 'finish', reason: 'stop' }],
  failing: { inputs: [hel, restart], error: lost },
});

describe('textDeltas()', () => {
  it(
    '1. picks the text as it grows, and nothing else',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--r--b--e--f--|', events);
      const result = '     -----x-----y--------|';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts);
    }),
  );

  it(
    '1. picks the first alternative unless told otherwise',
    marbles(({ cold, expectObservable }) => {
      const source = '  --s--a--o--c--b--f--|';
      const first = '   -----x--------y-----|';
      const second = '  -----------z--------|';
      const third = '   --------------------|';
      expectObservable(cold(source, events).pipe(textDeltas())).toBe(first, texts);
      expectObservable(cold(source, events).pipe(textDeltas({ choice: 0 }))).toBe(first, texts);
      expectObservable(cold(source, events).pipe(textDeltas({ choice: 1 }))).toBe(second, texts);
      expectObservable(cold(source, events).pipe(textDeltas({ choice: 2 }))).toBe(third, texts);
    }),
  );

  it(
    '1. knows the alternatives of each response of a session, where indexes begin anew',
    marbles(({ cold, expectObservable }) => {
      const source = cold<ModelEvent>('--s--o--c--f--s--d--f--|', {
        ...events,
        d: { type: 'text-delta', index: 1, text: 'Hel' },
      });
      const result = '     -----------------x-----|';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts);
    }),
  );

  it(
    '2. passes over a restart before any text',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--r--R--s--a--|', events);
      const result = '     --------------x--|';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts);
    }),
  );

  it(
    '2. passes over a restart where only another alternative has spoken, and forgets whose the indexes were',
    marbles(({ cold, expectObservable }) => {
      const source = cold<ModelEvent>('--o--c--R--d--|', {
        ...events,
        d: { type: 'text-delta', index: 1, text: 'Hel' },
      });
      const result = '     -----------x--|';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts);
    }),
  );

  it(
    '2. fails with the cause of a restart once text was handed out, and leaves the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--a--R--s--b--|', events);
      const subscription = ' ^-------!         ';
      const result = '       -----x--#         ';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts, lost);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'passes a failure unchanged after what came before it',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--a--#', events, lost);
      const result = '     -----x--#';
      expectObservable(source.pipe(textDeltas())).toBe(result, texts, lost);
    }),
  );

  it(
    'takes a block that did not say whose it is for the first alternative',
    marbles(({ cold, expectObservable }) => {
      const source = '  --s--a--b--|';
      const second = '  -----------|';
      expectObservable(cold(source, events).pipe(textDeltas({ choice: 1 }))).toBe(second, texts);
    }),
  );
});
