import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OperatorFunction } from 'rxjs';
import { parseAwsEventStream, parseJsonArray, parseNdjson, parseSSE, type Frame } from 'rx-model-stream';
import { encodeAwsLines } from './awsEventStream';
import { collectionBytes, collectionJson, hasCollection } from './shared';

/** A stream as a provider writes it. */
export interface WireSample {
  readonly name: string;
  /** The body, envelope included. */
  readonly bytes: () => Uint8Array<ArrayBuffer>;
}

export const FIXTURES = resolve('fixtures');
const EVENTS = '.events.json';
/** Written as messages, one a line, and encoded when they are read. */
const AWS_LINES = '.aws.jsonl';

/** The first that fits counts. */
const FRAMINGS: readonly (readonly [end: string, frame: () => OperatorFunction<Uint8Array, Frame>])[] = [
  [AWS_LINES, parseAwsEventStream],
  ['.bin', parseAwsEventStream],
  ['.json', parseJsonArray],
  ['.jsonl', parseNdjson], // the messages of a socket, one a line, and lines of JSON
  ['.ndjson', parseNdjson],
];

/** The files of a provider's folder in `fixtures`. */
export function fixtureFiles(provider: string): string[] {
  return readdirSync(join(FIXTURES, provider)).sort();
}

/** The hand-written streams of a provider. */
export function fixturesOf(provider: string): WireSample[] {
  return fixtureFiles(provider)
    .filter((file) => !file.endsWith(EVENTS))
    .map((file) => ({ name: file, bytes: () => fixtureBytes(`${provider}/${file}`) }));
}

/** One hand-written stream, such as `anthropic/tool-call.sse`, as it stands on the wire. */
export function fixtureBytes(path: string): Uint8Array<ArrayBuffer> {
  if (path.endsWith(AWS_LINES)) return encodeAwsLines(fixtureText(path));
  return new Uint8Array(readFileSync(join(FIXTURES, path)));
}

/** The framing of a sample, by the end of its name. */
export function framingOf({ name }: WireSample): () => OperatorFunction<Uint8Array, Frame> {
  return FRAMINGS.find(([end]) => name.endsWith(end))?.[1] ?? parseSSE;
}

/** The file of a hand-written stream, every character of it; it has to be UTF-8. */
export function fixtureText(path: string): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(readFileSync(join(FIXTURES, path)));
}

/** What a hand-written stream means: its events, and last, if it fails, `{ error }`. */
export function expectedEventsOf(provider: string, { name }: WireSample): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, provider, eventsFileOf(name)), 'utf8'));
}

/** The name of the file that says what a stream means; the same stream in two framings has one. */
export function eventsFileOf(file: string): string {
  return file.replace(/(\.aws\.jsonl|\.[^.]+)$/, EVENTS);
}

/** The recorded streams of a provider, none where the collection is not present. */
export function recordingsOf(provider: string, framing: string): WireSample[] {
  if (!hasCollection) return [];
  const recordings = collectionJson('recordings/EXPECT.json') as Record<string, { provider: string; framing: string }>;
  return Object.entries(recordings)
    .filter(([, recording]) => recording.provider === provider && recording.framing === framing)
    .map(([file]) => recordingAt(file));
}

/** Recorded streams for which the collection names no provider, by path; none where it is not present. */
export function recordingsAt(...files: readonly string[]): WireSample[] {
  return hasCollection ? files.map(recordingAt) : [];
}

function recordingAt(file: string): WireSample {
  return { name: file, bytes: () => collectionBytes(`recordings/${file}`) };
}
