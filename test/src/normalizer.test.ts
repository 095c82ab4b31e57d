import fc from 'fast-check';
import { from } from 'rxjs';
import {
  accumulateBlocks,
  ModelStreamError,
  normalize,
  withUsage,
  type Frame,
  type ModelEvent,
  type Payload,
  type Snapshot,
  type Stage,
} from 'rx-model-stream';
import { withDetails } from '../../src/errors';
import { createNormalizer, type RawEvents } from '../../src/normalizer';
import { asData } from '../support/marbles';
import { tiny, tinyFrame, withoutFail, type TinyTurn, type TinyWire } from '../support/tinyProvider';

/** Feeds a normalizer and lists what it says, its failure included. */
function listen(raw: RawEvents = 'unmapped', provider = tiny()) {
  const said: (ModelEvent<TinyTurn> | { failure: unknown } | 'ended')[] = [];
  const normalizer = createNormalizer(provider, raw, () => said.push('ended'));
  const listening = (act: () => void): void => {
    try {
      act();
    } catch (failure) {
      said.push({ failure: asData(failure) });
    }
  };
  return {
    said,
    push: (frame: Frame) => {
      listening(() => {
        normalizer.push(frame, (event) => said.push(event));
      });
    },
    end: () => {
      listening(() => {
        normalizer.end((event) => said.push(event));
      });
    },
  };
}

const raw = (event: unknown): ModelEvent => ({ type: 'raw', provider: 'tiny', event });
const start: ModelEvent = { type: 'response-start', provider: 'tiny', responseId: 'r1' };
const opening: ModelEvent = { type: 'block-start', index: 0, block: { kind: 'text', text: '' } };
const hi: ModelEvent = { type: 'text-delta', index: 0, text: 'hi' };

describe('createNormalizer()', () => {
  describe('raw events', () => {
    const frames: Frame[] = [
      tinyFrame({ start: 'r1' }),
      tinyFrame('ping'),
      tinyFrame({ unheardOf: 1 }),
      tinyFrame({ say: 'hi' }),
      { type: 'stray', text: 'plain words' },
      { type: 'stray', text: '{"unheardOf":2}' },
      { type: 'hint', retryMs: 1 },
      { type: 'sse', data: '' },
    ];

    it('are the payloads that gave no other event, in their place, keep-alives left out', () => {
      const { said, push } = listen();
      frames.forEach(push);
      expect(said).toEqual([start, raw({ unheardOf: 1 }), opening, hi, raw('plain words'), raw({ unheardOf: 2 })]);
    });

    it('are all payloads with raw: all, each once and before the events it gave', () => {
      const { said, push } = listen('all');
      frames.forEach(push);
      expect(said).toEqual([
        raw({ start: 'r1' }),
        start,
        raw('ping'),
        raw({ unheardOf: 1 }),
        raw({ say: 'hi' }),
        opening,
        hi,
        raw('plain words'),
        raw({ unheardOf: 2 }),
      ]);
    });

    it('are not made of what the mapper called raw itself, with raw: all', () => {
      const provider = tiny();
      const naming = {
        ...provider,
        createMapper: () => ({
          ...provider.createMapper(),
          push: (_payload: unknown, emit: (event: ModelEvent<TinyTurn>) => void) => {
            emit({ type: 'raw', provider: 'tiny', event: 'part' });
          },
        }),
      };
      const { said, push } = listen('all', naming);
      push(tinyFrame({ say: 'hi' }));
      expect(said).toEqual([raw({ say: 'hi' })]);
    });
  });

  describe('a failure that the provider reports', () => {
    const fault = new ModelStreamError('provider', 'Overloaded', { providerCode: 'overloaded', retryable: true });

    it('comes after the usage that its payload carries, and tells the response it ends', () => {
      const { said, push } = listen();
      push(tinyFrame({ start: 'r1' }));
      push(tinyFrame({ fault }));
      expect(said).toEqual([
        start,
        { type: 'usage', usage: { outputTokens: 0 } },
        { failure: asData(withDetails(fault, { responseId: 'r1' })) },
      ]);
    });

    it('keeps the response id it has itself when it is the first that is heard of the response', () => {
      const { said, push } = listen();
      push(tinyFrame({ fault: new ModelStreamError('provider', 'Overloaded', { responseId: 'r9' }) }));
      expect(said.at(-1)).toMatchObject({ failure: { responseId: 'r9' } });
    });

    it('is not changed itself', () => {
      const { push } = listen();
      push(tinyFrame({ start: 'r1' }));
      push(tinyFrame({ fault }));
      expect(fault.responseId).toBeUndefined();
    });
  });

  it('tells of the terminal signal once, after everything the response had to say', () => {
    const { said, push, end } = listen();
    for (const wire of [{ start: 'r1' }, 'stop', 'stop', { unheardOf: 1 }] as const) push(tinyFrame(wire));
    end();
    expect(said).toEqual([start, { type: 'finish', reason: 'other', turn: { said: '' } }, 'ended']);
  });

  it('names provider and response when the body ends too early', () => {
    const { said, push, end } = listen();
    push(tinyFrame({ start: 'r1' }));
    end();
    expect(said.at(-1)).toMatchObject({
      failure: { code: 'truncated', provider: 'tiny', responseId: 'r1', retryable: true },
    });
  });

  it('names the response when the mapper finds its ending too early', () => {
    const cut = new ModelStreamError('truncated', 'Something is missing', { provider: 'tiny', retryable: true });
    const provider = tiny({ reasonMayEnd: true });
    const createMapper = () => ({ ...provider.createMapper(), end: () => failWith(cut) });
    const { said, push, end } = listen('unmapped', { ...provider, createMapper });
    push(tinyFrame({ start: 'r1' }));
    push(tinyFrame({ reason: 'stop' }));
    end();
    expect(said.at(-1)).toEqual({ failure: asData(withDetails(cut, { responseId: 'r1' })) });
  });

  it.each<[string, Partial<Stage<Payload, ModelEvent<TinyTurn>>>, readonly Frame[]]>([
    ['cannot take a payload in', { push: () => failWith(TOO_DEEP) }, [tinyFrame({ start: 'r1' })]],
    ['cannot end at the terminal signal', { end: () => failWith(TOO_DEEP) }, [tinyFrame('stop')]],
    ['cannot end with the body', { end: () => failWith(TOO_DEEP) }, [tinyFrame({ reason: 'stop' })]],
  ])('fails with malformed where a mapper %s, with the failure as cause', (_what, broken, frames) => {
    const provider = tiny({ reasonMayEnd: true });
    const createMapper = () => ({ ...provider.createMapper(), ...broken });
    const stage = createNormalizer({ ...provider, createMapper }, 'unmapped', () => undefined);
    const read = (): void => {
      for (const frame of frames) stage.push(frame, () => undefined);
      stage.end(() => undefined);
    };
    expect(thrownBy(read)).toMatchObject({ code: 'malformed', provider: 'tiny', retryable: false, cause: TOO_DEEP });
  });
});

describe('createNormalizer() in a session', () => {
  const session = tiny({ session: true });
  const fault = new ModelStreamError('provider', 'Overloaded', { providerCode: 'overloaded', retryable: true });
  const answer = (id: string, text: string, lane?: string): TinyWire[] =>
    [{ start: id }, { say: text }, { stop: true } as const].map((word) =>
      lane === undefined ? word : { ...word, lane },
    );
  const answered = (id: string, text: string): ModelEvent<TinyTurn>[] => [
    { type: 'response-start', provider: 'tiny', responseId: id },
    { type: 'block-start', index: 0, block: { kind: 'text', text: '' } },
    { type: 'text-delta', index: 0, text },
    { type: 'block-end', index: 0, block: { kind: 'text', text } },
    { type: 'finish', reason: 'other', turn: { said: text } },
  ];

  function said(wires: readonly TinyWire[], provider = session, rawEvents: RawEvents = 'unmapped') {
    const listening = listen(rawEvents, provider);
    for (const wire of wires) listening.push(tinyFrame(wire));
    listening.end();
    return listening.said;
  }

  it('reads one response after another, each from index 0, and never tells of an end', () => {
    const wires = ['One', 'Two', 'Three'].flatMap((text) => answer(text, text));
    expect(said(wires)).toEqual(['One', 'Two', 'Three'].flatMap((text) => answered(text, text)));
  });

  it('tells each response as if it were alone', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), (texts) => {
        const alone = texts.flatMap((text) => said(answer(text, text)));
        expect(said(texts.flatMap((text) => answer(text, text)))).toEqual(alone);
      }),
    );
  });

  it('gives each response a snapshot with its ordinal and its own usage', () => {
    const wires = (['One', 'Two'] as const).flatMap((text, place): TinyWire[] => [
      { start: text },
      { spent: place + 1 },
      { say: text },
      { spent: 10 * (place + 1) },
      'stop',
    ]);
    const ended: Snapshot[] = [];
    from(wires.map(tinyFrame))
      .pipe(normalize(session), withUsage(), accumulateBlocks())
      .subscribe((snapshot) => {
        if (snapshot.status === 'complete') ended.push(snapshot);
      });
    expect(ended.map(({ ordinal, blocks, usage }) => [ordinal, blocks, usage])).toEqual([
      [0, [{ kind: 'text', text: 'One' }], { outputTokens: 10 }],
      [1, [{ kind: 'text', text: 'Two' }], { outputTokens: 20 }],
    ]);
  });

  it('is complete wherever it ends between two responses, truncated wherever it ends inside one', () => {
    const wires: TinyWire[] = [{ unheardOf: 0 }, ...answer('r1', 'hi'), { unheardOf: 1 }, ...answer('r2', 'ho')];
    const failures = wires.map((_wire, place) => {
      const last = said(wires.slice(0, place)).at(-1);
      return typeof last === 'object' && 'failure' in last ? last.failure : undefined;
    });
    const cut = (responseId: string) =>
      expect.objectContaining({ code: 'truncated', retryable: true, provider: 'tiny', responseId }) as unknown;
    const none = undefined;
    expect(failures).toEqual([none, none, cut('r1'), cut('r1'), none, none, cut('r2'), cut('r2')]);
    expect(said(wires).at(-1)).toMatchObject({ type: 'finish' });
  });

  it('may end inside a response whose provider says that this is an ending', () => {
    const wires: TinyWire[] = [{ start: 'r1' }, { reason: 'stop' }];
    expect(said(wires, tiny({ session: true, reasonMayEnd: true })).at(-1)).toMatchObject({ reason: 'stop' });
  });

  it('takes the failure of a response for its ending, keeps what it had said, and reads the next one', () => {
    const failed = said([{ start: 'r1' }, { say: 'hi' }, { fault }, ...answer('r2', 'ho')]);
    expect(failed.slice(0, -5)).toEqual([
      start,
      opening,
      hi,
      { type: 'usage', usage: { outputTokens: 2 } },
      { type: 'block-end', index: 0, block: { kind: 'text', text: 'hi' } },
      expect.objectContaining({ type: 'finish', reason: 'error' }),
    ]);
    expect(failed.at(-6)).toMatchObject({ error: { providerCode: 'overloaded', responseId: 'r1' } });
    expect(failed.slice(-5)).toEqual(answered('r2', 'ho'));
  });

  it('shows a failed response as a failed snapshot, with its blocks, and goes on', () => {
    const wires: TinyWire[] = [{ start: 'r1' }, { say: 'hi' }, { fault }, ...answer('r2', 'ho')];
    const last: Snapshot[] = [];
    from(wires.map(tinyFrame))
      .pipe(normalize(session), accumulateBlocks())
      .subscribe((snapshot) => {
        last[snapshot.ordinal] = snapshot;
      });
    expect(last).toMatchObject([
      { status: 'failed', finishReason: 'error', error: { responseId: 'r1' }, blocks: [{ text: 'hi' }] },
      { status: 'complete', blocks: [{ text: 'ho' }] },
    ]);
  });

  it('fails with what a provider reports that cannot tell of a failed response', () => {
    const createMapper = () => withoutFail(session.createMapper());
    const wires: TinyWire[] = [{ start: 'r1' }, { fault }];
    expect(said(wires, { ...session, createMapper })).toContainEqual({
      failure: asData(withDetails(fault, { responseId: 'r1' })),
    });
  });

  it('gives what comes between two responses as raw and usage, keep-alives never', () => {
    const wires: TinyWire[] = ['ping', { unheardOf: 0 }, ...answer('r1', 'hi'), 'ping', { spent: 3 }, { unheardOf: 1 }];
    expect(said(wires)).toEqual([
      raw({ unheardOf: 0 }),
      ...answered('r1', 'hi'),
      { type: 'usage', usage: { outputTokens: 3 } },
      raw({ unheardOf: 1 }),
    ]);
  });

  it('gives a response as raw that began beside another one, to its end', () => {
    const [a, b] = [answer('r1', 'hi', 'a'), answer('r2', 'ho', 'b')];
    const woven = [a[0]!, b[0]!, a[1]!, a[2]!, b[1]!, b[2]!, ...answer('r3', 'he', 'b')];
    expect(said(woven)).toEqual([
      start,
      raw(b[0]),
      ...answered('r1', 'hi').slice(1),
      raw(b[1]),
      raw(b[2]),
      ...answered('r3', 'he'),
    ]);
  });

  it('reads what is in no lane with the response that runs', () => {
    const wires: TinyWire[] = [{ start: 'r1', lane: 'a' }, { say: 'hi' }, { stop: true, lane: 'a' }];
    expect(said(wires)).toEqual(answered('r1', 'hi'));
  });

  it('is not ended by the failure of another response', () => {
    const wires: TinyWire[] = [
      { start: 'r1', lane: 'a' },
      { fault, lane: 'b' },
      { say: 'hi', lane: 'a' },
      { stop: true, lane: 'a' },
    ];
    expect(said(wires)).toEqual([start, raw({ fault, lane: 'b' }), ...answered('r1', 'hi').slice(1)]);
  });

  it('leaves a keep-alive in another lane unsaid', () => {
    const provider = { ...session, laneOf: ({ value }: Payload) => (value === 'ping' ? 'b' : 'a') };
    expect(said([{ start: 'r1' }, 'ping', { say: 'hi' }, 'stop'], provider)).toEqual(answered('r1', 'hi'));
  });

  it('gives every payload as raw once, those of other responses too, with raw: all', () => {
    const [a, b] = [answer('r1', 'hi', 'a'), answer('r2', 'ho', 'b')];
    const wires = [a[0]!, b[0]!, a[1]!, a[2]!, { unheardOf: 1 }];
    const raws = said(wires, session, 'all').filter((event) => typeof event === 'object' && 'event' in event);
    expect(raws).toEqual(wires.map(raw));
  });

  it('begins anew at a restart, in the middle of a response, whatever its lane was', () => {
    const listening = listen('unmapped', session);
    const [began, ...rest] = answer('r2', 'ho', 'b');
    for (const wire of [
      { start: 'r1', lane: 'a' },
      { start: 'r9', lane: 'b' },
    ])
      listening.push(tinyFrame(wire));
    listening.push({ type: 'restart', attempt: 1, cause: fault });
    for (const wire of [began!, ...rest]) listening.push(tinyFrame(wire));
    listening.end();
    expect(listening.said).toEqual([
      start,
      raw({ start: 'r9', lane: 'b' }),
      { type: 'restart', attempt: 1, cause: fault },
      ...answered('r2', 'ho'),
    ]);
  });

  it('has mappers that share what the connection is told, and nothing with another connection', () => {
    let connections = 0;
    const createSession = () => {
      connections += 1;
      let responses = 0;
      return {
        createMapper: () => {
          responses += 1;
          const turn = { said: `response ${responses} of connection ${connections}` };
          const mapper = session.createMapper();
          return {
            ...mapper,
            end: (emit: (event: ModelEvent<TinyTurn>) => void) => {
              emit({ type: 'finish', reason: 'stop', turn });
            },
          };
        },
      };
    };
    const provider = { ...session, createSession };
    const listening = listen('unmapped', provider);
    const turns = () =>
      listening.said.flatMap((event) => (typeof event === 'object' && 'turn' in event ? [event.turn.said] : []));
    for (const wire of [...answer('r1', 'hi'), ...answer('r2', 'ho')]) listening.push(tinyFrame(wire));
    listening.push({ type: 'restart', attempt: 1, cause: fault });
    for (const wire of answer('r3', 'he')) listening.push(tinyFrame(wire));
    expect(turns()).toEqual(['response 1 of connection 1', 'response 2 of connection 1', 'response 1 of connection 2']);
  });

  it('passes on the failure of its source, between two responses too', () => {
    const failure = new ModelStreamError('network', 'Connection was reset');
    const normalizer = createNormalizer(session, 'unmapped', () => undefined);
    for (const wire of answer('r1', 'hi')) normalizer.push(tinyFrame(wire), () => undefined);
    expect(() => normalizer.fail?.(failure, () => undefined)).toThrow(failure);
  });
});

const TOO_DEEP = new RangeError('Too deep');

function failWith(error: Error): never {
  throw error;
}

function thrownBy(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}
