import {
  anthropic,
  bedrockConverse,
  gemini,
  geminiInteractions,
  ollama,
  openaiChat,
  openaiResponses,
  type Provider,
} from 'rx-model-stream';
import { interactionRun, openaiBackgroundRun, type FakeRun, type FakeRunOptions } from 'rx-model-stream/testing/node';
import { fixturesOf, framingOf, type WireSample } from '../support/fixtures';
import { readBody } from '../support/frames';

/** A service that streams, and what it streams. */
export interface Service {
  readonly name: string;
  readonly provider: Provider;
  readonly samples: readonly WireSample[];
  readonly contentType: string;
  /** An event that reports a failure which asking again may mend; absent where the framing has no room for one. */
  readonly failureEvent?: string;
  /** Whether its events have numbers, by which those that come again are known. */
  readonly isNumbered?: true;
  /** Makes a run that goes on without its reader; absent where a lost connection is a lost answer. */
  readonly run?: (body: string, options: FakeRunOptions) => FakeRun;
}

const SSE = 'text/event-stream';

/** The whole streams of a folder, by the ending of their names. */
function whole(provider: Provider, folder: string, ending: string): WireSample[] {
  return fixturesOf(folder).filter((sample) => {
    if (!sample.name.endsWith(ending)) return false;
    const { error, events } = readBody(provider, framingOf(sample), [sample.bytes()]);
    return error === undefined && events.length > 3;
  });
}

function service(
  name: string,
  provider: Provider,
  folder: string,
  ending: string,
  contentType: string,
  rest: Partial<Service> = {},
): Service {
  return { name, provider, samples: whole(provider, folder, ending), contentType, ...rest };
}

/** A run in the background, which is stored under its number. */
function background(sample: WireSample): WireSample {
  const text = new TextDecoder().decode(sample.bytes()).replace(/"response":\{/g, '"response":{"background":true,');
  return { name: sample.name, bytes: () => new TextEncoder().encode(text) };
}

function isNumbered({ bytes }: WireSample): boolean {
  const text = new TextDecoder().decode(bytes());
  const created = text.indexOf('"response.created"');
  return created !== -1 && created < 200 && text.includes('"sequence_number"') && text.includes('"id":"resp_');
}

/** The service names an interaction when it creates it. */
function isInteraction({ bytes }: WireSample): boolean {
  return /^event: interaction\.created\ndata: .*"id":"[^"]/m.test(new TextDecoder().decode(bytes()));
}

const responses = service('responses', openaiResponses(), 'openai-responses', '.sse', SSE);
const interactions = service('interactions', geminiInteractions(), 'gemini-interactions', '.sse', SSE);

export const SERVICES: readonly Service[] = [
  service('anthropic', anthropic(), 'anthropic', '.sse', SSE, {
    failureEvent: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  }),
  service('openai-chat', openaiChat(), 'openai-chat', '.sse', SSE, {
    failureEvent: 'data: {"error":{"message":"The server had an error","type":"server_error","code":null}}\n\n',
  }),
  responses,
  service('gemini', gemini(), 'gemini', '.sse', SSE),
  service('gemini-array', gemini(), 'gemini', '.json', 'application/json'),
  service('ollama', ollama(), 'ollama', '.ndjson', 'application/x-ndjson'),
  service('bedrock', bedrockConverse(), 'bedrock', '.aws.jsonl', 'application/vnd.amazon.eventstream'),
  {
    ...responses,
    name: 'responses in the background',
    samples: responses.samples.filter(isNumbered).map(background),
    isNumbered: true as const,
    run: openaiBackgroundRun,
  },
  {
    ...interactions,
    name: 'interactions in the background',
    samples: interactions.samples.filter(isInteraction),
    run: interactionRun,
  },
].filter(({ samples }) => samples.length > 0);
