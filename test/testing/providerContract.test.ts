import { map } from 'rxjs';
import {
  ModelStreamError,
  type Emit,
  type Frame,
  type Lifecycle,
  type ModelEvent,
  type Payload,
  type Provider,
  type Stage,
} from 'rx-model-stream';
import { providerContract, type ContractStream, type ProviderContract } from 'rx-model-stream/testing';
import { tern } from '../../examples/own-provider/provider';
import { STREAMS } from '../../examples/own-provider/streams';

const CONTRACT: ProviderContract = {
  streams: [
    { name: 'calls', body: STREAMS.calls },
    { name: 'text', body: STREAMS.text },
    { name: 'full', body: STREAMS.full },
    { name: 'failed', body: STREAMS.failed, fails: 'provider' },
  ],
  keepAlives: [{ event: 'tick' }],
  unknowns: [{ title: 'an unknown event', payloads: [{ event: 'hologram', rays: 3 }] }],
};

/** What the contract, or one law of it, has against a provider, by law; of each law the first stream counts. */
function objectionsTo(create: () => Provider, contract = CONTRACT, only?: string): Map<string, string> {
  const objections = new Map<string, string>();
  for (const { law, check } of providerContract(create, contract)) {
    if (only !== undefined && law !== only) continue;
    try {
      check();
    } catch (error) {
      if (!objections.has(law))
        objections.set(law, error instanceof Error ? error.message : `no Error: ${String(error)}`);
    }
  }
  return objections;
}

type EventStage = Stage<Payload, ModelEvent>;

/** Tern, its mapper wrapped. */
function withMapper(wrap: (mapper: EventStage) => EventStage): Provider {
  return { ...tern(), createMapper: () => wrap(tern().createMapper()) };
}

/** Tern, each of its events replaced by others. */
function rewritten(replace: (event: ModelEvent) => readonly ModelEvent[]): Provider {
  const replacing =
    (emit: Emit<ModelEvent>): Emit<ModelEvent> =>
    (event) => {
      replace(event).forEach(emit);
    };
  return withMapper((mapper) => ({
    push: (payload, emit) => {
      mapper.push(payload, replacing(emit));
    },
    end: (emit) => {
      mapper.end(replacing(emit));
    },
  }));
}

/** Tern, what its events say of the life of the answer changed. */
function living(change: (life: Lifecycle, event: unknown) => Lifecycle): Provider {
  return { ...tern(), lifecycleOf: (payload) => change(tern().lifecycleOf(payload), wordOf(payload)) };
}

function wordOf({ value }: Payload): unknown {
  return typeof value === 'object' && value !== null && 'event' in value ? value.event : undefined;
}

const LAWFUL = 'tells one response with one ending, and opens and closes each block once';
const UNKNOWN = 'gives an unknown event as raw, wherever it comes, and changes nothing else';

/** A provider that is wrong, the law that it breaks, and what the contract says then. */
const WRONG: readonly (readonly [mistake: string, provider: () => Provider, law: string, says: RegExp])[] = [
  [
    'has one mapper for all streams',
    () => {
      const mapper = tern().createMapper();
      return { ...tern(), createMapper: () => mapper };
    },
    'keeps nothing from one stream to the next',
    /^After another stream it reads otherwise: events\.0\.type is "raw", not "response-start"$/,
  ],
  [
    'keeps the state of a mapper outside of it',
    () => {
      let state = tern().createMapper();
      const mapper: EventStage = {
        push: (payload, emit) => {
          state.push(payload, emit);
        },
        end: (emit) => {
          state.end(emit);
        },
      };
      return {
        ...tern(),
        createMapper() {
          state = tern().createMapper();
          return mapper;
        },
      };
    },
    'reads two streams at the same time as if each were alone',
    /^Beside another stream it reads otherwise: events\./,
  ],
  [
    'lets lifecycleOf remember',
    () => {
      const seen = new Set<unknown>();
      return living((life, word) => {
        if (word !== 'said' || seen.has(word)) return life;
        seen.add(word);
        return { phase: 'preamble' };
      });
    },
    'says the same of a payload whenever it is asked',
    /lifecycleOf says otherwise: 1\.phase is "content", not "preamble"$/,
  ],
  [
    'reports a failure in the name of another',
    () => living((life) => (life.error ? { ...life, error: new ModelStreamError('provider', 'Busy') } : life)),
    'names itself in the failures it reports',
    /^A failure has another name: it is undefined, not "tern"$/,
  ],
  [
    'changes a payload',
    () =>
      withMapper((mapper) => ({
        ...mapper,
        push: (payload, emit) => {
          mapper.push(payload, emit);
          if (typeof payload.value === 'object' && payload.value !== null) Object.assign(payload.value, { read: true });
        },
      })),
    'changes no payload it is given',
    /^Payloads that cannot be changed read otherwise: /,
  ],
  [
    'goes on after finish',
    () => rewritten((event) => (event.type === 'finish' ? [event, { type: 'usage', usage: {} }] : [event])),
    LAWFUL,
    /ends with usage/,
  ],
  [
    'finishes twice',
    () => rewritten((event) => (event.type === 'finish' ? [event, event] : [event])),
    LAWFUL,
    /has 2 finish/,
  ],
  ['does not finish', () => rewritten((event) => (event.type === 'finish' ? [] : [event])), LAWFUL, /has 0 finish/],
  [
    'begins late',
    () => rewritten((event) => (event.type === 'response-start' ? [] : [event])),
    LAWFUL,
    /begins with block-start/,
  ],
  [
    'answers in the name of another',
    () => rewritten((event) => [event.type === 'response-start' ? { ...event, provider: 'gull' } : event]),
    LAWFUL,
    /begins as gull/,
  ],
  [
    'begins twice',
    () => rewritten((event) => (event.type === 'response-start' ? [event, event] : [event])),
    LAWFUL,
    /begins twice/,
  ],
  [
    'leaves a block open',
    () => rewritten((event) => (event.type === 'block-end' ? [] : [event])),
    LAWFUL,
    /block 0 is left open; block 1 is left open/,
  ],
  [
    'ends a block twice',
    () => rewritten((event) => (event.type === 'block-end' ? [event, event] : [event])),
    LAWFUL,
    /after the end of its block: event 5, block-end/,
  ],
  [
    'counts blocks from 1',
    () => rewritten((event) => ['index' in event ? { ...event, index: event.index + 1 } : event]),
    LAWFUL,
    /not in the next place: event 1, block-start/,
  ],
  [
    'opens a block with its text in it',
    () =>
      rewritten((event) => [
        event.type === 'block-start' ? { ...event, block: { kind: 'text', text: 'Let me' } } : event,
      ]),
    LAWFUL,
    /not empty at its start: event 1, block-start/,
  ],
  [
    'ends a block with another text',
    () =>
      rewritten((event) => [event.type === 'block-end' ? { ...event, block: { kind: 'text', text: 'No' } } : event]),
    LAWFUL,
    /not what the deltas say, and not reported: event 4, block-end/,
  ],
  [
    'says that a call is whole that was cut',
    () =>
      rewritten((event) => [
        event.type === 'block-end' && event.block.kind === 'tool-call'
          ? { ...event, block: { ...event.block, state: 'whole' } }
          : event,
      ]),
    LAWFUL,
    /whole, but no JSON: event 3, block-end/,
  ],
  [
    'says nothing in a delta',
    () => rewritten((event) => [event.type === 'text-delta' ? { ...event, text: '' } : event]),
    LAWFUL,
    /empty: event 2, text-delta/,
  ],
  [
    'knows no terminal signal',
    () => living((life, word) => (word === 'closed' ? { phase: 'content' } : life)),
    'comes to the end that the stream has',
    /^It fails with ModelStreamError: Stream ended before its terminal signal, and the stream is whole$/,
  ],
  [
    'overlooks a failure',
    () => living((life, word) => (word === 'failed' ? { phase: 'content', ending: 'final' } : life)),
    'comes to the end that the stream has',
    /^It completes, and the stream fails with provider$/,
  ],
  [
    'cannot stand a payload that is no object',
    () => ({ ...tern(), lifecycleOf: (payload) => ((payload.value as object).valueOf(), tern().lifecycleOf(payload)) }),
    'keeps the laws of events, and fails only with its own error, whatever a payload holds',
    /^A damaged payload fails with TypeError: Cannot read properties of null/,
  ],
  [
    'leaves the cached tokens out of the input',
    () =>
      rewritten((event) => [
        event.type === 'usage' ? { ...event, usage: { inputTokens: 30, cachedInputTokens: 40 } } : event,
      ]),
    'counts what came from a cache as input, and nothing below zero',
    /^Of 30 input tokens 40 read from a cache and 0 written to it are more than the whole$/,
  ],
  [
    'counts below zero',
    () => rewritten((event) => [event.type === 'usage' ? { ...event, usage: { outputTokens: -1 } } : event]),
    'counts what came from a cache as input, and nothing below zero',
    /^The usage has outputTokens -1$/,
  ],
  [
    'has a turn that JSON does not carry',
    () => rewritten((event) => [event.type === 'finish' ? { ...event, turn: { at: new Date(0) } } : event]),
    'gives a turn that JSON carries to the next request unchanged',
    /^The turn is not what JSON makes of it: at is "1970-01-01T00:00:00\.000Z", not "1970/,
  ],
  [
    'has calls and no answer to them',
    () => ({
      name: 'tern',
      lifecycleOf: (payload) => tern().lifecycleOf(payload),
      createMapper: () => tern().createMapper(),
    }),
    'writes an answer to each tool call, which quotes it',
    /^There is a call of next_tide, and toolResults is missing$/,
  ],
  [
    'forgets which call it answers',
    () => ({ ...tern(), toolResults: () => [{ from: 'tool', output: '18:40' }] }),
    'writes an answer to each tool call, which quotes it',
    /^No answer to the call c_1 of next_tide quotes its id or name$/,
  ],
  [
    'finishes before the terminal signal',
    () => rewritten((event) => (event.type === 'usage' ? [event, { type: 'finish', reason: 'stop' }] : [event])),
    'is truncated wherever the body ends before the terminal signal',
    /^The events break laws: has 1 finish$/,
  ],
  [
    'takes a keep-alive for content',
    () => living((life) => ({ ...life, phase: 'content' })),
    'takes no notice of a keep-alive, wherever it comes',
    /^With keep-alives before payload 0 it reads otherwise: events\.0\.type is "raw", not "response-start"$/,
  ],
  [
    'throws on what it does not know',
    () =>
      withMapper((mapper) => ({
        ...mapper,
        push: (payload, emit) => {
          if (wordOf(payload) === 'hologram') throw new TypeError('hologram?');
          mapper.push(payload, emit);
        },
      })),
    UNKNOWN,
    /^With it before payload 0 it reads otherwise: events\.0 is missing/,
  ],
  [
    'loses what it does not know',
    () => living((life, word) => (word === 'hologram' ? { phase: 'idle' } : life)),
    UNKNOWN,
    /^With it before payload 0 it reads otherwise: /,
  ],
  [
    'loses what has no word for what it is',
    () => living((life, word) => (word === undefined ? { phase: 'idle' } : life)),
    'gives an object of which no field is known as raw, wherever it comes, and changes nothing else',
    /^With it before payload 0 it reads otherwise: /,
  ],
  [
    'takes a number for content',
    () =>
      withMapper((mapper) => ({
        ...mapper,
        push: (payload, emit) => {
          if (typeof payload.value === 'number') emit({ type: 'usage', usage: { outputTokens: payload.value } });
          else mapper.push(payload, emit);
        },
      })),
    'gives a number, null or a list as raw, wherever it comes, and changes nothing else',
    /^With it before payload 0 it reads otherwise: events\.0\.type is "usage", not "raw"$/,
  ],
];

describe('providerContract()', () => {
  const tests = providerContract(tern, CONTRACT);

  it('is kept by a provider that is right', () => {
    expect(objectionsTo(tern)).toEqual(new Map());
  });

  it('is a test for each law and each stream, and none of them takes an argument', () => {
    const laws = new Set(tests.map(({ law }) => law));
    expect(tests.map(({ law, stream }) => `${law}: ${stream}`)).toEqual(
      [...laws].flatMap((law) => Object.keys(STREAMS).map((stream) => `${law}: ${stream}`)),
    );
    expect(tests.filter(({ check }) => check.length > 0)).toEqual([]); // a runner would wait for it to call back
  });

  it.each(WRONG)('finds a provider that %s', (_mistake, provider, law, says) => {
    expect(objectionsTo(provider, CONTRACT, law).get(law)).toMatch(says);
  });

  it('finds a framing that depends on the chunks', () => {
    const decoder = new TextDecoder();
    const careless = map((chunk: Uint8Array): Frame => ({ type: 'sse', data: decoder.decode(chunk).slice(6, -2) }));
    const body = 'data: {"event":"closed"}\n\n';
    const objections = objectionsTo(tern, { streams: [{ name: 'short', body, framing: careless }] });
    expect([...objections]).toEqual([
      [
        'gives the same events and the same error for every chunking',
        expect.stringMatching(/^Cut into chunks of 1 it reads otherwise: /),
      ],
    ]);
  });

  it('has somebody who breaks it for each of its laws', () => {
    const broken = new Set([
      ...WRONG.map(([, , law]) => law),
      'gives the same events and the same error for every chunking',
    ]);
    expect([...new Set(tests.map(({ law }) => law))].filter((law) => !broken.has(law))).toEqual([]);
  });

  it('takes messages in place of bytes', () => {
    const said = { event: 'said', text: 'Low tide' };
    const messages = (...payloads: readonly unknown[]): ContractStream => ({ name: 'messages', payloads });
    const objections = (...payloads: readonly unknown[]) =>
      objectionsTo(tern, { ...CONTRACT, streams: [messages(...payloads)] });
    expect(objections(said, { event: 'closed' })).toEqual(new Map());
    expect(objections(said, { event: 'closed' }, said)).toEqual(new Map());
  });

  it('reads a stream when it is checked, and once', () => {
    let reads = 0;
    const stream: ContractStream = {
      name: 'late',
      get body() {
        reads += 1;
        return STREAMS.text;
      },
    };
    const checks = providerContract(tern, { ...CONTRACT, streams: [stream] });
    expect(reads).toBe(0);
    for (const { check } of checks) check();
    expect(reads).toBe(1);
  });

  it('checks a long stream at some places, the same ones every time', () => {
    const body = STREAMS.text.replace('\n\n', '\n\n' + 'data: {"event":"said","text":"on and "}\n\n'.repeat(2000));
    const placesSeen = (): number => {
      let mappers = 0;
      const counting: Provider = {
        ...tern(),
        createMapper() {
          mappers += 1;
          return tern().createMapper();
        },
      };
      const checks = providerContract(() => counting, { ...CONTRACT, streams: [{ name: 'long', body, maxPlaces: 5 }] });
      for (const { check } of checks) check();
      return mappers;
    };
    expect(placesSeen()).toBeLessThan(100);
    expect(placesSeen()).toBe(placesSeen());
  });

  it('holds the responses of a session to the same laws', () => {
    const session = (provider: Provider) => (): Provider => ({ ...provider, session: true });
    const twice = { ...CONTRACT, streams: [{ name: 'twice', body: STREAMS.text + STREAMS.calls }] };
    expect(objectionsTo(session(tern()), twice)).toEqual(new Map());
    const open = session(rewritten((event) => (event.type === 'block-end' ? [] : [event])));
    expect(objectionsTo(open, twice).get(LAWFUL)).toMatch(/block 0 is left open; block 0 is left open/);
  });
});
