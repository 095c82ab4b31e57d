import {
  applyEvent,
  emptySnapshot,
  reasoningOf,
  textOf,
  toolCallsOf,
  type Block,
  type Snapshot,
} from 'rx-model-stream';

function snapshotOf(...blocks: Block[]): Snapshot {
  return blocks.reduce<Snapshot>(
    (snapshot, block, index) => applyEvent(snapshot, { type: 'block-end', index, block }),
    emptySnapshot,
  );
}

const call = { kind: 'tool-call', name: 'add', arguments: '{}', format: 'json', state: 'whole' } as const;
const cut: Block = { ...call, id: 'call_2', arguments: '{', state: 'cut' };
const whole: Block = { ...call, id: 'call_1' };

const snapshot = snapshotOf(
  { kind: 'reasoning', text: 'Let me ' },
  { kind: 'text', text: 'One, ', phase: 'commentary' },
  whole,
  { kind: 'text', text: 'eins', choice: 1 },
  { kind: 'reasoning', text: 'see', choice: 0 },
  { kind: 'reasoning', text: 'mal sehen', choice: 1 },
  { ...call, id: 'call_3', providerExecuted: true },
  { kind: 'tool-result', name: 'add', content: 1 },
  { kind: 'text', text: 'two', choice: 0, refusal: true },
  { kind: 'media', parts: ['AA=='], transcript: 'three' },
  cut,
  { ...whole, id: 'call_4', choice: 1 },
);

describe('reading a snapshot', () => {
  it('textOf() joins the text of the first alternative, commentary and refusals included', () => {
    expect(textOf(snapshot)).toBe('One, two');
  });

  it('reasoningOf() joins the reasoning of the first alternative', () => {
    expect(reasoningOf(snapshot)).toBe('Let me see');
  });

  it('toolCallsOf() lists the calls the client has to answer, whatever their state, as they are', () => {
    expect(toolCallsOf(snapshot)).toEqual([whole, cut]);
    expect(toolCallsOf(snapshot)[0]).toBe(whole);
  });

  it('reads another alternative where it is told to', () => {
    expect(textOf(snapshot, 1)).toBe('eins');
    expect(reasoningOf(snapshot, 1)).toBe('mal sehen');
    expect(toolCallsOf(snapshot, 1)).toEqual([{ ...whole, id: 'call_4', choice: 1 }]);
    expect(textOf(snapshot, 2)).toBe('');
  });

  it('reads nothing from nothing', () => {
    expect([textOf(emptySnapshot), reasoningOf(emptySnapshot), toolCallsOf(emptySnapshot)]).toEqual(['', '', []]);
  });
});
