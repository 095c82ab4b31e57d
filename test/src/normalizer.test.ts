import { ModelStreamError, type Frame, type ModelEvent, type Payload, type Stage } from 'rx-model-stream';
import { withDetails } from '../../src/errors';
import { createNormalizer, type RawEvents } from '../../src/normalizer';
import { asData } from '../support/marbles';
import { tiny, tinyFrame, type TinyTurn } from '../support/tinyProvider';

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
