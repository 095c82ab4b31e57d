import fc from 'fast-check';
import {
  applyEvent,
  emptySnapshot,
  type Block,
  type ModelEvent,
  type Snapshot,
  type ToolCallBlock,
} from 'rx-model-stream';
import { createResponseWriter, type ResponseWriter } from '../../src/responseWriter';

type Emit = (event: ModelEvent) => void;

/** The events that a writer writes. */
function written(write: (writer: ResponseWriter<unknown>, emit: Emit) => void): ModelEvent[] {
  const events: ModelEvent[] = [];
  write(createResponseWriter('demo'), (event) => events.push(event));
  return events;
}

function typesOf(events: readonly ModelEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** The blocks with which the events end. */
function endsIn(events: readonly ModelEvent[]): Block[] {
  return events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
}

const text: Block = { kind: 'text', text: '' };
const reasoning: Block = { kind: 'reasoning', text: '' };
const call: ToolCallBlock = {
  kind: 'tool-call',
  id: 'call_1',
  name: 'add',
  arguments: '',
  format: 'json',
  state: 'open',
};
const freeCall: ToolCallBlock = { ...call, format: 'text' };
const media: Block = { kind: 'media', parts: ['AA=='] };
const closing = { type: 'closing payload' };

describe('createResponseWriter()', () => {
  describe('1. response-start comes before every other event', () => {
    it('says what the response is called', () => {
      const events = written((writer, emit) => {
        writer.begin({ responseId: 'r1', model: 'm1' }, emit);
      });
      expect(events).toEqual([{ type: 'response-start', provider: 'demo', responseId: 'r1', model: 'm1' }]);
    });

    it('comes once', () => {
      const events = written((writer, emit) => {
        writer.begin({ responseId: 'r1' }, emit);
        writer.begin({ responseId: 'r2' }, emit);
        writer.open(text, emit);
        writer.finish({ reason: 'stop' }, emit);
      });
      expect(events.filter(({ type }) => type === 'response-start')).toHaveLength(1);
    });

    it.each<[string, (writer: ResponseWriter<unknown>, emit: Emit) => void]>([
      ['block', (writer, emit) => writer.open(text, emit)],
      [
        'ending',
        (writer, emit) => {
          writer.finish({ reason: 'stop' }, emit);
        },
      ],
    ])('is made up before the first %s where nothing was said', (_what, write) => {
      expect(written(write)[0]).toEqual({ type: 'response-start', provider: 'demo' });
    });
  });

  describe('2. indexes are dense and given at first sight; a block begins and ends once', () => {
    it('whatever is opened, grown and ended in whatever order', () => {
      const steps = fc.array(fc.tuple(fc.constantFrom('open', 'append', 'end'), fc.nat(9)), { maxLength: 40 });
      fc.assert(
        fc.property(steps, (script) => {
          const events = written((writer, emit) => {
            const blocks = [writer.open(text, emit)];
            for (const [step, place] of script) {
              const block = blocks[place % blocks.length]!;
              if (step === 'open') blocks.push(writer.open(place % 2 ? text : call, emit));
              else if (step === 'append') writer.append(block, 'a', emit);
              else writer.end(block, {}, closing, emit);
            }
            writer.finish({ reason: 'stop' }, emit);
          });
          const starts = events.flatMap((event) => (event.type === 'block-start' ? [event.index] : []));
          const ends = events.flatMap((event) => (event.type === 'block-end' ? [event.index] : []));
          expect(starts).toEqual(starts.map((_start, place) => place));
          expect([...ends].sort((a, b) => a - b)).toEqual(starts);
          expect(typesOf(events).at(-1)).toBe('finish');
          // Nothing grows before it begins or after it has ended, and what the deltas built is what the block ends with.
          const open = new Map<number, string>();
          for (const event of events) {
            if (event.type === 'block-start') open.set(event.index, '');
            if (event.type === 'text-delta') open.set(event.index, open.get(event.index)! + event.text);
            if (event.type === 'tool-call-delta') open.set(event.index, open.get(event.index)! + event.argumentsDelta);
            if (event.type === 'block-end') {
              const built = open.get(event.index);
              expect(event.block).toMatchObject(
                event.block.kind === 'text' ? { text: built } : { arguments: built === '' ? '{}' : built },
              );
              open.delete(event.index);
            }
          }
          expect(open.size).toBe(0);
        }),
      );
    });

    it('says nothing of an empty delta, nor of one for a block that comes whole', () => {
      const events = written((writer, emit) => {
        writer.append(writer.open(text, emit), '', emit);
        writer.attach(writer.open(media, emit), '', emit);
        writer.append(writer.open({ kind: 'tool-result', content: 1 }, emit), 'a', emit);
      });
      expect(typesOf(events)).toEqual(['response-start', 'block-start', 'block-start', 'block-start']);
    });

    it('keeps the pieces of media apart, joins its transcript, and tells once what it is', () => {
      const events = written((writer, emit) => {
        const written = writer.open({ kind: 'media', parts: [] }, emit);
        writer.append(written, 'so ', emit);
        writer.attach(written, 'AA==', emit, 'audio/wav');
        writer.attach(written, 'AQ==', emit, 'audio/wav');
        writer.append(written, 'it is', emit);
        writer.end(written, {}, undefined, emit);
        writer.attach(written, 'Ag==', emit);
      });
      expect(events.slice(2)).toEqual([
        { type: 'media-delta', index: 0, transcript: 'so ' },
        { type: 'media-delta', index: 0, data: 'AA==', mimeType: 'audio/wav' },
        { type: 'media-delta', index: 0, data: 'AQ==' },
        { type: 'media-delta', index: 0, transcript: 'it is' },
        {
          type: 'block-end',
          index: 0,
          block: { kind: 'media', mimeType: 'audio/wav', parts: ['AA==', 'AQ=='], transcript: 'so it is' },
        },
      ]);
    });

    it('names a delta after its block', () => {
      const events = written((writer, emit) => {
        for (const block of [text, reasoning, call]) writer.append(writer.open(block, emit), 'a', emit);
      });
      expect(events.filter(({ type }) => type.endsWith('delta'))).toEqual([
        { type: 'text-delta', index: 0, text: 'a' },
        { type: 'reasoning-delta', index: 1, text: 'a' },
        { type: 'tool-call-delta', index: 2, id: 'call_1', argumentsDelta: 'a' },
      ]);
    });

    it('makes up the id of a call that has none, and keeps the one its end knows', () => {
      const nameless = { ...call, id: '' };
      const events = written((writer, emit) => {
        writer.begin({ responseId: 'r1' }, emit);
        writer.end(writer.open(nameless, emit), {}, closing, emit);
        writer.end(writer.open(nameless, emit), { id: 'call_2' }, closing, emit);
      });
      expect(events[1]).toEqual({
        type: 'block-start',
        index: 0,
        block: { ...call, id: 'r1_0', syntheticId: true },
      });
      expect(endsIn(events)).toEqual([
        { ...call, id: 'r1_0', syntheticId: true, arguments: '{}', state: 'whole' },
        { ...call, id: 'call_2', arguments: '{}', state: 'whole' },
      ]);
    });
  });

  describe('3. the closing value is authoritative', () => {
    it('emits the missing rest as a delta where it extends what the deltas gave', () => {
      const events = written((writer, emit) => {
        const block = writer.open(text, emit);
        writer.append(block, 'Hel', emit);
        writer.end(block, { text: 'Hello' }, closing, emit);
      });
      expect(events.slice(2)).toEqual([
        { type: 'text-delta', index: 0, text: 'Hel' },
        { type: 'text-delta', index: 0, text: 'lo' },
        { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hello' } },
      ]);
    });

    it('reports the payload as raw where it contradicts them, and ends with its value', () => {
      const events = written((writer, emit) => {
        const block = writer.open(text, emit);
        writer.append(block, 'Hullo', emit);
        writer.end(block, { text: 'Hello' }, closing, emit);
      });
      expect(events.slice(2)).toEqual([
        { type: 'text-delta', index: 0, text: 'Hullo' },
        { type: 'raw', provider: 'demo', event: closing },
        { type: 'block-end', index: 0, block: { kind: 'text', text: 'Hello' } },
      ]);
    });

    it('reports nothing where it says the same, or nothing', () => {
      for (const patch of [{ text: 'Hello' }, {}]) {
        const events = written((writer, emit) => {
          const block = writer.open(text, emit);
          writer.append(block, 'Hello', emit);
          writer.end(block, patch, closing, emit);
        });
        expect(typesOf(events).slice(2)).toEqual(['text-delta', 'block-end']);
      }
    });

    it('holds for arguments as for text', () => {
      const events = written((writer, emit) => {
        const block = writer.open(call, emit);
        writer.append(block, '{"a"', emit);
        writer.end(block, { arguments: '{"a":1}', name: 'sum' }, closing, emit);
      });
      expect(events.slice(3)).toEqual([
        { type: 'tool-call-delta', index: 0, id: 'call_1', argumentsDelta: ':1}' },
        { type: 'block-end', index: 0, block: { ...call, name: 'sum', arguments: '{"a":1}', state: 'whole' } },
      ]);
    });

    it('puts on the block what only its end knows', () => {
      const events = written((writer, emit) => {
        writer.end(writer.open(reasoning, emit), { signature: 's', encrypted: 'e', redacted: true }, closing, emit);
        writer.end(writer.open(text, emit), { refusal: true }, closing, emit);
        writer.end(writer.open(media, emit), {}, closing, emit);
      });
      expect(endsIn(events)).toEqual([
        { ...reasoning, signature: 's', encrypted: 'e', redacted: true },
        { ...text, refusal: true },
        media,
      ]);
    });

    it('gives a view that folds the events and one that waits for the end the same blocks', () => {
      const pieces = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 6 });
      fc.assert(
        fc.property(pieces, fc.option(fc.constantFrom('', 'a', 'ab', 'abc')), (deltas, whole) => {
          const events = written((writer, emit) => {
            const block = writer.open(text, emit);
            for (const piece of deltas) writer.append(block, piece, emit);
            writer.end(block, whole === null ? {} : { text: whole }, closing, emit);
          });
          const snapshot = events.reduce<Snapshot>((before, event) => applyEvent(before, event), emptySnapshot);
          expect(snapshot.blocks).toEqual([{ kind: 'text', text: whole ?? deltas.join('') }]);
          expect(snapshot.blocks).toEqual(endsIn(events));
        }),
      );
    });
  });

  describe('4. a JSON call ends whole only when its arguments parse', () => {
    it.each<[string, ToolCallBlock, string, Partial<ToolCallBlock>]>([
      ['whole arguments', call, '{"a":1}', { arguments: '{"a":1}', state: 'whole' }],
      ['arguments that were cut', call, '{"a":', { arguments: '{"a":', state: 'cut' }],
      ['no arguments at all', call, '', { arguments: '{}', state: 'whole' }],
      ['blank arguments', call, ' \n', { arguments: '{}', state: 'whole' }],
      ['free text', freeCall, '{"a":', { arguments: '{"a":', state: 'whole' }],
      ['no text', freeCall, '', { arguments: '', state: 'whole' }],
    ])('%s', (_what, block, content, ending) => {
      const events = written((writer, emit) => {
        const entry = writer.open(block, emit);
        writer.append(entry, content, emit);
        writer.end(entry, {}, closing, emit);
      });
      expect(endsIn(events)).toEqual([{ ...block, ...ending }]);
    });

    it('or as the provider says', () => {
      const events = written((writer, emit) => {
        const entry = writer.open(call, emit);
        writer.append(entry, '{}', emit);
        writer.end(entry, { state: 'cancelled' }, closing, emit);
      });
      expect(endsIn(events)).toEqual([{ ...call, arguments: '{}', state: 'cancelled' }]);
    });
  });

  describe('5. blocks still open at the ending are closed before finish', () => {
    const open = (writer: ResponseWriter<unknown>, emit: Emit): void => {
      for (const block of [text, call, freeCall]) writer.append(writer.open(block, emit), '{}', emit);
    };

    it('in their order, a call as its arguments say', () => {
      const events = written((writer, emit) => {
        open(writer, emit);
        writer.finish({ reason: 'tool-calls', rawReason: 'tool_use', turn: 'turn' }, emit);
      });
      expect(events.slice(-4)).toEqual([
        { type: 'block-end', index: 0, block: { ...text, text: '{}' } },
        { type: 'block-end', index: 1, block: { ...call, arguments: '{}', state: 'whole' } },
        { type: 'block-end', index: 2, block: { ...freeCall, arguments: '{}', state: 'whole' } },
        { type: 'finish', reason: 'tool-calls', rawReason: 'tool_use', turn: 'turn' },
      ]);
    });

    it('a call among them is cut after length, even where its arguments parse', () => {
      const events = written((writer, emit) => {
        open(writer, emit);
        writer.finish({ reason: 'length' }, emit);
      });
      expect(endsIn(events)).toMatchObject([{ kind: 'text' }, { state: 'cut' }, { state: 'cut' }]);
    });

    it('a block that had ended stays as it was', () => {
      const events = written((writer, emit) => {
        writer.end(writer.open(call, emit), { arguments: '{}' }, closing, emit);
        writer.finish({ reason: 'length' }, emit);
      });
      expect(endsIn(events)).toEqual([{ ...call, arguments: '{}', state: 'whole' }]);
    });
  });

  describe('what is known late', () => {
    const [first, second] = [{ raw: 1 }, { raw: 2 }];

    it('is a citation while its block is open, and a block-update afterwards', () => {
      const events = written((writer, emit) => {
        const block = writer.open(text, emit);
        writer.cite(block, first, emit);
        writer.end(block, { text: 'a' }, closing, emit);
        writer.cite(block, second, emit);
      });
      expect(events.slice(2)).toEqual([
        { type: 'citation', index: 0, citation: first },
        { type: 'text-delta', index: 0, text: 'a' },
        { type: 'block-end', index: 0, block: { kind: 'text', text: 'a', citations: [first] } },
        { type: 'block-update', index: 0, block: { kind: 'text', text: 'a', citations: [first, second] } },
      ]);
    });

    it('is no citation of a block that is no text', () => {
      const events = written((writer, emit) => {
        writer.cite(writer.open(call, emit), first, emit);
      });
      expect(typesOf(events)).toEqual(['response-start', 'block-start']);
    });

    it('changes an open block quietly, and an ended one by a block-update', () => {
      const events = written((writer, emit) => {
        const block = writer.open(reasoning, emit);
        writer.update(block, { ...reasoning, signature: 's1' }, emit);
        writer.end(block, { text: 'a' }, closing, emit);
        writer.update(block, { kind: 'reasoning', text: 'a', signature: 's2' }, emit);
      });
      expect(events.slice(3)).toEqual([
        { type: 'block-end', index: 0, block: { kind: 'reasoning', text: 'a', signature: 's1' } },
        { type: 'block-update', index: 0, block: { kind: 'reasoning', text: 'a', signature: 's2' } },
      ]);
    });
  });
});
