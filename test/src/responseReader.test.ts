import { ModelStreamError, type Lifecycle, type ModelEvent, type Payload, type Stage } from 'rx-model-stream';
import type { RawEvents } from '../../src/normalizer';
import { DEFAULT_MAX_BLOCKS } from '../../src/responseBound';
import { createResponseReader, rawOf, type ResponseReader } from '../../src/responseReader';
import { tiny, tinyFrame, withoutFail, type TinyTurn, type TinyWire } from '../support/tinyProvider';

type Mapper = Stage<Payload, ModelEvent<TinyTurn>>;

/** A reader, and what it says of each payload. */
function reading(raw: RawEvents = 'unmapped', changed: Partial<Mapper> = {}) {
  const provider = tiny();
  const events: ModelEvent<TinyTurn>[] = [];
  const emit = (event: ModelEvent<TinyTurn>): void => {
    events.push(event);
  };
  const reader: ResponseReader<TinyTurn> = createResponseReader(
    provider,
    { ...provider.createMapper(), ...changed },
    raw,
    DEFAULT_MAX_BLOCKS,
  );
  return {
    reader,
    events,
    emit,
    read: (wire: TinyWire, life: Lifecycle = provider.lifecycleOf(tinyFrame(wire))) => {
      reader.read(tinyFrame(wire), life, emit);
    },
  };
}

const FAULT = new ModelStreamError('provider', 'Overloaded', { providerCode: 'overloaded' });

describe('createResponseReader()', () => {
  it('has begun with response-start, not before', () => {
    const { reader, read } = reading();
    read({ unheardOf: 1 });
    expect(reader.isBegun).toBe(false);
    read({ start: 'r1' });
    expect(reader.isBegun).toBe(true);
  });

  it('knows what the end of the body would mean: open at first and after content, then as it was last told', () => {
    const { reader, read } = reading();
    const endings = [reader.ending];
    for (const [wire, life] of [
      [{ say: 'hi' }, { phase: 'content', ending: 'possible' }],
      [{ spent: 1 }, { phase: 'content' }],
      [{ unheardOf: 1 }, { phase: 'content' }],
      [{ say: 'there' }, { phase: 'content' }],
      [{ spent: 2 }, { phase: 'content', ending: 'possible' }],
      [{ spent: 2 }, { phase: 'content', ending: 'open' }],
      [{ say: '!' }, { phase: 'content', ending: 'final' }],
    ] satisfies [TinyWire, Lifecycle][]) {
      read(wire, life);
      endings.push(reader.ending);
    }
    expect(endings).toEqual(['open', 'possible', 'possible', 'possible', 'open', 'possible', 'open', 'final']);
  });

  it.each<[string, TinyWire, number]>([
    ['that gives no event', { unheardOf: 1 }, 1],
    ['that gives one', { spent: 1 }, 0],
    ['that is a keep-alive', 'ping', 0],
    ['that is the terminal signal', 'stop', 0],
    ['that reports a failure', { fault: FAULT }, 0],
  ])('makes raw of a payload %s: %j, %i', (_what, wire, count) => {
    const { events, read } = reading();
    read(wire);
    expect(events.filter(({ type }) => type === 'raw')).toHaveLength(count);
  });

  it('gives a keep-alive to no mapper, a failure to its mapper for what it says of usage', () => {
    const push = jest.fn();
    const { read } = reading('unmapped', { push });
    read('ping');
    expect(push).not.toHaveBeenCalled();
    read({ fault: FAULT }, { phase: 'idle', error: FAULT });
    expect(push).toHaveBeenCalledTimes(1);
  });

  it('says how a response failed, with its id, if its mapper can', () => {
    const { reader, events, emit, read } = reading();
    read({ start: 'r1' });
    expect(reader.fail(FAULT, emit)).toBe(true);
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'error',
      error: { responseId: 'r1', providerCode: 'overloaded' },
    });
  });

  it('says nothing, if its mapper cannot', () => {
    const provider = tiny();
    const reader = createResponseReader(provider, withoutFail(provider.createMapper()), 'unmapped', DEFAULT_MAX_BLOCKS);
    const emit = jest.fn();
    expect(reader.fail(FAULT, emit)).toBe(false);
    expect(emit).not.toHaveBeenCalled();
  });

  it.each<[string, (reading_: ReturnType<typeof reading>) => void]>([
    [
      'reading',
      ({ read }) => {
        read({ say: 'hi' });
      },
    ],
    [
      'ending',
      ({ reader, emit }) => {
        reader.end(emit);
      },
    ],
    [
      'failing',
      ({ reader, emit }) => {
        reader.fail(FAULT, emit);
      },
    ],
  ])('reports what goes wrong in a mapper as malformed, when %s', (_what, act) => {
    const cause = new RangeError('Too deep');
    const broken = (): never => {
      throw cause;
    };
    const provider = tiny();
    const mapper = provider.createMapper();
    const started = reading('unmapped', {
      push: (payload, emit) => {
        if (payload.value !== 'begin') broken();
        mapper.push(tinyFrame({ start: 'r1' }), emit);
      },
      end: broken,
      fail: broken,
    });
    started.reader.read({ value: 'begin' }, { phase: 'preamble' }, started.emit);
    let failure: unknown;
    try {
      act(started);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'malformed', provider: 'tiny', responseId: 'r1', cause });
  });

  it('gives every payload as raw before its events, with raw: all', () => {
    const { events, read } = reading('all');
    for (const wire of [{ start: 'r1' }, 'ping', 'stop'] satisfies TinyWire[]) read(wire);
    expect(events).toEqual([
      rawOf(tiny(), tinyFrame({ start: 'r1' })),
      { type: 'response-start', provider: 'tiny', responseId: 'r1' },
      rawOf(tiny(), tinyFrame('ping')),
      rawOf(tiny(), tinyFrame('stop')),
    ]);
  });
});
