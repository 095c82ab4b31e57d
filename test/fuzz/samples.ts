import { readdirSync } from 'node:fs';
import { fixturesOf, framingOf, recordingsOf, type WireSample } from '../support/fixtures';
import { framesIn } from '../support/frames';
import { PROVIDERS } from '../support/providers';
import { recordsOf, type WireRecord } from './records';
import type { FramingName } from './framings';

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
