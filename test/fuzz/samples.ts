import { readdirSync } from 'node:fs';
import type { Provider } from 'rx-model-stream';
import {
  anthropic,
  bedrockConverse,
  cohere,
  gemini,
  geminiInteractions,
  geminiLive,
  lyria,
  ollama,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  replicate,
  watsonxText,
  writerCompletions,
  xai,
} from 'rx-model-stream/providers';
import { fixturesOf, framingOf, recordingsOf, type WireSample } from '../support/fixtures';
import { framesIn } from '../support/frames';
import { recordsOf, type WireRecord } from './records';
import type { FramingName } from './framings';

/** Every provider, by the name of its folder in `fixtures`. */
export const PROVIDERS: Readonly<Record<string, () => Provider>> = {
  anthropic,
  bedrock: bedrockConverse,
  cohere,
  gemini,
  'gemini-interactions': geminiInteractions,
  'gemini-live': geminiLive,
  lyria,
  ollama,
  'openai-chat': openaiChat,
  'openai-realtime': openaiRealtime,
  'openai-responses': openaiResponses,
  'openai-responses-session': () => openaiResponses({ session: true }),
  replicate,
  'watsonx-text': watsonxText,
  'writer-completions': writerCompletions,
  xai,
  'xai-session': () => xai({ session: true }),
};

export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS);

/** A stream that is there to be damaged. */
export interface Sample {
  /** Such as `anthropic/tool-call.sse`. */
  readonly name: string;
  readonly provider: string;
  readonly framing: FramingName;
  readonly body: () => Uint8Array;
  readonly records: () => readonly WireRecord[];
}

/** How recordings of a provider are framed. The messages of a socket are kept one a line. */
const RECORDED: readonly (readonly [framing: string, as: FramingName])[] = [
  ['sse', 'sse'],
  ['json-array', 'json-array'],
  ['ndjson', 'ndjson'],
  ['aws-eventstream', 'aws'],
  ['ws-jsonl', 'websocket'],
];

/** All fixtures, and the recordings where they are present. */
export function allSamples(): readonly Sample[] {
  const fixtures = readdirSync('fixtures', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: folder }) =>
      fixturesOf(folder).map((fixture) =>
        sampleOf(folder, `${folder}/${fixture.name}`, fixture, fixtureFraming(fixture.name)),
      ),
    );
  const recordings = PROVIDER_NAMES.flatMap((provider) =>
    RECORDED.flatMap(([framing, as]) =>
      recordingsOf(provider, framing).map((recording) => sampleOf(provider, recording.name, recording, as)),
    ),
  );
  return [...fixtures, ...recordings];
}

function sampleOf(provider: string, name: string, wire: WireSample, framing: FramingName): Sample {
  const records = once(() => recordsOf(framesIn(framingOf(wire), wire.bytes())));
  return { name, provider, framing, body: once(wire.bytes), records };
}

/** Lines of JSON are the messages of a socket, unless they are called `ndjson`. */
function fixtureFraming(name: string): FramingName {
  if (name.endsWith('.aws.jsonl')) return 'aws';
  if (name.endsWith('.jsonl')) return 'websocket';
  if (name.endsWith('.ndjson')) return 'ndjson';
  return name.endsWith('.json') ? 'json-array' : 'sse';
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
