import { lastValueFrom, toArray } from 'rxjs';
import {
  fromModel,
  gemini,
  geminiInteractions,
  parseJsonArray,
  parseSSE,
  type Block,
  type FinishEvent,
  type GeminiOptions,
  type GeminiPart,
  type GeminiTurn,
  type ModelEvent,
} from 'rx-model-stream';
import { sliceBytes, type UnknownPayloads } from 'rx-model-stream/testing';
import { payloadOf } from '../../src/payload';
import { listIn, numberIn, objectIn, objectOf } from '../../src/wire';
import { randomCuts } from '../support/chunkings';
import { fixtureBytes, fixturesOf, framingOf, recordingsOf, type WireSample } from '../support/fixtures';
import { framesIn, framesOf, framesWith, readBody, readFrames } from '../support/frames';
import { plainError } from '../support/outcome';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { rays: 3 };
const DONE = '[DONE]';

const EVENT_STREAMS = fixturesOf('gemini').filter((sample) => framingOf(sample) === parseSSE);
const JSON_ARRAYS = fixturesOf('gemini').filter((sample) => framingOf(sample) === parseJsonArray);
const RECORDINGS = [...recordingsOf('gemini', 'sse'), ...recordingsOf('gemini', 'json-array')];

/** Bodies that end inside an event or inside the array. */
const CUT_SHORT = ['truncated-between-elements.json', 'truncated-inside-element.json', 'truncated-inside-event.sse'];
/** All others. */
const WHOLE = [...fixturesOf('gemini'), ...RECORDINGS].filter(({ name }) => !CUT_SHORT.includes(name));
const WHOLE_ROWS = WHOLE.map((sample) => [sample.name, sample] as const);

const unknowns: readonly UnknownPayloads[] = [
  { title: 'an unknown chunk', payloads: [{ hologram: HOLOGRAM }] },
  { title: 'a chunk without candidates', payloads: [{ candidates: [], hologram: HOLOGRAM }] },
  { title: 'an unknown field of a candidate', payloads: [{ candidates: [{ index: 0, hologram: HOLOGRAM }] }] },
  { title: 'a payload that is no object', payloads: [null, 7, 'text', ['candidates']] },
];

describeProviderContract('gemini() on event streams', {
  create: gemini,
  fixtures: EVENT_STREAMS,
  recordings: recordingsOf('gemini', 'sse'),
  keepAlives: [DONE],
  unknowns,
});

describeProviderContract('gemini() on JSON arrays', {
  create: gemini,
  fixtures: JSON_ARRAYS,
  recordings: recordingsOf('gemini', 'json-array'),
  keepAlives: [DONE],
  unknowns,
});

const provider = gemini();
const read = (...payloads: readonly unknown[]) => readFrames(provider, framesOf(...payloads));
const eventsOf = (...payloads: readonly unknown[]): readonly ModelEvent[] => read(...payloads).events;

const candidate = (parts: readonly unknown[], finishReason?: string, index?: number) => ({
  content: { role: 'model', parts },
  ...(finishReason !== undefined && { finishReason }),
  ...(index !== undefined && { index }),
});
const chunk = (...parts: readonly unknown[]) => ({ candidates: [candidate(parts)] });
const ending = (finishReason: string, ...parts: readonly unknown[]) => ({
  candidates: [candidate(parts, finishReason)],
});
const STOP = ending('STOP');

const functionCall = (name: string, args?: object, id?: string) => ({
  functionCall: { name, ...(args && { args }), ...(id !== undefined && { id }) },
});
const RING = functionCall('ring', { bells: 2 });

function blocksIn(events: readonly ModelEvent[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of events) if ('block' in event) blocks[event.index] = event.block;
  return blocks;
}

function finishIn(events: readonly ModelEvent[]): FinishEvent<GeminiTurn> {
  const finish = events.find((event) => event.type === 'finish');
  if (!finish) throw new Error('The stream has no ending');
  return finish as FinishEvent<GeminiTurn>;
}

/** The payloads of a sample whose frames are all whole. */
function payloadsIn(sample: WireSample): readonly unknown[] {
  return framesIn(framingOf(sample), sample.bytes()).flatMap((frame) => {
    const payload = payloadOf(frame);
    return payload === undefined || payload.value === DONE ? [] : [payload.value];
  });
}

describe('gemini()', () => {
  it('is told from a failure by the content types of both framings', () => {
    expect([provider.name, provider.contentTypes]).toEqual(['gemini', ['text/event-stream', 'application/json']]);
  });

  it.each(['answer-with-search', 'tool-call'])('reads the same %s from either response', async (scenario) => {
    const [stream, array] = await Promise.all(
      [
        ['sse', 'text/event-stream'],
        ['json', 'application/json; charset=UTF-8'],
      ].map(([extension, type]) => {
        const body = fixtureBytes(`gemini/${scenario}.${extension!}`);
        const open = () => new Response(body, { headers: { 'content-type': type! } });
        return lastValueFrom(fromModel(provider, open).pipe(toArray()));
      }),
    );
    expect(array).toEqual(stream);
    expect(finishIn(stream!)).toHaveProperty('turn');
  });
});

describe('gemini() reads an interaction', () => {
  const CREATED = { event_type: 'interaction.created', interaction: { id: 'i-1', status: 'in_progress' } };
  const payloads = [
    CREATED,
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hi' } },
    { event_type: 'interaction.completed', interaction: { id: 'i-1', status: 'completed' } },
  ];

  it('as geminiInteractions() does, under its own name', () => {
    const { events } = readFrames(geminiInteractions(), framesOf(...payloads));
    const own = events.map((event) => ('provider' in event ? { ...event, provider: 'gemini' } : event));
    expect(own.map(({ type }) => type)).toContain('text-delta');
    expect(eventsOf(...payloads)).toEqual(own);
  });

  it('whatever unknown comes before it', () => {
    const events = eventsOf({ hologram: HOLOGRAM }, null, ...payloads);
    expect(events.slice(2)).toEqual(eventsOf(...payloads));
  });

  it('and goes on with the API whose payload came first', () => {
    const { events } = read(chunk({ text: 'Hi' }), CREATED, STOP);
    expect(events).toContainEqual({ type: 'raw', provider: 'gemini', event: CREATED });
  });
});

describe('gemini().lifecycleOf tells what a chunk means for the life of the answer', () => {
  const SIGNED = { text: '', thoughtSignature: 'c2ln' };
  it.each([
    ['the sentinel of a relay', DONE, { phase: 'idle' }],
    ['text', chunk({ text: 'Hi' }), { phase: 'content', ending: 'open' }],
    ['a call', chunk(RING), { phase: 'content', ending: 'open' }],
    ['a part that is unknown', chunk({ hologram: HOLOGRAM }), { phase: 'content', ending: 'open' }],
    ['a signature', chunk(SIGNED), { phase: 'content', ending: 'open' }],
    ['an empty text', chunk({ text: '' }), { phase: 'preamble' }],
    ['a part that is no object', chunk(null, 7), { phase: 'preamble' }],
    ['a candidate without content', { candidates: [{ index: 0 }] }, { phase: 'preamble' }],
    ['no candidates', { candidates: [] }, { phase: 'preamble' }],
    ['usage alone', { usageMetadata: { promptTokenCount: 1 } }, { phase: 'preamble' }],
    ['a reason', STOP, { phase: 'content', ending: 'possible' }],
    ['a reason with text', ending('STOP', { text: 'Hi' }), { phase: 'content', ending: 'possible' }],
    [
      'a reason and nothing else',
      { candidates: [{ finishReason: 'SAFETY' }] },
      { phase: 'content', ending: 'possible' },
    ],
    [
      'a reason of one of two candidates',
      { candidates: [candidate([{ text: 'Hi' }]), candidate([], 'STOP', 1)] },
      { phase: 'content', ending: 'possible' },
    ],
    ['an empty reason', ending('', { text: 'Hi' }), { phase: 'content', ending: 'open' }],
    ['a blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }, { phase: 'content', ending: 'possible' }],
    [
      'a blocked prompt without a reason',
      { promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' } },
      { phase: 'content' },
    ],
    ['ratings of the prompt', { promptFeedback: { safetyRatings: [] } }, { phase: 'content' }],
    ['something unknown', { hologram: HOLOGRAM }, { phase: 'content' }],
    ['no object', null, { phase: 'content' }],
    ['a list', [STOP], { phase: 'content' }],
  ])('%s', (_what, value, lifecycle) => {
    expect(provider.lifecycleOf({ value })).toEqual(lifecycle);
  });

  it.each([
    ['a failure', { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }],
    ['a failure in a list', [{ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }]],
    ['a failure beside an answer', { ...STOP, error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }],
  ])('%s', (_what, value) => {
    const { error } = provider.lifecycleOf({ value });
    expect(error).toMatchObject({ code: 'provider', providerCode: 'UNAVAILABLE', status: 503, retryable: true });
  });
});

describe('gemini() ends as Gemini says', () => {
  it.each([
    ['STOP', 'tool-calls'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'pause'],
    ['SAFETY', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'other'],
  ])('%s after a call is %s', (word, reason) => {
    expect(finishIn(eventsOf(chunk(RING), ending(word)))).toMatchObject({ reason, rawReason: word });
  });

  it.each([
    ['a call that Gemini ran', { executableCode: { language: 'PYTHON', code: '1' } }],
    ['a call without a name', { functionCall: { args: {} } }],
  ])('STOP after %s is stop', (_what, part) => {
    expect(finishIn(eventsOf(chunk(part), STOP))).toMatchObject({ reason: 'stop', rawReason: 'STOP' });
  });

  it.each<[string, readonly unknown[], string]>([
    ['the last of two reasons', [ending('STOP', { text: 'A' }), ending('MAX_TOKENS', { text: 'B' })], 'MAX_TOKENS'],
    ['a reason before usage', [ending('STOP', { text: 'A' }), { usageMetadata: { promptTokenCount: 1 } }], 'STOP'],
    ['a reason before an empty text', [ending('STOP', { text: 'A' }), chunk({ text: '' })], 'STOP'],
    ['a reason before no text', [ending('STOP', { text: 'A' }), { candidates: [{ index: 0 }] }], 'STOP'],
  ])('with %s', (_what, payloads, rawReason) => {
    expect(finishIn(eventsOf(...payloads))).toMatchObject({ rawReason });
  });

  it.each<[string, readonly unknown[]]>([
    ['text', [ending('STOP', { text: 'A' }), chunk({ text: 'B' })]],
    ['a result', [ending('STOP', { text: 'A' }), chunk({ codeExecutionResult: { outcome: 'OUTCOME_OK' } })]],
    [
      'text of one candidate, while another ends',
      [
        { candidates: [candidate([{ text: 'A' }], 'STOP', 0), candidate([{ text: 'B' }], undefined, 1)] },
        { candidates: [candidate([{ text: 'A' }], undefined, 0), candidate([{ text: 'B' }], 'STOP', 1)] },
      ],
    ],
    [
      'the text of a candidate that never ends',
      [
        { candidates: [candidate([{ text: 'A' }], 'STOP', 0), candidate([{ text: 'B' }], undefined, 1)] },
        { candidates: [candidate([], 'STOP', 0)] },
      ],
    ],
  ])('but is cut after %s', (_what, payloads) => {
    const { events, error } = read({ responseId: 'r-1' }, ...payloads);
    expect(error).toMatchObject({ code: 'truncated', provider: 'gemini', responseId: 'r-1', retryable: true });
    expect(events.map(({ type }) => type)).not.toContain('finish');
  });

  it('without a turn when nothing was said, since a turn without parts is refused', () => {
    expect(finishIn(eventsOf(ending('STOP', { text: '' })))).toEqual({
      type: 'finish',
      reason: 'stop',
      rawReason: 'STOP',
    });
  });

  it('with the latest token to go on with', () => {
    const pause = (continuationToken: string, text: string) => ({
      candidates: [{ ...candidate([{ text }], 'CONTINUATION'), continuationToken }],
    });
    expect(finishIn(eventsOf(pause('one', 'A'), pause('two', 'B')))).toMatchObject({ continuationToken: 'two' });
  });
});

describe('gemini() takes a call for a repetition', () => {
  /** How many calls come of these chunks, with the option and without. */
  function countsOf(...chunks: readonly unknown[]): readonly number[] {
    return [{ dropRepeatedCalls: true }, {}].map((options: GeminiOptions) => {
      const { events } = readFrames(gemini(options), framesOf(...chunks, STOP));
      const calls = blocksIn(events).filter(({ kind }) => kind === 'tool-call');
      expect(finishIn(events).turn?.parts.filter((part) => 'functionCall' in part)).toHaveLength(calls.length);
      return calls.length;
    });
  }

  const TOLL = functionCall('toll', { bells: 2 });
  const WITH_ID = functionCall('ring', { bells: 2 }, 'r1');

  it.each<[string, readonly unknown[], dropped: number, kept: number]>([
    ['directly after it', [chunk(RING), chunk(RING)], 1, 2],
    ['in the same chunk', [chunk(RING, RING, RING)], 1, 3],
    ['without the signature', [chunk({ ...RING, thoughtSignature: 'c2ln' }), chunk(RING)], 1, 2],
    ['after an empty text', [chunk(RING), chunk({ text: '' }, RING)], 1, 2],
    ['not after text', [chunk(RING), chunk({ text: 'And' }, RING)], 2, 2],
    ['not after another part', [chunk(RING), chunk({ hologram: HOLOGRAM }, RING)], 2, 2],
    ['not after another call', [chunk(RING), chunk(TOLL), chunk(RING)], 3, 3],
    ['not with other arguments', [chunk(RING), chunk(functionCall('ring', { bells: 3 }))], 2, 2],
    [
      'not where its arguments came in pieces',
      [
        chunk({ functionCall: { name: 'ring', willContinue: true } }),
        chunk({ functionCall: {} }),
        chunk(functionCall('ring', {})),
      ],
      2,
      2,
    ],
    ['with its id, wherever it comes', [chunk(WITH_ID), chunk({ text: 'And' }), chunk(WITH_ID)], 1, 1],
    ['not with another id', [chunk(WITH_ID), chunk(functionCall('ring', { bells: 2 }, 'r2'))], 2, 2],
    ['not with an id where it had none', [chunk(RING), chunk(WITH_ID)], 2, 2],
  ])('%s', (_what, chunks, dropped, kept) => {
    expect(countsOf(...chunks)).toEqual([dropped, kept]);
  });

  it('in each candidate by itself', () => {
    const both = { candidates: [candidate([RING], undefined, 0), candidate([RING], undefined, 1)] };
    const end = { candidates: [candidate([], 'STOP', 0), candidate([], 'STOP', 1)] };
    const { events } = readFrames(gemini({ dropRepeatedCalls: true }), framesOf(both, end));
    expect(blocksIn(events)).toHaveLength(2);
  });
});

describe('gemini() counts', () => {
  const usageOf = (...counts: readonly object[]) =>
    eventsOf(...counts.map((usageMetadata) => ({ usageMetadata })), STOP)
      .flatMap((event) => (event.type === 'usage' ? [event.usage] : []))
      .at(-1);

  it.each<[string, readonly object[], object | undefined]>([
    ['the last total, though smaller', [{ promptTokenCount: 9 }, { promptTokenCount: 6 }], { inputTokens: 6 }],
    ['what was told once', [{ promptTokenCount: 9 }, { candidatesTokenCount: 2 }], { inputTokens: 9, outputTokens: 2 }],
    ['nothing new of null', [{ promptTokenCount: 9 }, { promptTokenCount: null }], { inputTokens: 9 }],
    ['zero', [{ candidatesTokenCount: 0 }], { outputTokens: 0 }],
    ['prompts of tools with the prompt', [{ promptTokenCount: 9, toolUsePromptTokenCount: 4 }], { inputTokens: 13 }],
    [
      'thoughts with the answer',
      [{ candidatesTokenCount: 9, thoughtsTokenCount: 4 }],
      { outputTokens: 13, reasoningTokens: 4 },
    ],
    ['thoughts alone', [{ thoughtsTokenCount: 4 }], { outputTokens: 4, reasoningTokens: 4 }],
    ['the total as told', [{ promptTokenCount: 1, totalTokenCount: 7 }], { inputTokens: 1, totalTokens: 7 }],
    ['nothing of a traffic type', [{ trafficType: 'ON_DEMAND' }], undefined],
    ['nothing of what is no number', [{ promptTokenCount: '9' }], undefined],
  ])('%s', (_what, counts, expected) => {
    const raw = Object.fromEntries(counts.flatMap(Object.entries).filter(([, count]) => count !== null));
    expect(usageOf(...counts)).toEqual(expected && { ...expected, raw });
  });
});

describe('gemini() leaves an unknown part in its place', () => {
  const unknown = { hologram: HOLOGRAM };
  const complete = WHOLE.flatMap((sample) => {
    const payloads = payloadsIn(sample);
    const finish = eventsOf(...payloads).find((event) => event.type === 'finish');
    return finish && finish.choices === undefined ? [[sample.name, payloads] as const] : [];
  });

  it.each(complete)('%s', (_name, payloads) => {
    const { events, eventsBefore } = read(...payloads);
    const lastReason = payloads.map((value) => provider.lifecycleOf({ value }).ending).lastIndexOf('possible');
    const known = partsIn(events).filter((part) => !isUnknown(part));
    for (let place = 0; place <= lastReason; place += 1) {
      const after = readFrames(provider, framesWith(framesOf(...payloads), place, framesOf(chunk(unknown)))).events;
      const at = eventsBefore[place]!;
      expect(after[at]).toEqual({ type: 'raw', provider: 'gemini', event: unknown });
      expect([...after.slice(0, at), ...after.slice(at + 1)].map(withoutTurn)).toEqual(events.map(withoutTurn));
      expect(partsIn(after).filter(isUnknown)).toHaveLength(partsIn(events).filter(isUnknown).length + 1);
      expect(joined(partsIn(after).filter((part) => !isUnknown(part)))).toEqual(joined(known));
    }
  });

  const partsIn = (events: readonly ModelEvent[]): readonly GeminiPart[] => finishIn(events).turn?.parts ?? [];
  const isUnknown = (part: GeminiPart): boolean => 'hologram' in part;
});

function withoutTurn(event: ModelEvent): ModelEvent {
  return event.type === 'finish' ? { ...event, turn: undefined } : event;
}

/** The parts with neighbouring plain texts joined. */
function joined(parts: readonly GeminiPart[]): readonly GeminiPart[] {
  const all: GeminiPart[] = [];
  for (const part of parts) {
    const before = all.at(-1);
    if (before && isPlain(before) && isPlain(part) && before['thought'] === part['thought']) {
      all[all.length - 1] = { ...before, text: `${before.text}${part.text}` };
    } else all.push(part);
  }
  return all;
}

function isPlain(part: GeminiPart): part is GeminiPart & { readonly text: string } {
  return typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

describe('gemini() gives the same events in both framings, however they are cut', () => {
  const asEventStream = (payloads: readonly unknown[]): string =>
    payloads.map((payload) => `data: ${JSON.stringify(payload)}\r\n\r\n`).join('');
  const asArray = (payloads: readonly unknown[]): string =>
    `[${payloads.map((payload) => JSON.stringify(payload, undefined, 2)).join('\n,\r\n')}\n]`;

  it.each(WHOLE_ROWS)('%s', (_name, sample) => {
    const { events, error } = readBody(provider, framingOf(sample), [sample.bytes()]);
    const payloads = payloadsIn(sample);
    for (const [frame, text] of [
      [parseSSE, asEventStream(payloads)],
      [parseJsonArray, asArray(payloads)],
    ] as const) {
      const body = new TextEncoder().encode(text);
      const cuts = [[body], ...[1, 7, 64].map((size) => sliceBytes(body, size)), randomCuts(body, 7, 0.05)];
      for (const chunks of cuts) {
        const found = readBody(provider, frame, chunks);
        expect(found.events).toEqual(events);
        expect(plainError(found.error)).toEqual(plainError(error));
      }
    }
  });
});

describe('gemini() gives the turn to send back', () => {
  it.each(WHOLE_ROWS)(
    '%s: every signature is in its place, on the part it came with, and no id is made up',
    (_name, sample) => {
      const { events } = readBody(provider, framingOf(sample), [sample.bytes()]);
      const finish = events.find((event) => event.type === 'finish') as FinishEvent<GeminiTurn> | undefined;
      if (finish === undefined) return;
      const sent = payloadsIn(sample).flatMap(partsIn).filter(isSigned);
      const turn = finish.turn?.parts ?? [];
      expect(turn.filter(isSigned).map(signatureOf)).toEqual(sent.map(signatureOf));
      const whole = sent.filter((part) => !('functionCall' in part));
      expect(turn.filter((part) => isSigned(part) && !('functionCall' in part))).toEqual(whole);
      for (const block of blocksIn(events)) {
        if (block.kind === 'tool-call' && block.syntheticId) expect(JSON.stringify(turn)).not.toContain(block.id);
      }
    },
  );

  /** The parts of the first candidate. */
  function partsIn(payload: unknown): readonly GeminiPart[] {
    const candidates = listIn(objectOf(payload), 'candidates').map(objectOf);
    const first = candidates.filter((candidate) => (numberIn(candidate, 'index') ?? 0) === 0);
    const parts = first.flatMap((candidate) => listIn(objectIn(candidate, 'content'), 'parts'));
    return parts.map(objectOf).filter((part) => part !== undefined);
  }

  const isSigned = (part: GeminiPart): boolean => 'thoughtSignature' in part;
  const signatureOf = (part: GeminiPart): unknown => part['thoughtSignature'];

  const signed = (part: object, thoughtSignature: string) => ({ ...part, thoughtSignature });
  const thought = { text: 'Hm.', thought: true };

  /** The next request: what was asked, the turn, and an answer to each call, with its id where Gemini gave it one. */
  function nextContents(events: readonly ModelEvent[]): readonly unknown[] {
    const calls = blocksIn(events).flatMap((block) => (block.kind === 'tool-call' ? [block] : []));
    const responses = calls.map(({ id, syntheticId, name, arguments: args }) => ({
      functionResponse: { name, ...(!syntheticId && { id }), response: { got: JSON.parse(args) as unknown } },
    }));
    return [finishIn(events).turn, { role: 'user', parts: responses }];
  }

  it('of parallel calls with ids', () => {
    const parts = [
      thought,
      { text: 'I ring.' },
      signed(functionCall('ring', { bells: 1 }, 'a'), 'Zmlyc3Q='),
      functionCall('ring', { bells: 1 }, 'b'),
      functionCall('toll', undefined, 'c'),
      signed({ text: '' }, 'bGFzdA=='),
    ];
    expect(nextContents(eventsOf(...parts.map((part) => chunk(part)), STOP))).toEqual([
      { role: 'model', parts },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'ring', id: 'a', response: { got: { bells: 1 } } } },
          { functionResponse: { name: 'ring', id: 'b', response: { got: { bells: 1 } } } },
          { functionResponse: { name: 'toll', id: 'c', response: { got: {} } } },
        ],
      },
    ]);
  });

  it('of parallel calls without ids, equal ones among them', () => {
    const parts = [signed(RING, 'Zmlyc3Q='), RING, functionCall('toll')];
    const answer = { functionResponse: { name: 'ring', response: { got: { bells: 2 } } } };
    expect(nextContents(eventsOf(chunk(...parts), STOP))).toEqual([
      { role: 'model', parts },
      { role: 'user', parts: [answer, answer, { functionResponse: { name: 'toll', response: { got: {} } } }] },
    ]);
  });

  it('of calls whose arguments came in pieces, in one part each, among others', () => {
    const piece = (...partialArgs: readonly object[]) => ({ functionCall: { partialArgs, willContinue: true } });
    const events = eventsOf(
      chunk(signed(thought, 'dGhvdWdodA==')),
      chunk(signed({ functionCall: { name: 'ring', willContinue: true } }, 'Zmlyc3Q=')),
      chunk(piece({ jsonPath: '$.bell', stringValue: 'big', willContinue: true })),
      chunk(piece({ jsonPath: '$.bell', stringValue: '' })),
      chunk({ functionCall: {} }),
      chunk({ functionCall: { name: 'toll', id: 'b', willContinue: true } }),
      chunk(piece({ jsonPath: '$.bells[0]', numberValue: 3 })),
      chunk({ text: 'Both.' }, functionCall('hum', {}, 'c')),
      ending('STOP', signed({ text: '' }, 'bGFzdA==')),
    );
    expect(nextContents(events)).toEqual([
      {
        role: 'model',
        parts: [
          signed(thought, 'dGhvdWdodA=='),
          signed(functionCall('ring', { bell: 'big' }), 'Zmlyc3Q='),
          functionCall('toll', { bells: [3] }, 'b'),
          { text: 'Both.' },
          functionCall('hum', {}, 'c'),
          signed({ text: '' }, 'bGFzdA=='),
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'ring', response: { got: { bell: 'big' } } } },
          { functionResponse: { name: 'toll', id: 'b', response: { got: { bells: [3] } } } },
          { functionResponse: { name: 'hum', id: 'c', response: { got: {} } } },
        ],
      },
    ]);
  });

  it('with plain text joined, and none joined with a signature', () => {
    const parts = [
      { text: 'A' },
      { text: 'B' },
      signed({ text: 'C' }, 'Yw=='),
      { text: 'D' },
      { text: '' },
      { text: 'E' },
    ];
    expect(finishIn(eventsOf(...parts.map((part) => chunk(part)), STOP)).turn?.parts).toEqual([
      { text: 'AB' },
      signed({ text: 'C' }, 'Yw=='),
      { text: 'DE' },
    ]);
  });
});
