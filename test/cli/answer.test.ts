import { asyncScheduler } from 'rxjs';
import { emptySnapshot, ModelStreamError, type Block } from 'rx-model-stream';
import { stateOf, timed, withSnapshot, type Answer } from '../../src/cli/answer';
import { marbles } from '../support/marbles';
import { snapshotWith } from './answers';

const asked: Answer = { label: 'Model', snapshot: emptySnapshot, askedAt: 100 };

function firstTokenAt(block: Block): number | undefined {
  return withSnapshot(asked, { value: snapshotWith({ blocks: [block] }), timestamp: 150 }).firstTokenAt;
}

describe('withSnapshot', () => {
  it('takes the first thing to be seen for the first token, be it text, reasoning, a call or a picture', () => {
    const seen: Block[] = [
      { kind: 'text', text: 'H' },
      { kind: 'reasoning', text: 'S' },
      { kind: 'tool-call', id: 'c', name: 'look', arguments: '', format: 'json', state: 'open' },
      { kind: 'tool-result', content: [] },
      { kind: 'media', parts: ['aGk='] },
      { kind: 'media', parts: [], url: 'https://picture.example' },
    ];
    expect(seen.map(firstTokenAt)).toEqual(seen.map(() => 150));
  });

  it('takes no block that is still empty for it', () => {
    const empty: Block[] = [
      { kind: 'text', text: '' },
      { kind: 'reasoning', text: '' },
      { kind: 'media', parts: [] },
    ];
    expect(empty.map(firstTokenAt)).toEqual(empty.map(() => undefined));
  });
});

describe('timed', () => {
  it(
    'emits the answer before anything has come, and when what came',
    marbles(({ cold, expectObservable }) => {
      const begun = snapshotWith({});
      const growing = snapshotWith({ blocks: [{ kind: 'text', text: 'H' }] });
      const grown = snapshotWith({ blocks: [{ kind: 'text', text: 'Hi' }] });
      const ended = { ...grown, status: 'complete' } as const;
      const clock = { now: () => 100 + asyncScheduler.now() };
      const snapshots = cold('  --a--b--c--d-|', { a: begun, b: growing, c: grown, d: ended });
      const result = '          z-a--b--c--d-|';
      expectObservable(snapshots.pipe(timed('Model', clock))).toBe(result, {
        z: asked,
        a: { ...asked, snapshot: begun },
        b: { ...asked, snapshot: growing, firstTokenAt: 105 },
        c: { ...asked, snapshot: grown, firstTokenAt: 105 },
        d: { ...asked, snapshot: ended, firstTokenAt: 105, endedAt: 111 },
      });
    }),
  );
});

describe('stateOf', () => {
  it('says how an answer ended, or where it stands', () => {
    const error = new ModelStreamError('network', 'Connection lost');
    expect(stateOf(emptySnapshot)).toBe('waiting');
    expect(stateOf(snapshotWith({}))).toBe('streaming');
    expect(stateOf(snapshotWith({ status: 'complete', finishReason: 'length' }))).toBe('length');
    expect(stateOf(snapshotWith({ status: 'failed', error }))).toBe('failed: network');
    expect(stateOf(snapshotWith({ status: 'stopped' }))).toBe('stopped');
  });
});
