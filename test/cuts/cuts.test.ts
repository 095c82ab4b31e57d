import { tap } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  fromModel,
  isModelStreamError,
  withUsage,
  type Block,
  type ModelEvent,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { anthropic, openaiChat } from 'rx-model-stream/providers';
import { fakeFetch } from 'rx-model-stream/testing';
import { createRandom } from '../../src/testing/createRandom';
import { allSamples, fixtureSamples, type Sample } from '../support/samples';
import { hasGrown, isOtherCall } from './growth';
import { wireOf, type Ending, type Reading } from './readCut';
import { tryCuts } from './tryCuts';

const SEED = 1;
/** Of each folder so many streams are cut here; `npm run cuts` takes all of them, at every place. */
const STREAMS_OF_FOLDER = 3;
const CUTS_OF_STREAM = 12;

const random = createRandom(SEED);

function someOf<T>(list: readonly T[], count: number): T[] {
  const rest = [...list];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(random() * rest.length, 1)[0]!);
}

function byFolder(samples: readonly Sample[]): Map<string, Sample[]> {
  const folders = new Map<string, Sample[]>();
  for (const sample of samples) {
    const folder = sample.name.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), sample]);
  }
  return folders;
}

const sampled = [...byFolder(allSamples())].flatMap(([, samples]) => someOf(samples, STREAMS_OF_FOLDER));

describe('a stream that is cut gives the whole answer, or a typed error with a beginning of it', () => {
  it.each(sampled.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    const { length } = wireOf(sample);
    const places = Array.from({ length: CUTS_OF_STREAM }, () => Math.floor(random() * (length + 1)));
    expect(tryCuts(sample, { seed: SEED, places }).failures).toEqual([]);
  });
});

describe('a cut', () => {
  const bodies = fixtureSamples().filter((sample) => wireOf(sample).endings.includes('eof'));

  it('is read as fromModel reads a connection that ends there', async () => {
    for (const sample of someOf(bodies, 40)) {
      const wire = wireOf(sample);
      for (const ending of wire.endings) {
        const at = Math.floor(random() * (wire.length + 1));
        const read = wire.read(at, ending);
        const live = await readLive(sample, at, ending);
        expect([sample.name, at, live.events]).toEqual([sample.name, at, read.events]);
        expect([live.snapshot.status, live.snapshot.blocks]).toEqual([read.snapshot.status, read.snapshot.blocks]);
        expect(codeOf(live)).toBe(codeOf(read));
      }
    }
  });

  it('is found to be a silent success where a provider takes every end for an ending', () => {
    const trusting: Provider = { ...anthropic(), lifecycleOf: () => ({ phase: 'content', ending: 'possible' }) };
    expect(outcomesOf(trusting, 'fixtures/anthropic/tool-call.sse')).toEqual(new Set(['silent']));
  });

  it('is found to be wrong where a provider says something else than without the cut', () => {
    let streams = 0;
    const provider = openaiChat();
    const moody: Provider = {
      ...provider,
      createMapper() {
        const mapper = provider.createMapper();
        const suffix = String((streams += 1));
        return {
          ...mapper,
          push(payload, emit) {
            mapper.push(payload, (event) => {
              emit(event.type === 'text-delta' ? { ...event, text: event.text + suffix } : event);
            });
          },
        };
      },
    };
    expect(outcomesOf(moody, 'fixtures/openai-chat/text.sse')).toEqual(new Set(['wrong']));
  });
});

describe('what a block became', () => {
  const text: Block = { kind: 'text', text: 'Hi' };
  const call: Block = { kind: 'tool-call', id: 'a', name: 'f', arguments: '{}', format: 'json', state: 'whole' };
  const sound: Block = { kind: 'media', parts: ['AA=='], transcript: 'la' };

  it.each<[string, Block, Block, boolean]>([
    ['more text', text, { ...text, text: 'Hi!' }, true],
    ['other text', text, { ...text, text: 'Ho' }, false],
    ['another kind', text, { kind: 'reasoning', text: 'Hi' }, false],
    ['of another alternative', text, { ...text, choice: 1 }, false],
    ['a citation more', text, { ...text, citations: [{ raw: 1 }] }, true],
    ['another citation', { ...text, citations: [{ raw: 1 }] }, { ...text, citations: [{ raw: 2 }] }, false],
    ['arguments that go on', { ...call, arguments: '{', state: 'open' }, call, true],
    ['a whole call, cancelled', call, { ...call, state: 'cancelled' }, false],
    ['a whole call with other arguments', call, { ...call, arguments: '{"a":1}' }, false],
    ['a whole call with a signature', call, { ...call, signature: 's' }, true],
    ['a piece of sound more', sound, { ...sound, parts: ['AA==', 'AQ=='] }, true],
    ['another picture', sound, { ...sound, parts: ['AQ=='] }, false],
    ['another transcript', sound, { ...sound, transcript: 'li' }, false],
  ])('%s', (_what, before, after, isGrowth) => {
    expect(hasGrown(before, after)).toBe(isGrowth);
  });

  it('is another call where a whole one was something else', () => {
    expect(isOtherCall({ before: call, after: { ...call, arguments: '{"a":1}' } })).toBe(true);
    expect(isOtherCall({ before: call, after: { ...call, state: 'cancelled' } })).toBe(false);
    expect(isOtherCall({ before: { ...call, state: 'open' }, after: call })).toBe(false);
  });
});

function outcomesOf(provider: Provider, file: string): Set<string> {
  const sample = fixtureSamples().find(({ name }) => name === file)!;
  const { failures } = tryCuts({ ...sample, provider }, { seed: SEED, places: [700] });
  return new Set(failures.map(({ outcome }) => outcome));
}

function codeOf({ error }: Reading): string | undefined {
  return isModelStreamError(error) ? error.code : undefined;
}

/** The content type of a fixture, by the end of its name. */
const CONTENT_TYPES: readonly (readonly [end: string, contentType: string])[] = [
  ['.aws.jsonl', 'application/vnd.amazon.eventstream'],
  ['.json', 'application/json'],
  ['.ndjson', 'application/x-ndjson'],
  ['.sse', 'text/event-stream'],
];

/** Over a response whose body ends, or fails, behind these bytes. */
function readLive(sample: Sample, at: number, ending: Ending): Promise<Reading> {
  const contentType = CONTENT_TYPES.find(([end]) => sample.name.endsWith(end))![1];
  const bytes = sample.bytes();
  const headers = { 'content-type': contentType };
  const answer =
    ending === 'reset'
      ? { body: bytes, headers, fault: { type: 'reset', afterBytes: at } as const }
      : { body: bytes.subarray(0, at), headers };
  const provider = { ...sample.provider, contentTypes: [contentType] };
  const request = { url: 'http://127.0.0.1/', fetch: fakeFetch(answer) };
  const events: ModelEvent[] = [];
  let snapshot: Snapshot = emptySnapshot;
  return new Promise((resolve) => {
    fromModel<unknown>(provider, request)
      .pipe(
        tap((event) => events.push(event)),
        withUsage(),
        accumulateBlocks(),
      )
      .subscribe({
        next: (next) => {
          snapshot = next;
        },
        error: (error: unknown) => {
          const carried = isModelStreamError(error) ? error.snapshot : undefined;
          resolve({ events, snapshot: carried ?? snapshot, error });
        },
        complete: () => {
          resolve({ events, snapshot, error: undefined });
        },
      });
  });
}
