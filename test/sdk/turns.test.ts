import { join } from 'node:path';
import ts from 'typescript';
import { toolResultsFor, type ModelEvent, type Provider, type ToolCallBlock } from 'rx-model-stream';
import { anthropic, gemini, geminiInteractions, openaiChat, openaiResponses } from 'rx-model-stream/providers';
import { fixturesOf, framingOf, recordingsOf, type WireSample } from '../support/fixtures';
import { readBody } from '../support/frames';
import { ROOT } from '../support/project';

interface Subject {
  readonly provider: Provider;
  /** What the SDK calls the list in the next request that a turn and the results of its calls go into. */
  readonly list: string;
  /** Streams after which the SDK does not take them, and why. */
  readonly refused: Readonly<Record<string, string>>;
}

/** The SDKs, and an enum of theirs as the wire writes it. */
const HEAD = [
  "import type Anthropic from '@anthropic-ai/sdk';",
  "import type { Content, Interactions } from '@google/genai';",
  "import type OpenAI from 'openai';",
  'type Wire<T> = T extends string ? `${T}` : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;',
];

const UNKNOWN = 'holds what no SDK knows';
const UNSIGNED = 'thinking without a signature, as xAI writes it';
const WITHOUT_ID = 'the service gave a call no id';
const OTHER_PARTS = 'content in parts, as Mistral writes it';

const SUBJECTS: readonly Subject[] = [
  {
    provider: anthropic(),
    list: '(Anthropic.MessageParam | Anthropic.Beta.BetaMessageParam)[]',
    refused: { 'repeated-index.sse': UNSIGNED, 'repeated-index-left-open.sse': UNSIGNED, 'unknown.sse': UNKNOWN },
  },
  {
    provider: openaiResponses(),
    list: 'OpenAI.Responses.ResponseInput | OpenAI.Beta.BetaResponseInput',
    refused: { 'agents.sse': 'messages between agents, which input has no type for', 'unknown.sse': UNKNOWN },
  },
  {
    provider: openaiChat(),
    list: 'OpenAI.ChatCompletionMessageParam[]',
    refused: {
      'index-repeated-by-name.sse': WITHOUT_ID,
      'missing-id.sse': WITHOUT_ID,
      'name-again-begins-a-call.sse': WITHOUT_ID,
      'names-without-id-and-index.sse': WITHOUT_ID,
      'mistral-parts.sse': OTHER_PARTS,
      'mistral-thinking.sse': OTHER_PARTS,
      'compat-mistral/thinking-content-array.sse': OTHER_PARTS,
      'unknown.sse': UNKNOWN,
    },
  },
  { provider: gemini(), list: 'Wire<Content>[]', refused: {} },
  {
    provider: geminiInteractions(),
    list: 'Interactions.Step[]',
    refused: { 'calls-without-id.sse': WITHOUT_ID, 'hosted-tools.sse': UNKNOWN, 'unknown.sse': UNKNOWN },
  },
];

describe('A turn, with the results of its calls, is what the next request takes', () => {
  it.each(SUBJECTS.map((subject) => [subject.provider.name, subject] as const))('of %s', (name, subject) => {
    const samples = [...fixturesOf(name), ...recordingsOf(name, 'sse')];
    const refusals = refusalsOf(subject, samples);
    const present = new Set(samples.map((sample) => sample.name));
    const expected = Object.keys(subject.refused).filter((sample) => present.has(sample));
    expect([...refusals.keys()].sort()).toEqual(expected.sort());
  });
});

/** What the compiler has against the turns, by the name of the stream. */
function refusalsOf({ provider, list }: Subject, samples: readonly WireSample[]): Map<string, string> {
  const names: string[] = [];
  const lines: string[] = [];
  for (const sample of samples) {
    const messages = nextMessages(provider, readBody(provider, framingOf(sample), [sample.bytes()]).events);
    if (messages.length === 0) continue;
    names.push(sample.name);
    lines.push(`take(${JSON.stringify(messages)});`);
  }
  // A type of its own for each argument, so that fields which the SDK does not know do not count against it.
  const declaration = `declare function take<T extends ${list}>(messages: T): void;`;
  const before = [...HEAD, declaration];
  const refusals = new Map<string, string>();
  for (const { line, message } of diagnosticsOf([...before, ...lines].join('\n'))) {
    refusals.set(names[line - before.length] ?? 'the head', message);
  }
  return refusals;
}

/** The turn and the results of its calls; of a call without an id there may be nothing to answer by. */
function nextMessages(provider: Provider, events: readonly ModelEvent[]): readonly unknown[] {
  const turn = events.find((event) => event.type === 'finish')?.turn;
  if (turn === undefined) return [];
  const results = callsIn(events).map((call) => ({ call, content: contentFor(call), isError: call.state === 'cut' }));
  const isAnswerable = results.every(({ call }) => call.syntheticId === undefined);
  return [turn, isAnswerable ? toolResultsFor(provider, results, turn) : []].flat();
}

/** What any tool may give back; of a screen that is a picture, and a request for approval has a yes or no. */
function contentFor({ id, name }: ToolCallBlock): unknown {
  if (id.startsWith('mcpr_')) return true;
  return name === 'computer' ? { image_url: 'data:image/png;base64,AAEC' } : { done: true };
}

/** The calls that wait for a result, those of other alternatives left out; a search for tools wants tools instead. */
function callsIn(events: readonly ModelEvent[]): ToolCallBlock[] {
  return events.flatMap((event) => {
    if (event.type !== 'block-end' || event.block.kind !== 'tool-call') return [];
    const { providerExecuted, choice, name } = event.block;
    return providerExecuted || choice !== undefined || name === 'tool_search' ? [] : [event.block];
  });
}

/** What does not change from program to program. */
const sources = new Map<string, ts.SourceFile | undefined>();

function diagnosticsOf(text: string): { readonly line: number; readonly message: string }[] {
  const path = join(ROOT, 'test/sdk/generated.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
  };
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([path], options, {
    ...host,
    fileExists: (file) => file === path || host.fileExists(file),
    getSourceFile: (file, language) => {
      if (file === path) return source;
      if (!sources.has(file)) sources.set(file, host.getSourceFile(file, language));
      return sources.get(file);
    },
  });
  return program.getSemanticDiagnostics(source).map(({ start, messageText }) => ({
    line: source.getLineAndCharacterOfPosition(start ?? 0).line,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}
