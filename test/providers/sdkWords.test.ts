import { isModelStreamError, type Frame, type Provider } from 'rx-model-stream';
import { anthropic, gemini, openaiChat, openaiRealtime, openaiResponses } from 'rx-model-stream/providers';
import { objectOf, without } from '../../src/wire';
import * as anthropicWords from '../sdk/anthropic';
import * as geminiWords from '../sdk/gemini';
import * as chatWords from '../sdk/openaiChat';
import * as realtimeWords from '../sdk/openaiRealtime';
import * as responsesWords from '../sdk/openaiResponses';
import { rawWordsOf, type WordList } from '../sdk/wordList';
import { fixturesOf, framingOf } from '../support/fixtures';
import { framesIn, framesOf, frozenFrame, readFrames } from '../support/frames';

/** Where words of a list stand. */
interface Place {
  readonly title: string;
  readonly list: WordList;
  /** The ways from a payload to what has the words, `*` being every element of a list. */
  readonly paths: readonly string[];
  /** Whether the words are its fields, and not the value of its `type`. */
  readonly areFields?: true;
  /** The payloads of a stream with a word that is to come out as `raw`, and the raw event. */
  readonly withRaw?: (word: string) => { readonly payloads: readonly unknown[]; readonly raw: unknown };
}

/** Where the reasons of an answer stand. */
interface Reasons {
  readonly list: WordList;
  readonly payloadsWith: (word: string) => readonly unknown[];
}

interface Subject {
  readonly provider: Provider;
  /** Another folder with streams of this API. */
  readonly alsoIn?: string;
  readonly places: readonly Place[];
  readonly reasons: readonly Reasons[];
}

const hologram = (type: string) => ({ type, id: 'hologram_1' });

/** Between the start and the end of an answer. */
function inResponse(payload: unknown): { readonly payloads: readonly unknown[]; readonly raw: unknown } {
  const created = { type: 'response.created', response: { id: 'resp_1' } };
  const completed = { type: 'response.completed', response: { id: 'resp_1' } };
  return { payloads: [created, payload, completed], raw: payload };
}

/** The same in a session, where the response ends in another way. */
function inSession(payload: unknown): { readonly payloads: readonly unknown[]; readonly raw: unknown } {
  return {
    payloads: [{ type: 'response.created', response: { id: 'resp_1' } }, payload, endingWith('completed')],
    raw: payload,
  };
}

function endingWith(status: string, status_details: object | null = null): object {
  return { type: 'response.done', response: { id: 'resp_1', status, status_details } };
}

function inMessage(payload: unknown): { readonly payloads: readonly unknown[]; readonly raw: unknown } {
  const start = { type: 'message_start', message: { id: 'msg_1' } };
  return { payloads: [start, payload, { type: 'message_stop' }], raw: payload };
}

function inChat(chunk: object): { readonly payloads: readonly unknown[]; readonly raw: unknown } {
  const hello = { id: 'chat_1', choices: [{ index: 0, delta: { content: 'Hello' } }] };
  return {
    payloads: [hello, chunk, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
    raw: chunk,
  };
}

function inGemini(chunk: object): { readonly payloads: readonly unknown[]; readonly raw: unknown } {
  const hello = { responseId: 'g_1', candidates: [{ content: { parts: [{ text: 'Hello' }] } }] };
  return { payloads: [hello, chunk, { candidates: [{ finishReason: 'STOP' }] }], raw: chunk };
}

const SUBJECTS: readonly Subject[] = [
  {
    provider: openaiResponses(),
    alsoIn: 'xai',
    places: [
      {
        title: 'events',
        list: responsesWords.EVENTS,
        paths: [''],
        withRaw: (type) => inResponse({ type, output_index: 9, delta: '~' }),
      },
      {
        title: 'items',
        list: responsesWords.ITEMS,
        paths: ['item', 'response.output.*'],
        withRaw: (type) => inResponse({ type: 'response.output_item.done', output_index: 9, item: hologram(type) }),
      },
      {
        title: 'parts',
        list: responsesWords.PARTS,
        paths: [
          'part',
          'item.content.*',
          'item.summary.*',
          'response.output.*.content.*',
          'response.output.*.summary.*',
        ],
      },
      {
        title: 'annotations',
        list: responsesWords.ANNOTATIONS,
        paths: [
          'annotation',
          'part.annotations.*',
          'item.content.*.annotations.*',
          'response.output.*.content.*.annotations.*',
        ],
      },
    ],
    reasons: [
      {
        list: responsesWords.REASONS,
        payloadsWith: (reason) => [
          { type: 'response.created', response: { id: 'resp_1' } },
          { type: 'response.incomplete', response: { incomplete_details: { reason } } },
        ],
      },
    ],
  },
  {
    provider: openaiRealtime(),
    places: [
      {
        title: 'events',
        list: realtimeWords.EVENTS,
        paths: [''],
        withRaw: (type) => inSession({ type, item_id: 'item_9', output_index: 9, delta: '~' }),
      },
      {
        title: 'items',
        list: realtimeWords.ITEMS,
        paths: ['item', 'response.output.*'],
        withRaw: (type) => inSession({ type: 'response.output_item.done', output_index: 9, item: hologram(type) }),
      },
      {
        title: 'parts',
        list: realtimeWords.PARTS,
        paths: ['part', 'item.content.*', 'response.output.*.content.*'],
      },
    ],
    reasons: [
      { list: realtimeWords.INCOMPLETE_REASONS, payloadsWith: (reason) => [endingWith('incomplete', { reason })] },
      { list: realtimeWords.CANCELLED_REASONS, payloadsWith: (reason) => [endingWith('cancelled', { reason })] },
      { list: realtimeWords.STATUSES, payloadsWith: (status) => [endingWith(status)] },
    ],
  },
  {
    provider: openaiChat(),
    places: [
      {
        title: 'fields of a chunk',
        list: chatWords.CHUNK_FIELDS,
        paths: [''],
        areFields: true,
        withRaw: (field) => inChat({ choices: [], [field]: 'rays' }),
      },
      {
        title: 'fields of a choice',
        list: chatWords.CHOICE_FIELDS,
        paths: ['choices.*'],
        areFields: true,
        withRaw: (field) => inChat({ choices: [{ index: 0, delta: {}, [field]: { rays: 3 } }] }),
      },
      {
        title: 'fields of a delta',
        list: chatWords.DELTA_FIELDS,
        paths: ['choices.*.delta'],
        areFields: true,
        withRaw: (field) => inChat({ choices: [{ index: 0, delta: { [field]: 'rays' } }] }),
      },
      {
        title: 'fields of a call',
        list: chatWords.CALL_FIELDS,
        paths: ['choices.*.delta.tool_calls.*'],
        areFields: true,
        withRaw: (field) => {
          const piece = { [field]: 'hologram' };
          return { ...inChat({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }), raw: piece };
        },
      },
    ],
    reasons: [
      {
        list: chatWords.REASONS,
        payloadsWith: (reason) => [{ choices: [{ index: 0, delta: {}, finish_reason: reason }] }, '[DONE]'],
      },
    ],
  },
  {
    provider: anthropic(),
    places: [
      {
        title: 'events',
        list: anthropicWords.EVENTS,
        paths: [''],
        withRaw: (type) => inMessage({ type, index: 9 }),
      },
      {
        title: 'blocks',
        list: anthropicWords.BLOCKS,
        paths: ['content_block', 'message.content.*'],
        withRaw: (type) => inMessage({ type: 'content_block_start', index: 0, content_block: { type, id: 'block_1' } }),
      },
      {
        title: 'deltas',
        list: anthropicWords.DELTAS,
        paths: ['delta'],
        withRaw: (type) => inMessage({ type: 'content_block_delta', index: 0, delta: { type, content: '~' } }),
      },
      { title: 'citations', list: anthropicWords.CITATIONS, paths: ['delta.citation'] },
    ],
    reasons: [
      {
        list: anthropicWords.REASONS,
        payloadsWith: (reason) => [
          { type: 'message_start', message: { id: 'msg_1' } },
          { type: 'message_delta', delta: { stop_reason: reason } },
          { type: 'message_stop' },
        ],
      },
    ],
  },
  {
    provider: gemini(),
    places: [
      {
        title: 'fields of a chunk',
        list: geminiWords.CHUNK_FIELDS,
        paths: [''],
        areFields: true,
        withRaw: (field) => inGemini({ [field]: 'rays' }),
      },
      {
        title: 'fields of a candidate',
        list: geminiWords.CANDIDATE_FIELDS,
        paths: ['candidates.*'],
        areFields: true,
        withRaw: (field) => {
          const candidate = { [field]: { rays: 3 } };
          const chunk = { candidates: [candidate] };
          return { ...inGemini(chunk), raw: field === 'urlContextMetadata' ? candidate : chunk };
        },
      },
      {
        title: 'fields of a part',
        list: geminiWords.PART_FIELDS,
        paths: ['candidates.*.content.parts.*'],
        areFields: true,
        withRaw: (field) => {
          const part = { [field]: { rays: 3 } };
          return { ...inGemini({ candidates: [{ content: { parts: [part] } }] }), raw: part };
        },
      },
    ],
    reasons: [
      { list: geminiWords.REASONS, payloadsWith: (finishReason) => [{ candidates: [{ finishReason }] }] },
      {
        list: geminiWords.BLOCK_REASONS,
        payloadsWith: (blockReason) => [
          { promptFeedback: { blockReason } },
          ...(blockReason === 'BLOCKED_REASON_UNSPECIFIED' ? [{ candidates: [{ finishReason: 'OTHER' }] }] : []),
        ],
      },
    ],
  },
];

describe.each(SUBJECTS.map((subject) => [subject.provider.name, subject] as const))('%s', (name, subject) => {
  const { provider, reasons, alsoIn } = subject;
  const samples = [name, alsoIn ?? []]
    .flat()
    .flatMap(fixturesOf)
    .map((sample) => framesIn(framingOf(sample), sample.bytes()).map((frame) => frozenFrame(frame, provider)));

  describe.each(subject.places.map((place) => [place.title, place] as const))('%s', (_title, place) => {
    it.each(place.list.mapped)('%s says something in a fixture', (word) => {
      const speaks = samples.some((frames) => {
        const rest = frames.map((frame) => withoutWord(frame, place, word));
        return rest.some((frame, at) => frame !== frames[at]) && saidIn(provider, rest) !== saidIn(provider, frames);
      });
      expect(speaks).toBe(true);
    });

    const raws = rawWordsOf(place.list);
    if (raws.length > 0) {
      it.each(raws)('$word comes out as raw: $why', ({ word }) => {
        const { payloads, raw } = place.withRaw!(word);
        const { events } = readFrames(provider, framesOf(...payloads));
        expect(events).toContainEqual({ type: 'raw', provider: name, event: raw });
        expect(events.at(-1)).toMatchObject({ type: 'finish' });
      });
    }
  });

  describe.each(reasons)('reasons', ({ list, payloadsWith }) => {
    const finishWith = (word: string) => readFrames(provider, framesOf(...payloadsWith(word))).events.at(-1);

    it.each(list.mapped)('%s is a reason of ours', (rawReason) => {
      expect(finishWith(rawReason)).toMatchObject({ type: 'finish', rawReason });
      expect(finishWith(rawReason)).not.toMatchObject({ reason: 'other' });
    });

    const others = rawWordsOf(list);
    if (others.length > 0) {
      it.each(others)('$word is another reason: $why', ({ word }) => {
        expect(finishWith(word)).toMatchObject({ type: 'finish', reason: 'other' });
      });
    }
  });
});

/** What is said frame by frame, raw events and what is only handed on left out, as a text. */
function saidIn(provider: Provider, frames: readonly Frame[]): string {
  const { events, eventsBefore, error } = readFrames(provider, frames);
  const said = events.map((event, at) => ({ event, frame: eventsBefore.filter((before) => before <= at).length }));
  return JSON.stringify(
    [said.filter(({ event }) => event.type !== 'raw'), isModelStreamError(error) ? error.code : error],
    (key, value: unknown) => (HANDED_ON.has(key) ? undefined : value),
  );
}

/** Fields in which the words of the provider are handed on as they came. */
const HANDED_ON: ReadonlySet<string> = new Set(['turn', 'raw', 'rawReason']);

/** The frame with null, or nothing, where the word was; the same frame if it was not there. */
function withoutWord(frame: Frame, { paths, areFields }: Place, word: string): Frame {
  if (frame.type !== 'json') return frame;
  const value = paths.reduce((before, path) => {
    return edited(before, path === '' ? [] : path.split('.'), (at) => {
      const object = objectOf(at);
      if (areFields) return object && word in object ? without(object, word) : at;
      return object?.['type'] === word ? null : at;
    });
  }, frame.value);
  return JSON.stringify(value) === JSON.stringify(frame.value) ? frame : { ...frame, value };
}

/** The value, changed where the steps lead to. */
function edited(value: unknown, [step, ...rest]: readonly string[], edit: (at: unknown) => unknown): unknown {
  if (step === undefined) return edit(value);
  if (step === '*') return Array.isArray(value) ? value.map((each) => edited(each, rest, edit)) : value;
  const object = objectOf(value);
  return object && step in object ? { ...object, [step]: edited(object[step], rest, edit) } : value;
}
