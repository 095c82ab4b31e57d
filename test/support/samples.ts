import { readdirSync } from 'node:fs';
import type { Provider } from 'rx-model-stream';
import { openaiChat, replicate, watsonxText, writerCompletions } from 'rx-model-stream/providers';
import { FIXTURES, fixturesOf, recordingsAt, type WireSample } from './fixtures';
import { PROVIDERS } from './providers';
import { collectionJson, hasCollection } from './shared';

/** A stream with the provider that reads it. */
export interface Sample extends WireSample {
  /** Its file, from `fixtures` or from `recordings` on. */
  readonly name: string;
  readonly provider: Provider;
}

/** Recordings for which the collection names no provider, although there is one. */
const UNNAMED: Readonly<Record<string, () => Provider>> = {
  'compat-replicate/plain-text-multiline-data-ids.sse': replicate,
  'compat-watsonx/text-sse-ids.sse': watsonxText,
  'compat-writer/completions-value-objects.sse': writerCompletions,
  'openai-completions/text-length.sse': openaiChat,
};

/** Every stream there is: the fixtures, and the recordings that a provider can read, where the collection is present. */
export function allSamples(): Sample[] {
  return [...fixtureSamples(), ...recordingSamples()];
}

export function fixtureSamples(): Sample[] {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name: folder }) => {
    const create = PROVIDERS[folder];
    if (create === undefined) throw new Error(`No provider reads fixtures/${folder}`);
    return fixturesOf(folder).map((sample) => ({
      ...sample,
      name: `fixtures/${folder}/${sample.name}`,
      provider: create(),
    }));
  });
}

function recordingSamples(): Sample[] {
  if (!hasCollection) return [];
  const recordings = collectionJson('recordings/EXPECT.json') as Record<string, { provider: string | null }>;
  return Object.entries(recordings).flatMap(([file, { provider }]) => {
    const create = provider === null ? UNNAMED[file] : PROVIDERS[provider];
    if (create === undefined) return [];
    return recordingsAt(file).map((sample) => ({ ...sample, name: `recordings/${file}`, provider: create() }));
  });
}
