import fc from 'fast-check';
import {
  applyEvent,
  emptySnapshot,
  ModelStreamError,
  textOf,
  type Block,
  type ModelEvent,
  type Snapshot,
  type ToolCallBlock,
} from 'rx-model-stream';
import { withStatus } from '../../src/applyEvent';
import { asData } from '../support/marbles';
import { plainError } from '../support/outcome';

const openCall: ToolCallBlock = {
  kind: 'tool-call',
  id: 'call_1',
  name: 'add',
  arguments: '',
  format: 'json',
  state: 'open',
};
const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });

const started: ModelEvent = { type: 'response-start', provider: 'demo', responseId: 'r1', model: 'm1' };

function fold(events: readonly ModelEvent[], from: Snapshot = emptySnapshot): Snapshot {
  return events.reduce<Snapshot>((snapshot, event) => applyEvent(snapshot, event), from);
}

/** All snapshots on the way, the one before the first event included. */
function foldAll(events: readonly ModelEvent[], from: Snapshot = emptySnapshot): Snapshot[] {
  const snapshots = [from];
  for (const event of events) snapshots.push(applyEvent(snapshots.at(-1)!, event));
  return snapshots;
}

const kinds = ['text', 'reasoning', 'tool-call', 'media'] as const;

function delta(kind: (typeof kinds)[number], index: number, text: string): ModelEvent {
  switch (kind) {
    case 'text':
      return { type: 'text-delta', index, text };
    case 'reasoning':
      return { type: 'reasoning-delta', index, text };
    case 'tool-call':
      return { type: 'tool-call-delta', index, id: `call_${index}`, name: 'add', argumentsDelta: text };
    case 'media':
      return { type: 'media-delta', index, data: text };
  }
}

/** What a response says: blocks that grow one after another or all at once, and things beside them. */
const response: fc.Arbitrary<ModelEvent[]> = fc
  .tuple(
    fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 50 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'b', '{"c":')), { maxLength: 40 }),
    fc.boolean(),
  )
  .map(([blocks, growths, finishes]) => [
    started,
    ...blocks.map((kind, index) => delta(kind, index, '')),
    ...growths.map(([place, text]) => delta(blocks[place % blocks.length]!, place % blocks.length, text)),
    { type: 'usage', usage: { inputTokens: 1 } },
    ...(finishes ? [{ type: 'finish', reason: 'stop' } as const] : []),
  ]);

/** One after which another may begin. */
const finishedResponse = response.filter((events) => events.at(-1)?.type === 'finish');

describe('applyEvent()', () => {
  describe('1. changes neither argument', () => {
    it('leaves every snapshot as it was, whatever comes after it', () => {
      fc.assert(
        fc.property(finishedResponse, response, (events, later) => {
          const copies: unknown[] = [];
          const snapshots = foldAll([...events, ...later]);
          let snapshot: Snapshot = emptySnapshot;
          copies.push(structuredClone(asData(snapshot)));
          for (const event of [...events, ...later]) {
            snapshot = applyEvent(snapshot, event);
            copies.push(structuredClone(asData(snapshot)));
          }
          expect(snapshots.map(asData)).toEqual(copies);
        }),
        { numRuns: 50 },
      );
    });

    it('accepts frozen arguments', () => {
      const event = Object.freeze({ type: 'citation', index: 0, citation: Object.freeze({ raw: 1 }) } as const);
      const snapshot = applyEvent(Object.freeze(applyEvent(emptySnapshot, started)), event);
      expect(snapshot.blocks).toEqual([{ kind: 'text', text: '', citations: [{ raw: 1 }] }]);
    });

    it('lets two futures grow from one snapshot', () => {
      fc.assert(
        fc.property(response, fc.nat(), (events, place) => {
          const cut = place % events.length;
          const fork = fold(events.slice(0, cut));
          fold(events.slice(cut), fork);
          const other = delta('text', fork.blocks.length, 'another future');
          expect(applyEvent(fork, other).blocks).toEqual([...fork.blocks, { kind: 'text', text: 'another future' }]);
          expect(asData(fold(events.slice(cut), fork))).toEqual(asData(fold(events)));
        }),
        { numRuns: 50 },
      );
    });

    it('keeps the identity of every block that did not change', () => {
      fc.assert(
        fc.property(response, (events) => {
          const snapshots = foldAll(events);
          events.forEach((event, place) => {
            const [before, after] = [snapshots[place]!.blocks, snapshots[place + 1]!.blocks];
            if (event.type === 'response-start') return;
            before.forEach((block, index) => {
              if (!('index' in event) || event.index !== index) expect(after[index]).toBe(block);
            });
          });
        }),
        { numRuns: 50 },
      );
    });
  });

  describe('2. gives the very snapshot it was given for an event that changes nothing', () => {
    const block: Block = { kind: 'text', text: 'Hi' };

    it.each<[string, ModelEvent]>([
      ['a raw event', { type: 'raw', provider: 'demo', event: 1 }],
      ['a block that is there already', { type: 'block-end', index: 0, block }],
    ])('%s', (_what, event) => {
      const snapshot = fold([started, { type: 'block-start', index: 0, block }]);
      expect(applyEvent(snapshot, event)).toBe(snapshot);
    });
  });

  describe('3. opens the block after the last at its first delta', () => {
    it.each<[ModelEvent, Block]>([
      [
        { type: 'text-delta', index: 0, text: 'a' },
        { kind: 'text', text: 'a' },
      ],
      [
        { type: 'reasoning-delta', index: 0, text: 'a' },
        { kind: 'reasoning', text: 'a' },
      ],
      [
        { type: 'tool-call-delta', index: 0, id: 'call_1', name: 'add', argumentsDelta: '{' },
        { ...openCall, arguments: '{' },
      ],
      [
        { type: 'tool-call-delta', index: 0, id: 'call_1', argumentsDelta: '{' },
        { ...openCall, name: '', arguments: '{' },
      ],
      [
        { type: 'media-delta', index: 0, data: 'AA==', transcript: 'a' },
        { kind: 'media', parts: ['AA=='], transcript: 'a' },
      ],
      [
        { type: 'citation', index: 0, citation: { raw: 1 } },
        { kind: 'text', text: '', citations: [{ raw: 1 }] },
      ],
    ])('%j', (event, block) => {
      expect(applyEvent(emptySnapshot, event)).toEqual({ status: 'streaming', ordinal: 0, blocks: [block] });
    });

    it.each<[string, readonly ModelEvent[], Block]>([
      [
        'text and its citations',
        [
          { type: 'block-start', index: 0, block: { kind: 'text', text: '', phase: 'final' } },
          { type: 'text-delta', index: 0, text: 'a' },
          { type: 'citation', index: 0, citation: { raw: 1 } },
          { type: 'text-delta', index: 0, text: 'b' },
          { type: 'citation', index: 0, citation: { raw: 2 } },
        ],
        { kind: 'text', text: 'ab', phase: 'final', citations: [{ raw: 1 }, { raw: 2 }] },
      ],
      [
        'reasoning',
        [
          { type: 'block-start', index: 0, block: { kind: 'reasoning', text: '' } },
          { type: 'reasoning-delta', index: 0, text: 'a' },
          { type: 'reasoning-delta', index: 0, text: 'b' },
        ],
        { kind: 'reasoning', text: 'ab' },
      ],
      [
        'the arguments of a call, not its id or name',
        [
          { type: 'block-start', index: 0, block: openCall },
          { type: 'tool-call-delta', index: 0, id: 'other', argumentsDelta: '{"a"' },
          { type: 'tool-call-delta', index: 0, id: 'other', name: 'other', argumentsDelta: ':1}' },
        ],
        { ...openCall, arguments: '{"a":1}' },
      ],
      [
        'media, whose pieces stay apart',
        [
          { type: 'block-start', index: 0, block: { kind: 'media', mimeType: 'audio/pcm', parts: [] } },
          { type: 'media-delta', index: 0, data: 'AA==' },
          { type: 'media-delta', index: 0, transcript: 'a' },
          { type: 'media-delta', index: 0, data: 'AQ==', transcript: 'b' },
        ],
        { kind: 'media', mimeType: 'audio/pcm', parts: ['AA==', 'AQ=='], transcript: 'ab' },
      ],
      [
        'nothing that the closing block does not say',
        [
          { type: 'text-delta', index: 0, text: 'built by deltas' },
          { type: 'block-end', index: 0, block: { kind: 'text', text: 'authoritative' } },
        ],
        { kind: 'text', text: 'authoritative' },
      ],
      [
        'into what a later update says',
        [
          { type: 'text-delta', index: 0, text: 'a' },
          { type: 'block-end', index: 0, block: { kind: 'text', text: 'a' } },
          { type: 'block-update', index: 0, block: { kind: 'text', text: 'a', citations: [{ raw: 1 }] } },
        ],
        { kind: 'text', text: 'a', citations: [{ raw: 1 }] },
      ],
    ])('and grows %s', (_what, events, block) => {
      expect(fold([started, ...events]).blocks).toEqual([block]);
    });
  });

  describe('4. begins a new snapshot', () => {
    const answer: ModelEvent[] = [
      started,
      { type: 'text-delta', index: 0, text: 'a' },
      { type: 'usage', usage: { outputTokens: 1 } },
      { type: 'finish', reason: 'stop', rawReason: 'end', turn: { role: 'assistant' } },
    ];

    it('with all that the response says of itself', () => {
      expect(fold(answer)).toEqual({
        status: 'complete',
        ordinal: 0,
        provider: 'demo',
        responseId: 'r1',
        model: 'm1',
        usage: { outputTokens: 1 },
        finishReason: 'stop',
        rawFinishReason: 'end',
        turn: { role: 'assistant' },
        blocks: [{ kind: 'text', text: 'a' }],
      });
    });

    it('at each response of a session, with the next ordinal and nothing of the one before', () => {
      const next = fold([{ type: 'response-start', provider: 'demo', responseId: 'r2' }], fold(answer));
      expect(next).toEqual({ status: 'streaming', ordinal: 1, provider: 'demo', responseId: 'r2', blocks: [] });
    });

    it('at a restart, with the same ordinal and nothing of the attempt before', () => {
      const restarted = fold([...answer, started, ...answer.slice(1, 3), { type: 'restart', attempt: 1, cause: lost }]);
      expect(restarted).toEqual({ status: 'idle', ordinal: 1, blocks: [] });
      expect(fold([started], restarted).ordinal).toBe(1);
    });
  });

  it.each<[string, ModelEvent, Partial<Snapshot>]>([
    ['finish', { type: 'finish', reason: 'length' }, { status: 'complete', finishReason: 'length' }],
    ['finish of a failed response', { type: 'finish', reason: 'error' }, { status: 'failed', finishReason: 'error' }],
    ['error', { type: 'error', error: lost }, { status: 'failed', error: lost }],
  ])('says how the response ended: %s', (_what, event, ending) => {
    const snapshot = fold([started, { type: 'text-delta', index: 0, text: 'a' }]);
    expect(asData(applyEvent(snapshot, event))).toEqual(asData({ ...snapshot, ...ending }));
  });

  describe('fails with malformed when an event does not fit its block', () => {
    const textBlock: ModelEvent = { type: 'block-start', index: 0, block: { kind: 'text', text: '' } };
    const callBlock: ModelEvent = { type: 'block-start', index: 0, block: openCall };

    it.each<[string, ModelEvent, ModelEvent]>([
      ['a gap in the indexes', textBlock, { type: 'text-delta', index: 2, text: 'a' }],
      ['a block-start after a gap', textBlock, { type: 'block-start', index: 2, block: openCall }],
      ['a negative index', textBlock, { type: 'text-delta', index: -1, text: 'a' }],
      ['an index that is no whole number', textBlock, { type: 'text-delta', index: 0.5, text: 'a' }],
      ['text for a call', callBlock, { type: 'text-delta', index: 0, text: 'a' }],
      ['reasoning for text', textBlock, { type: 'reasoning-delta', index: 0, text: 'a' }],
      ['arguments for text', textBlock, { type: 'tool-call-delta', index: 0, id: 'call_1', argumentsDelta: '{' }],
      ['media for text', textBlock, { type: 'media-delta', index: 0, data: 'AA==' }],
      ['a citation for a call', callBlock, { type: 'citation', index: 0, citation: { raw: 1 } }],
      ['a second start of a block', textBlock, { type: 'block-start', index: 0, block: { kind: 'text', text: '' } }],
      ['the end of a block of another kind', textBlock, { type: 'block-end', index: 0, block: openCall }],
      ['an update to another kind', textBlock, { type: 'block-update', index: 0, block: openCall }],
      ['a second response while one is running', textBlock, started],
    ])('%s', (_what, block, misfit) => {
      const snapshot = fold([started, block]);
      const before = structuredClone(asData(snapshot));
      let failure: unknown;
      try {
        applyEvent(snapshot, misfit);
      } catch (error) {
        failure = error;
      }
      expect(plainError(failure)).toMatchObject({ name: 'ModelStreamError', code: 'malformed' });
      expect(asData(snapshot)).toEqual(before);
    });
  });
});

describe('Snapshot', () => {
  /** A response with this many blocks of one letter each. */
  const blocksOf = (count: number): ModelEvent[] => [
    started,
    ...Array.from({ length: count }, (_, index): ModelEvent => ({ type: 'text-delta', index, text: 'a' })),
  ];

  it.each([0, 1, 32, 33, 1025])('is an object like any other, with %i blocks', (count) => {
    const snapshot = fold(blocksOf(count));
    const blocks = Array.from({ length: count }, () => ({ kind: 'text', text: 'a' }));
    expect(Object.keys(snapshot)).toContain('blocks');
    expect({ ...snapshot }.blocks).toEqual(blocks);
    expect(structuredClone({ ...snapshot })).toEqual({ ...snapshot });
    expect(structuredClone(snapshot).blocks).toEqual(blocks);
    expect(JSON.parse(JSON.stringify(snapshot))).toMatchObject({ status: 'streaming', provider: 'demo', blocks });
  });

  it.each([2, 40])('can be carried on from a copy that is a plain object, with %i blocks', (count) => {
    const copy: Snapshot = structuredClone(fold(blocksOf(count)));
    const carriedOn = applyEvent(copy, { type: 'text-delta', index: 0, text: 'b' });
    expect(carriedOn.blocks).toHaveLength(count);
    expect(textOf(carriedOn).slice(0, 2)).toBe('ab');
  });

  it('makes its list of blocks when it is read, and keeps it', () => {
    const snapshot = fold(blocksOf(40));
    expect(snapshot.blocks).toBe(snapshot.blocks);
  });

  it('never makes the list of blocks that nobody reads, with 100,000 of them', () => {
    const makes = jest.spyOn(Array.prototype, 'flat');
    let snapshot: Snapshot = emptySnapshot;
    try {
      for (const event of blocksOf(100_000)) snapshot = applyEvent(snapshot, event);
      snapshot = applyEvent(snapshot, { type: 'usage', usage: { outputTokens: 1 } });
      snapshot = applyEvent(snapshot, { type: 'finish', reason: 'stop' });
      snapshot = withStatus(snapshot, 'failed', lost);
      expect(makes).not.toHaveBeenCalled();
    } finally {
      makes.mockRestore();
    }
    expect(snapshot.blocks).toHaveLength(100_000);
  });

  it('before anything has come is idle and empty', () => {
    expect(emptySnapshot).toEqual({ status: 'idle', ordinal: 0, blocks: [] });
  });
});
