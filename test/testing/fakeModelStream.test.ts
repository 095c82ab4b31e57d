import fc from 'fast-check';
import { asyncScheduler, retry } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import {
  accumulateBlocks,
  ModelStreamError,
  textDeltas,
  toolCalls,
  type ModelEvent,
  type Snapshot,
  type ToolCallBlock,
} from 'rx-model-stream';
import { fakeModelStream, type FakeMoment } from 'rx-model-stream/testing';
import { brokenLaws } from '../../src/testing/contract/eventLaws';
import { blocksOf } from '../support/foldedBlocks';
import { marbles } from '../support/marbles';

type Moments = Readonly<Record<string, FakeMoment>>;

const lost = new ModelStreamError('network', 'Cannot read the body: the connection failed', { retryable: true });
const overloaded = new ModelStreamError('provider', 'Overloaded', { providerCode: 'overloaded_error' });

/** Everything that is said, with its moment; a failure is the last. */
function heardOf(diagram: string, moments?: Moments): [at: number, said: unknown][] {
  const heard: [number, unknown][] = [];
  new TestScheduler(() => true).run(({ cold }) => {
    const add = (said: unknown): unknown => heard.push([asyncScheduler.now(), said]);
    fakeModelStream(cold, diagram, moments).subscribe({ next: add, error: add });
  });
  return heard;
}

function eventsOf(diagram: string, moments?: Moments): ModelEvent[] {
  return heardOf(diagram, moments).map(([, event]) => event as ModelEvent);
}

function snapshotsOf(diagram: string, moments?: Moments): Snapshot[] {
  const snapshots: Snapshot[] = [];
  new TestScheduler(() => true).run(({ cold }) => {
    fakeModelStream(cold, diagram, moments)
      .pipe(accumulateBlocks())
      .subscribe({ next: (snapshot) => snapshots.push(snapshot), error: () => undefined });
  });
  return snapshots;
}

const call = (fields: Partial<ToolCallBlock>): ToolCallBlock => ({
  kind: 'tool-call',
  id: 'call_1',
  name: 'now',
  arguments: '{}',
  format: 'json',
  state: 'whole',
  ...fields,
});

describe('fakeModelStream()', () => {
  it('1. says all events of a letter in its moment and shifts nothing', () => {
    const moments: Moments = { a: { text: 'Hel' }, b: { text: 'lo' }, c: { toolCall: { name: 'now', arguments: {} } } };
    expect(heardOf('--a--b--c--|', moments)).toEqual([
      [2, { type: 'response-start', provider: 'fake', responseId: 'fake_1' }],
      [2, { type: 'block-start', index: 0, block: { kind: 'text', text: '' } }],
      [2, { type: 'text-delta', index: 0, text: 'Hel' }],
      [5, { type: 'text-delta', index: 0, text: 'lo' }],
      [8, { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hello' } }],
      [8, { type: 'block-start', index: 1, block: call({ arguments: '', state: 'open' }) }],
      [8, { type: 'tool-call-delta', index: 1, id: 'call_1', argumentsDelta: '{}' }],
      [8, { type: 'block-end', index: 1, block: call({}) }],
      [11, { type: 'finish', reason: 'tool-calls' }],
    ]);
  });

  it('1. says several things in one moment, in the order of the fields', () => {
    const all: FakeMoment = {
      usage: { outputTokens: 1 },
      finish: 'stop',
      text: 'Hi',
      reasoning: 'Hm',
      start: { model: 'm' },
    };
    const heard = heardOf('--a-|', { a: all });
    expect(heard.map(([at, said]) => [at, (said as ModelEvent).type])).toEqual([
      [2, 'response-start'],
      [2, 'block-start'],
      [2, 'reasoning-delta'],
      [2, 'block-end'],
      [2, 'block-start'],
      [2, 'text-delta'],
      [2, 'usage'],
      [2, 'block-end'],
      [2, 'finish'],
    ]);
  });

  it(
    'takes marbles as cold does, with time progression and groups',
    marbles(({ cold, expectObservable }) => {
      const answer = fakeModelStream(cold, ' 10ms a 5ms (bd)-e 1s |');
      expectObservable(answer.pipe(textDeltas())).toBe('10ms a 5ms (bd)-e 1s |');
    }),
  );

  it('gives every letter without a moment its meaning', () => {
    const said = eventsOf('S-R-t-C-U-F-|').filter(({ type }) => type !== 'block-start' && type !== 'block-end');
    expect(said).toEqual([
      { type: 'response-start', provider: 'fake', responseId: 'fake_1' },
      { type: 'reasoning-delta', index: 0, text: 'R' },
      { type: 'text-delta', index: 1, text: 't' },
      { type: 'tool-call-delta', index: 2, id: 'call_1', argumentsDelta: '{}' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('2. keeps what belongs together in one block, whatever usage comes between, and parts what does not', () => {
    expect(snapshotsOf('a-U-b-R-C-d|').at(-1)?.blocks).toEqual([
      { kind: 'text', text: 'ab' },
      { kind: 'reasoning', text: 'R' },
      { kind: 'tool-call', id: 'call_1', name: 'C', arguments: '{}', format: 'json', state: 'whole' },
      { kind: 'text', text: 'd' },
    ]);
  });

  it('2. finishes an answer without a word', () => {
    expect(eventsOf('--|').map(({ type }) => type)).toEqual(['response-start', 'finish']);
  });

  it('2. keeps the laws of the vocabulary, whatever is said and however it ends', () => {
    const word: fc.Arbitrary<FakeMoment[]> = fc.oneof(
      fc.constantFrom<FakeMoment[]>(
        [{}],
        [{ text: 'a' }],
        [{ text: '' }],
        [{ reasoning: 'b' }],
        [{ usage: { outputTokens: 1 } }],
      ),
      fc.constantFrom<FakeMoment[]>(
        [{ toolCall: { name: 'c', arguments: { place: 'Évora' } } }],
        [{ toolCall: { name: 'c', arguments: '{"place":' } }],
        [{ toolCall: { name: 'c' } }],
        [{ toolCall: { name: 'c' } }, { argumentsDelta: '{"a"' }, {}, { usage: {} }, { argumentsDelta: ':1}' }],
      ),
    );
    const endings = fc.constantFrom('|', 'F|', 'L|', '#', 'E', '');
    const ends: Moments = { L: { finish: 'length' }, E: { text: 'x', error: overloaded } };
    fc.assert(
      fc.property(fc.array(word, { maxLength: 9 }), endings, (words, ending) => {
        const said = words.flat();
        const letters = said.map((_moment, index) => String.fromCharCode(0xe000 + index));
        const moments = Object.fromEntries(letters.map((letter, index) => [letter, said[index]!]));
        const heard = heardOf(`${letters.join('')}${ending}`, { ...moments, ...ends }).map(([, event]) => event);
        const events = heard.filter((event): event is ModelEvent => !(event instanceof ModelStreamError));
        expect(brokenLaws('fake', events, ending.endsWith('|'))).toEqual([]);
        const snapshots = snapshotsOf(`${letters.join('')}${ending}`, { ...moments, ...ends });
        expect(snapshots.at(-1)?.blocks ?? []).toEqual(blocksOf(events));
      }),
    );
  });

  it(
    'ends a call that brings its arguments in the same moment',
    marbles(({ cold, expectObservable }) => {
      const place = { place: 'Évora' };
      const answer = fakeModelStream(cold, '--a--b--|', {
        a: { toolCall: { name: 'now', arguments: place } },
        b: { toolCall: { name: 'now', arguments: '{"place":"Faro"}', id: 'mine' } },
      });
      const result = '                       --x--y--|';
      expectObservable(answer.pipe(toolCalls())).toBe(result, {
        x: call({ arguments: JSON.stringify(place) }),
        y: call({ arguments: '{"place":"Faro"}', id: 'mine' }),
      });
    }),
  );

  it(
    'keeps a call without arguments open for more, until something else is said',
    marbles(({ cold, expectObservable }) => {
      const moments: Moments = {
        c: { toolCall: { name: 'now' } },
        a: { argumentsDelta: '{"a"' },
        b: { argumentsDelta: ':1}' },
      };
      const answer = fakeModelStream(cold, '--c--a--b--t--|', moments);
      const result = '                       -----------x--|';
      expectObservable(answer.pipe(toolCalls())).toBe(result, { x: call({ arguments: '{"a":1}' }) });
    }),
  );

  it.each<[string, string, Moments]>([
    ['do not parse', '-c-|', { c: { toolCall: { name: 'now', arguments: '{"a"' } } }],
    ['the token limit cuts off', '-c-F|', { c: { toolCall: { name: 'now' } }, F: { finish: 'length' } }],
  ])('cuts a call whose arguments %s', (_what, diagram, moments) => {
    expect(snapshotsOf(diagram, moments).at(-1)?.blocks).toMatchObject([{ state: 'cut' }]);
  });

  it.each<[string, string, FakeMoment['finish'], object]>([
    ['stop', 'a-F|', {}, { reason: 'stop' }],
    ['tool-calls after a call', 'C-F|', {}, { reason: 'tool-calls' }],
    ['the reason it is given', 'C-F|', 'length', { reason: 'length' }],
    [
      'what else it is given',
      'C-F|',
      { rawReason: 'end', turn: [1] },
      { reason: 'tool-calls', rawReason: 'end', turn: [1] },
    ],
  ])('finishes with %s', (_what, diagram, finish = {}, said) => {
    expect(eventsOf(diagram, { F: { finish } }).at(-1)).toEqual({ type: 'finish', ...said });
  });

  it(
    '3. fails at # as a lost connection does',
    marbles(({ cold, expectObservable }) => {
      const answer = fakeModelStream(cold, '--a--U--#');
      const result = '                       --a-----#';
      expectObservable(answer.pipe(textDeltas())).toBe(result, undefined, lost);
    }),
  );

  it(
    '3. fails with the error of a moment, after what is said in it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer = fakeModelStream(cold, '--a--b--c--|', { b: { text: 'b', error: overloaded } });
      const subscription = '                 ^----!      ';
      const result = '                       --a--(b#)   ';
      expectObservable(answer.pipe(textDeltas())).toBe(result, undefined, overloaded);
      expectSubscriptions(answer.subscriptions).toBe(subscription);
    }),
  );

  it('names a response as it is told to', () => {
    const start = { provider: 'anthropic', responseId: 'msg_1', model: 'm1' };
    expect(eventsOf('-S-|', { S: { start } })[0]).toEqual({ type: 'response-start', ...start });
  });

  it('begins the next response of a session at a start', () => {
    const last = snapshotsOf('-a-F-S-b-F-|').filter(({ status }) => status === 'complete');
    expect(last).toMatchObject([
      { ordinal: 0, responseId: 'fake_1', blocks: [{ text: 'a' }] },
      { ordinal: 1, responseId: 'fake_2', blocks: [{ text: 'b' }] },
    ]);
  });

  it(
    'begins anew at a restart, which takes back what was said',
    marbles(({ cold, expectObservable }) => {
      const moments: Moments = { X: { restart: lost } };
      const answer = fakeModelStream(cold, '--a--X--b--|', moments);
      expectObservable(answer.pipe(textDeltas())).toBe('--a--#', undefined, lost);
      expect(snapshotsOf('--a--X--b--|', moments).at(-1)).toMatchObject({
        ordinal: 0,
        status: 'complete',
        blocks: [{ text: 'b' }],
      });
    }),
  );

  it(
    'is cold: each subscription hears all of it, and is recorded',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer = fakeModelStream(cold, '--a--#');
      const result = '                       --a----a--#';
      expectObservable(answer.pipe(retry(1), textDeltas())).toBe(result, undefined, lost);
      expectSubscriptions(answer.subscriptions).toBe(['^----!', '-----^----!']);
    }),
  );

  it.each<[string, string, Moments, string]>([
    ['a word after the finish', '-F-a-|', {}, 'Cannot say more: the response has finished'],
    ['usage after the finish', '-F-U-|', {}, 'Cannot say more: the response has finished'],
    ['a second finish', '-F-F-|', {}, 'Cannot say more: the response has finished'],
    ['a start in the midst', '-a-S-|', {}, 'Cannot start a response: the one before has not finished'],
    ['a restart after the finish', '-F-X-|', { X: { restart: lost } }, 'Cannot restart: the response has finished'],
    ['arguments of no call', '-a-b-|', { b: { argumentsDelta: '{' } }, 'Cannot add arguments: no tool call is open'],
    [
      'arguments of a call that has ended',
      '-C-b-|',
      { b: { argumentsDelta: '{' } },
      'Cannot add arguments: no tool call is open',
    ],
  ])('throws a RangeError at once for %s', (_what, diagram, moments, message) => {
    marbles(({ cold }) => {
      expect(() => fakeModelStream(cold, diagram, moments)).toThrow(new RangeError(message));
    })();
  });
});
