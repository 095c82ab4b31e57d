import { count, from, lastValueFrom, toArray } from 'rxjs';
import { normalize, parseSSE } from 'rx-model-stream';
import { generatedCases, recordedCases, type Case, type Sizes } from '../bench/cases';
import { doublingsOf } from '../bench/linearity';
import { check, measure, median } from '../bench/measure';
import { floor } from '../bench/readers/floor';
import { libraryReaders, PROVIDERS } from '../bench/readers/library';
import type { Reader } from '../bench/readers/reader';
import { callAnswer, callsAnswer, CJK_WORDS, contentOf, wordsAnswer, type Answer } from '../bench/streams/answer';
import { generatedStream } from '../bench/streams/generated';
import { APIS, type Api, type WireStream } from '../bench/streams/wireStream';
import { brokenLaws } from '../src/testing/contract/eventLaws';
import { describeCollection } from './support/shared';

/** Every path is taken; the calls are more than a snapshot keeps in one array. */
const SMALL: Sizes = { words: 20, wholeCharacters: 500, argumentCharacters: 48, calls: 40, slowWords: 3 };

const ANSWERS: readonly (readonly [title: string, answer: Answer])[] = [
  ['words', wordsAnswer(20, CJK_WORDS)],
  ['a call', callAnswer(50)],
  ['many calls', callsAnswer(40)],
  ['words and a call', [...wordsAnswer(3, CJK_WORDS), ...callAnswer(50)]],
];

const STREAMS = APIS.flatMap((api) => ANSWERS.map(([title, answer]) => ({ api, title, answer })));

/** What the tests look at in a payload. */
interface Payload {
  readonly type?: string;
  readonly sequence_number?: number;
  readonly output_index?: number;
  readonly index?: number;
  readonly choices?: readonly { readonly delta: ChatDelta; readonly finish_reason: string | null }[];
}

interface ChatDelta {
  readonly role?: string;
  readonly content?: string;
  readonly tool_calls?: readonly { readonly id?: string }[];
}

/** The order in which each API sends what it sends. */
const ORDER: Readonly<Record<Api, RegExp>> = {
  'openai-responses': new RegExp(
    '^response.created response.in_progress ' +
      '(response.output_item.added (' +
      'response.content_part.added (response.output_text.delta )+response.output_text.done response.content_part.done |' +
      '(response.function_call_arguments.delta )+response.function_call_arguments.done ' +
      ')response.output_item.done )+response.completed$',
  ),
  'openai-chat': /^role (text )*(call (arguments )+)*finish usage$/,
  anthropic:
    /^message_start (content_block_start (ping )?(content_block_delta )+content_block_stop )+message_delta message_stop$/,
};

function framesOf({ bytes }: WireStream): { readonly name: string | undefined; readonly data: string }[] {
  const [last, ...frames] = new TextDecoder().decode(bytes).split('\n\n').reverse();
  expect(last).toBe('');
  return frames.reverse().map((frame) => {
    const { name, data } = /^(event: (?<name>.+)\n)?data: (?<data>.+)$/.exec(frame)!.groups!;
    return { name, data: data! };
  });
}

function payloadsOf(stream: WireStream): Payload[] {
  return framesOf(stream).flatMap(({ data }) => (data === '[DONE]' ? [] : (JSON.parse(data) as Payload)));
}

/** What a payload is; the API says it itself, but for Chat Completions. */
function kindOf({ type, choices = [] }: Payload): string {
  if (type !== undefined) return type;
  const [choice] = choices;
  if (choice === undefined) return 'usage';
  if (choice.finish_reason !== null) return 'finish';
  const { role, content, tool_calls } = choice.delta;
  if (role !== undefined) return 'role';
  if (content !== undefined) return 'text';
  return tool_calls?.[0]?.id === undefined ? 'arguments' : 'call';
}

describe.each(STREAMS)('the generated stream of $api that says $title', ({ api, answer }) => {
  const stream = generatedStream(api, answer);

  it('has the events of its API in their order, named and ended as the API does', () => {
    const kinds = payloadsOf(stream).map(kindOf);
    const isChat = api === 'openai-chat';
    expect(kinds.join(' ')).toMatch(ORDER[api]);
    expect(framesOf(stream).map(({ name }) => name)).toEqual(isChat ? [...kinds, ''].map(() => undefined) : kinds);
    expect(framesOf(stream).at(-1)?.data === '[DONE]').toBe(isChat);
    expect(framesOf(stream)).toHaveLength(stream.frames);
  });

  it('numbers events, items and blocks one by one', () => {
    const payloads = payloadsOf(stream);
    const numbers = payloads.flatMap(({ sequence_number }) => sequence_number ?? []);
    const places = payloads.flatMap(({ output_index, index }) => output_index ?? index ?? []);
    expect(numbers).toEqual(api === 'openai-responses' ? [...payloads.keys()] : []);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect([...new Set(places)]).toEqual(api === 'openai-chat' ? [] : [...answer.keys()]);
  });

  it('says its answer, and why it ends', async () => {
    const events = await lastValueFrom(from(stream.chunks).pipe(parseSSE(), normalize(PROVIDERS[api]()), toArray()));
    const ended = events.flatMap((event) => (event.type === 'block-end' ? event.block : []));
    const reason = answer.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop';
    expect(brokenLaws(PROVIDERS[api]().name, events, true)).toEqual([]);
    expect(ended).toMatchObject(
      answer.map((block) => {
        const content = contentOf(block);
        return block.kind === 'text' ? { kind: 'text', text: content } : { state: 'whole', arguments: content };
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason });
  });

  it('has the same bytes however it is cut, and other line ends where they are wanted', () => {
    const cut = generatedStream(api, answer, { chunkBytes: 7 });
    expect(Buffer.concat(cut.chunks)).toEqual(Buffer.from(stream.bytes));
    const text = new TextDecoder().decode(stream.bytes);
    const { bytes } = generatedStream(api, answer, { lineEnd: '\r\n' });
    expect(new TextDecoder().decode(bytes)).toBe(text.replaceAll('\n', '\r\n'));
  });
});

/** What every reader that needs no other package finds in the streams of a case. */
async function checkReaders({ streams }: Case): Promise<void> {
  for (const stream of streams) {
    for (const reader of [floor, ...libraryReaders]) check(reader, stream, await reader.read(stream));
  }
}

describe('every reader of the library finds what is there', () => {
  it.each(generatedCases(SMALL))('in $title', checkReaders);
});

describeCollection('every reader of the library finds what was recorded', APIS.length, () => {
  it.each(recordedCases(SMALL))('in $title', async (recorded) => {
    expect(recorded.streams.length).toBeGreaterThan(0);
    await checkReaders(recorded);
  });
});

describe('an input that is doubled', () => {
  it.each(doublingsOf(SMALL))('gives outputs of $step in proportion: $input', async ({ prepare }) => {
    const counted = async (size: number): Promise<number> => lastValueFrom((await prepare(size)).pipe(count()));
    const [once, twice, thrice] = [await counted(20), await counted(40), await counted(60)];
    expect(once).toBeGreaterThan(0);
    expect(thrice - twice).toBe(twice - once);
  });
});

describe('measure()', () => {
  const stream = generatedStream('anthropic', wordsAnswer(2, CJK_WORDS));

  function reader(name: string, found: object, read: (name: string) => void = () => {}): Reader {
    return {
      step: 'frames',
      name,
      apis: APIS,
      read: () => {
        read(name);
        return found;
      },
    };
  }

  it('lets the readers take turns of four reads', async () => {
    const reads: string[] = [];
    const readers = ['a', 'b'].map((name) => reader(name, { frames: stream.frames }, (read) => reads.push(read)));
    const measured = await measure(readers, [stream], { turns: 2, budgetMs: Infinity });
    expect(reads.join('')).toBe('aaaabbbbaaaabbbb');
    expect(measured.map((result) => result.reader)).toEqual(readers);
  });

  it('gives a reader whose time is used up no further turn', async () => {
    const reads: string[] = [];
    const slow = reader('a', { frames: stream.frames }, (read) => reads.push(read));
    await measure([slow], [stream], { turns: 2, budgetMs: -1 });
    expect(reads).toEqual([]);
  });

  it.each([
    ['something else', { text: 'Something else' }, 'a misreads text of anthropic'],
    ['nothing', {}, 'a finds nothing in anthropic'],
  ])('does not measure a reader that finds %s', async (_title, found, message) => {
    await expect(measure([reader('a', found)], [stream], { turns: 1, budgetMs: 0 })).rejects.toThrow(message);
  });
});

describe('median()', () => {
  it('is the middle one of the times, by size and not by digits', () => {
    expect(median([10, 9, 100, 2, 3])).toBe(9);
  });
});
