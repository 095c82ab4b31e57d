import { isModelStreamError, type Frame, type Provider } from 'rx-model-stream';
import { objectOf, without } from '../../src/wire';
import { rawWordsOf, type WordList } from '../sdk/wordList';
import { fixturesOf, framingOf } from './fixtures';
import { framesIn, framesOf, frozenFrame, readFrames } from './frames';

/** Payloads of a whole answer, one of which holds what is to come out as this raw event. */
export interface RawExample {
  readonly payloads: readonly unknown[];
  readonly raw: unknown;
}

/** Where the words of a list stand. */
export interface Place {
  readonly title: string;
  readonly list: WordList;
  /** The ways from a payload to the objects that have the words, `*` being every element of a list. */
  readonly paths: readonly string[];
  /** The field whose value the words are; absent where the words are the names of fields. */
  readonly field?: string;
  readonly rawExample?: (word: string) => RawExample;
}

/** Why an answer ends, in the words of the provider. */
export interface Reasons {
  readonly list: WordList;
  readonly payloadsWith: (word: string) => readonly unknown[];
}

export interface SdkWords {
  readonly provider: Provider;
  /** Another folder of fixtures with streams of this API. */
  readonly alsoIn?: string;
  readonly places: readonly Place[];
  readonly reasons?: readonly Reasons[];
}

/** Registers the tests that each word of a provider's lists is treated as its list says. */
export function describeSdkWords({ provider, alsoIn, places, reasons = [] }: SdkWords): void {
  const samples = [provider.name, alsoIn ?? []]
    .flat()
    .flatMap(fixturesOf)
    .map((sample) => framesIn(framingOf(sample), sample.bytes()).map((frame) => frozenFrame(frame, provider)));

  describe.each(places.map((place) => [place.title, place] as const))(`${provider.name}: %s`, (_title, place) => {
    it.each(place.list.mapped)('%s says something in a fixture', (word) => {
      const speaks = samples.some((frames) => {
        const rest = frames.map((frame) => withoutWord(frame, place, word));
        return rest.some((frame, at) => frame !== frames[at]) && saidIn(provider, rest) !== saidIn(provider, frames);
      });
      expect(speaks).toBe(true);
    });

    const { rawExample } = place;
    const raws = rawWordsOf(place.list);
    if (!rawExample || raws.length === 0) return;
    it.each(raws)('$word comes out as raw: $why', ({ word }) => {
      const { payloads, raw } = rawExample(word);
      const { events } = readFrames(provider, framesOf(...payloads));
      expect(events).toContainEqual({ type: 'raw', provider: provider.name, event: raw });
      expect(events.at(-1)).toMatchObject({ type: 'finish' });
    });
  });

  reasons.forEach(({ list, payloadsWith }) => {
    describe(`${provider.name}: reasons`, () => {
      const finishWith = (word: string) => readFrames(provider, framesOf(...payloadsWith(word))).events.at(-1);

      it.each(list.mapped)('%s is a reason of ours', (rawReason) => {
        expect(finishWith(rawReason)).toMatchObject({ type: 'finish', rawReason });
        expect(finishWith(rawReason)).not.toMatchObject({ reason: 'other' });
      });

      const others = rawWordsOf(list);
      if (others.length === 0) return;
      it.each(others)('$word is another reason: $why', ({ word }) => {
        expect(finishWith(word)).toMatchObject({ type: 'finish', reason: 'other' });
      });
    });
  });
}

/** Fields in which the words of the provider are handed on as they came. */
const HANDED_ON: ReadonlySet<string> = new Set(['turn', 'raw', 'rawReason']);

/** What is said frame by frame, raw events and what is only handed on left out, as a text. */
function saidIn(provider: Provider, frames: readonly Frame[]): string {
  const { events, eventsBefore, error } = readFrames(provider, frames);
  const said = events.map((event, at) => ({ event, frame: eventsBefore.filter((before) => before <= at).length }));
  return JSON.stringify(
    [said.filter(({ event }) => event.type !== 'raw'), isModelStreamError(error) ? error.code : error],
    (key, value: unknown) => (HANDED_ON.has(key) ? undefined : value),
  );
}

/** The frame with null, or without the field, where the word was; the same frame if it was not there. */
function withoutWord(frame: Frame, { paths, field }: Place, word: string): Frame {
  if (frame.type !== 'json') return frame;
  const value = paths.reduce((before, path) => {
    return edited(before, path === '' ? [] : path.split('.'), (at) => {
      const object = objectOf(at);
      if (field === undefined) return object && word in object ? without(object, word) : at;
      return object?.[field] === word ? null : at;
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
