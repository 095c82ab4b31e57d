import { anthropic, geminiInteractions, openaiChat, openaiResponses, type Provider } from 'rx-model-stream';
import { fixturesOf, recordingsOf, type WireSample } from '../support/fixtures';
import {
  BACKGROUND_RESPONSES,
  INTERACTIONS,
  inBackground,
  isToldWhole,
  withEventIds,
  type ResumableService,
} from '../support/resumableRuns';

/** A stream to be cut. */
export interface CutStream {
  readonly folder: string;
  readonly name: string;
  readonly provider: () => Provider;
  readonly body: string;
  /** What goes on with it; absent where it can only begin again. */
  readonly service?: ResumableService;
  /** Whether the answer can be told whole as it was streamed. */
  readonly isWhole: boolean;
}

/** Fixtures, and recordings where they are present. */
export function resumableStreams(): CutStream[] {
  return [
    ...responses(fixturesOf('openai-responses'), 'openai-responses'),
    ...interactions(fixturesOf('gemini-interactions'), 'gemini-interactions'),
  ];
}

export function recordedStreams(): CutStream[] {
  return [
    ...responses(recordingsOf('openai-responses', 'sse'), 'recordings/openai-responses'),
    ...interactions(recordingsOf('gemini-interactions', 'sse'), 'recordings/gemini-interactions'),
  ];
}

/** Streams of services that cannot go on with an answer. */
export function otherStreams(): CutStream[] {
  return [
    ...fixturesOf('anthropic').map((sample) => streamOf(sample, 'anthropic', anthropic)),
    ...fixturesOf('openai-chat').map((sample) => streamOf(sample, 'openai-chat', () => openaiChat())),
  ].filter(({ name }) => name.endsWith('.sse'));
}

function responses(samples: readonly WireSample[], folder: string): CutStream[] {
  return samples
    .map((sample) => streamOf(sample, folder, () => openaiResponses(), BACKGROUND_RESPONSES))
    .filter(({ body }) => body.includes('"sequence_number":') && body.includes('"response.created"'))
    .map((stream) => ({ ...stream, body: inBackground(stream.body) }));
}

/** As they are, and with an id in every third event. */
function interactions(samples: readonly WireSample[], folder: string): CutStream[] {
  return samples.flatMap((sample) => {
    const stream = streamOf(sample, folder, geminiInteractions, INTERACTIONS);
    return [stream, { ...stream, name: `${stream.name} with ids`, body: withEventIds(stream.body, 3) }];
  });
}

function streamOf(sample: WireSample, folder: string, provider: () => Provider, service?: ResumableService): CutStream {
  const body = new TextDecoder().decode(sample.bytes());
  return {
    folder,
    name: sample.name,
    provider,
    body,
    isWhole: isToldWhole(sample.name),
    ...(service && { service }),
  };
}
