import { ASCII_WORDS, callAnswer, callsAnswer, CJK_WORDS, wholeTextAnswer, wordsAnswer } from './streams/answer';
import { generatedStream } from './streams/generated';
import { recordedStreams } from './streams/recorded';
import { APIS, type Api, type WireStream } from './streams/wireStream';

/** One thing that is measured: streams that are read one after the other, by every reader in turn. */
export interface Case {
  readonly title: string;
  readonly streams: readonly WireStream[];
  /** Who stands beside the library: everyone, all but the slowest, or those that only frame. */
  readonly peers: 'all' | 'clients' | 'framers';
}

/** How much the generated streams hold. */
export interface Sizes {
  readonly words: number;
  readonly wholeCharacters: number;
  readonly argumentCharacters: number;
  readonly calls: number;
  /** Words that arrive byte by byte. */
  readonly slowWords: number;
}

export const FULL: Sizes = {
  words: 5000,
  wholeCharacters: 4 * 1024 * 1024,
  argumentCharacters: 1024 * 1024,
  calls: 10_000,
  slowWords: 250,
};

export const QUICK: Sizes = {
  words: 500,
  wholeCharacters: 64 * 1024,
  argumentCharacters: 4 * 1024,
  calls: 200,
  slowWords: 20,
};

export const TITLES: Readonly<Record<Api, string>> = {
  'openai-responses': 'OpenAI Responses',
  'openai-chat': 'OpenAI Chat Completions',
  anthropic: 'Anthropic Messages',
};

/** What is measured on generated streams: each API in words, then one case a path through the code. */
export function generatedCases(sizes: Sizes): Case[] {
  const { words, wholeCharacters, argumentCharacters, calls, slowWords } = sizes;
  const ascii = wordsAnswer(words, ASCII_WORDS);
  return [
    ...APIS.map((api): Case => caseOf(`${TITLES[api]}: ${words} words`, 'all', generatedStream(api, ascii))),
    caseOf('Lines that end with CR LF', 'clients', generatedStream('anthropic', ascii, { lineEnd: '\r\n' })),
    caseOf('Chinese text', 'clients', generatedStream('anthropic', wordsAnswer(words, CJK_WORDS))),
    caseOf(
      `${slowWords} words byte by byte`,
      'clients',
      generatedStream('anthropic', wordsAnswer(slowWords, ASCII_WORDS), { chunkBytes: 1 }),
    ),
    caseOf(
      `${wholeCharacters} characters in one event, in chunks of 100 bytes`,
      'framers',
      generatedStream('anthropic', wholeTextAnswer(wholeCharacters), { chunkBytes: 100 }),
    ),
    caseOf(
      `${argumentCharacters} characters of arguments, four an event`,
      'framers',
      generatedStream('anthropic', callAnswer(argumentCharacters)),
    ),
    ...APIS.map((api) => caseOf(`${TITLES[api]}: ${calls} calls`, 'framers', generatedStream(api, callsAnswer(calls)))),
  ];
}

/** What is measured on recorded streams, read again and again until there are as many events; empty without them. */
export function recordedCases({ words }: Sizes): Case[] {
  return APIS.map((api) => {
    const recordings = recordedStreams(api);
    const events = recordings.reduce((sum, { frames }) => sum + frames, 0);
    const times = events === 0 ? 0 : Math.ceil(words / events);
    const streams = Array.from({ length: times }, () => recordings).flat();
    return caseOf(`${TITLES[api]}: recordings, an event a chunk`, 'all', ...streams);
  });
}

function caseOf(title: string, peers: Case['peers'], ...streams: readonly WireStream[]): Case {
  return { title, peers, streams };
}
