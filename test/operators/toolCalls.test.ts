import { ModelStreamError, toolCalls, type ModelEvent, type ToolCallBlock } from 'rx-model-stream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });

const call: ToolCallBlock = {
  kind: 'tool-call',
  id: 'call_1',
  name: 'add',
  arguments: '{"a":1}',
  format: 'json',
  state: 'whole',
};
const open: ToolCallBlock = { ...call, arguments: '', state: 'open' };

function end(block: Partial<ToolCallBlock> = {}): ModelEvent {
  return { type: 'block-end', index: 0, block: { ...call, ...block } };
}

const restart: ModelEvent = { type: 'restart', attempt: 1, cause: lost };

const events: Record<string, ModelEvent> = {
  s: { type: 'response-start', provider: 'demo' },
  o: { type: 'block-start', index: 0, block: open },
  d: { type: 'tool-call-delta', index: 0, id: 'call_1', argumentsDelta: '{"a":1}' },
  e: end(),
  u: { type: 'block-update', index: 0, block: { ...call, signature: 'late' } },
  t: { type: 'block-end', index: 1, block: { kind: 'text', text: 'Hi' } },
  c: end({ state: 'cut', arguments: '{"a":' }),
  k: end({ state: 'cancelled' }),
  p: end({ providerExecuted: true }),
  m: end({ format: 'text', arguments: 'free text' }),
  O: { type: 'block-start', index: 0, block: { ...open, choice: 1 } },
  E: end({ choice: 1 }),
  f: { type: 'finish', reason: 'tool-calls' },
  R: restart,
};
const calls: Record<string, ToolCallBlock> = {
  x: call,
  y: { ...call, format: 'text', arguments: 'free text' },
  z: { ...call, choice: 1 },
};

describeOperatorContract<ModelEvent, ToolCallBlock>('toolCalls', {
  create: () => toolCalls(),
  inputs: [end(), end({ id: 'call_2' }), { type: 'finish', reason: 'tool-calls' }],
  failing: { inputs: [end(), restart], error: lost },
});

describe('toolCalls()', () => {
  it(
    'emits a call once, when its arguments are whole',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--o--d--e--u--t--f--|', events);
      const result = '     -----------x-----------|';
      expectObservable(source.pipe(toolCalls())).toBe(result, calls);
    }),
  );

  it(
    '1. never emits a call that was cut or cancelled, nor one that the provider runs itself',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--c--k--p--f--|', events);
      const result = '     -----------------|';
      expectObservable(source.pipe(toolCalls())).toBe(result, calls);
    }),
  );

  it(
    '1. emits a call whose argument is free text',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--m--f--|', events);
      const result = '     -----y-----|';
      expectObservable(source.pipe(toolCalls())).toBe(result, calls);
    }),
  );

  it(
    'emits the calls of the alternative it is told to',
    marbles(({ cold, expectObservable }) => {
      const source = '  --s--O--E--s--o--e--f--|';
      const first = '   -----------------x-----|';
      const second = '  --------z--------------|';
      expectObservable(cold(source, events).pipe(toolCalls())).toBe(first, calls);
      expectObservable(cold(source, events).pipe(toolCalls({ choice: 1 }))).toBe(second, calls);
    }),
  );

  it(
    'looks at the block that ends where no block-start came',
    marbles(({ cold, expectObservable }) => {
      const source = '  --s--E--s--e--f--|';
      const first = '   -----------x-----|';
      const second = '  -----z-----------|';
      expectObservable(cold(source, events).pipe(toolCalls())).toBe(first, calls);
      expectObservable(cold(source, events).pipe(toolCalls({ choice: 1 }))).toBe(second, calls);
    }),
  );

  it(
    '2. passes over a restart before any call was whole',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--s--o--d--R--s--e--|', events);
      const result = '     -----------------x--|';
      expectObservable(source.pipe(toolCalls())).toBe(result, calls);
    }),
  );

  it(
    '2. fails with the cause of a restart once a call was handed out, and leaves the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --s--e--R--s--e--|', events);
      const subscription = ' ^-------!         ';
      const result = '       -----x--#         ';
      expectObservable(source.pipe(toolCalls())).toBe(result, calls, lost);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );
});
