import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { rollup, type Plugin } from 'rollup';
import * as surface from 'rx-model-stream';
import * as operators from 'rx-model-stream/operators';
import * as providers from 'rx-model-stream/providers';
import * as testing from 'rx-model-stream/testing';
import * as testingInNode from 'rx-model-stream/testing/node';
import ts from 'typescript';
import { compilerOptions, messageOf } from './support/project';
import { createScratchProject, type ScratchProject } from './support/scratchProject';

jest.setTimeout(60_000);

/** The entries of the package, each as its source has it. */
const ENTRIES = {
  'rx-model-stream': surface,
  'rx-model-stream/operators': operators,
  'rx-model-stream/providers': providers,
  'rx-model-stream/testing': testing,
  'rx-model-stream/testing/node': testingInNode,
};

/** The public names. Whoever adds one, renames one or takes one away says so here. */
const VALUES = `
  ModelStreamError accumulateBlocks anthropic anthropicOnBedrock applyEvent bedrockConverse checkResponse cohere
  continueUrl createResponseWriter currentDemand eachValueFrom emptySnapshot errorAsEvent firstTokenWithin
  fromByteStream fromModel fromStage fromWebSocketMessages gemini geminiInteractions geminiLive headersWithin
  idleWithin isContent isContentOf isModelStreamError joinStages lastEventIdResume lyria normalize ollama openaiChat
  openaiRealtime openaiResponses pacedMap parseAwsEventStream parseJsonArray parseNdjson parseSSE pullChunks
  reasoningDeltas reasoningOf replicate retryWithResume textDeltas textOf toReadableStream toolCalls toolCallsOf
  toolResultsFor watsonxText withUsage writerCompletions xai`;

const TYPES = `
  AnthropicContentBlock AnthropicToolResult AnthropicToolResults AnthropicTurn AwsEventStreamOptions
  BedrockContentBlock BedrockToolResult BedrockToolResults BedrockTurn Block BlockEndEvent BlockPatch BlockStartEvent
  BlockUpdateEvent ByteBody ByteIterable ByteSource ByteStreamOptions CancelPoint ChoiceFinish Citation CitationEvent
  CohereToolMessage CohereTurn Demand Emit ErrorBodyOptions ErrorEvent FinishEvent FinishReason FirstTokenOptions
  Frame GeminiFunctionResponse GeminiInteractionsStep GeminiInteractionsToolResult GeminiInteractionsTurn
  GeminiLiveToolResponse GeminiOptions GeminiPart GeminiToolResults GeminiTurn HintFrame Hold IdleOptions
  JsonArrayOptions JsonFrame Lifecycle MediaBlock MediaDeltaEvent ModelEvent ModelOptions ModelPrice ModelRequest
  ModelStreamErrorCode ModelStreamErrorDetails NdjsonOptions NormalizeOptions OllamaToolMessage OllamaTurn
  OpenAIChatToolMessage OpenAIChatTurn OpenAIRealtimeToolMessage OpenAIResponsesItem OpenAIResponsesToolOutput
  OpenAIResponsesTurn OpenByteSource OpenWebSocket Payload PriceTable Provider RawEvent RawEvents ReasoningBlock
  ReasoningDeltaEvent RelativeUrl ResponseStartEvent ResponseWriter RestartEvent RestartFrame ResumeOptions
  ResumePoint ResumeProtocol ResumeTracker RetryContext RetryOptions SelectionOptions SendModelRequest SessionOptions
  Snapshot SnapshotStatus SocketEventType SseFrame SseOptions SseOutput Stage StrayFrame TextBlock TextDeltaEvent
  TimeLimitOptions TokenUsage ToolCallBlock ToolCallDeltaEvent ToolResult ToolResultBlock UsageEvent UsageOptions
  WebSocketLike WebSocketOptions WrittenBlock XaiToolMessage XaiTurn`;

const TESTING_VALUES = 'coldChunks fakeFetch fakeModelStream providerContract sliceBytes';
const TESTING_TYPES = `
  ChunkSizes ColdChunksOptions ContractBody ContractPayloads ContractStream ContractTest FakeAnswer FakeCall FakeFault
  FakeFetch FakeModelStream FakeMoment FakeToolCall ProviderContract RandomChunkSizes UnknownPayloads`;

const NODE_TESTING_VALUES = 'eventRelay interactionRun openaiBackgroundRun startFakeProvider';
const NODE_TESTING_TYPES = `
  ChunkSizes EventRelayOptions FakeAnswer FakeExchange FakeFault FakeProvider FakeRequest FakeResponse FakeRoute
  FakeRun FakeRunOptions RandomChunkSizes`;

/** What an entry may weigh, minified and gzipped, without rxjs. A higher number needs a sentence in the commit. */
const MAX_BYTES = {
  'index.mjs': 48_400,
  'operators.mjs': 15_800,
  'providers.mjs': 32_800,
  'testing.mjs': 13_000, // the contract of providers reads streams: parseSSE and normalize are in it
};

let scratch: ScratchProject;

beforeAll(() => {
  scratch = createScratchProject();
});

afterAll(() => {
  scratch.remove();
});

function listOf(names: string): string[] {
  return names.trim().split(/\s+/).sort();
}

describe('the packed package', () => {
  it('holds the license, the README, the manifest and what its entries need: nothing else', () => {
    const files = readdirSync(scratch.installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(scratch.installed, posix.join(entry.parentPath, entry.name)));
    const expected = ['LICENSE', 'README.md', 'package.json', ...filesNeededBy(entryFiles())];
    expect(files.sort()).toEqual(expected.sort());
  });

  it('has the entries that are tested here', () => {
    const { exports } = manifest();
    const names = Object.keys(exports).map((path) => posix.join('rx-model-stream', path));
    expect(names).toEqual([...Object.keys(ENTRIES), 'rx-model-stream/package.json']);
  });

  describe.each([
    ['index', surface, VALUES, TYPES],
    ['testing', testing, TESTING_VALUES, TESTING_TYPES],
    ['testing/node', testingInNode, NODE_TESTING_VALUES, NODE_TESTING_TYPES],
  ])('in %s', (entry, names, values, types) => {
    it('exports the public names and no others', () => {
      expect(Object.keys(names).sort()).toEqual(listOf(values));
    });

    it('has types for every public name, the same for both module systems', () => {
      const typed = listOf(`${values} ${types}`);
      for (const extension of ['mts', 'cts']) {
        expect([extension, ...typedNamesOf(`dist/${entry}.d.${extension}`)]).toEqual([extension, ...typed]);
      }
    });
  });
});

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(scratch.installed, 'package.json'), 'utf8')) as Manifest;
}

/** The files that the manifest names, JavaScript and types. */
function entryFiles(): string[] {
  return Object.values(manifest().exports).flatMap((target) =>
    typeof target === 'string' ? [] : Object.values(target).flatMap((conditions) => Object.values(conditions)),
  );
}

/** These files and those they import, however far. */
function filesNeededBy(files: readonly string[]): string[] {
  const needed = new Set<string>();
  function add(file: string): void {
    if (needed.has(file)) return;
    needed.add(file);
    const text = readFileSync(join(scratch.installed, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (fileName.startsWith('.')) add(posix.join(posix.dirname(file), besides(file, fileName)));
    }
  }
  for (const file of files) add(posix.normalize(file));
  return [...needed];
}

/** Declarations name the JavaScript beside which they stand. */
function besides(importer: string, specifier: string): string {
  return importer.includes('.d.') ? specifier.replace(/\.([mc])js$/, '.d.$1ts') : specifier;
}

function typedNamesOf(file: string): string[] {
  const program = ts.createProgram([join(scratch.installed, file)], { ...compilerOptions(), types: [] });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(scratch.installed, file))!);
  return checker
    .getExportsOfModule(module!)
    .map(({ name }) => name)
    .sort();
}

describe('in another project', () => {
  const namesInSource = Object.fromEntries(
    Object.entries(ENTRIES).map(([entry, names]) => [entry, Object.keys(names).sort()]),
  );

  it('every entry is imported, with the names of its source', () => {
    const names = scratch.run(
      'names.mjs',
      `const names = {};
       for (const entry of ${JSON.stringify(Object.keys(ENTRIES))}) names[entry] = Object.keys(await import(entry)).sort();
       console.log(JSON.stringify(names));`,
    );
    expect(names).toEqual(namesInSource);
  });

  it('every entry is required, with the names of its source', () => {
    const names = scratch.run(
      'names.cjs',
      `const names = {};
       for (const entry of ${JSON.stringify(Object.keys(ENTRIES))}) names[entry] = Object.keys(require(entry)).sort();
       console.log(JSON.stringify(names));`,
    );
    expect(names).toEqual(namesInSource);
  });

  const stream = [
    { type: 'message_start', message: { id: 'msg_1', model: 'm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'message_stop' },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');

  const pipeline = `
    const bytes = new TextEncoder().encode(${JSON.stringify(stream)});
    of(bytes).pipe(parseSSE(), normalize(anthropic()), accumulateBlocks(), last())
      .subscribe((snapshot) => console.log(JSON.stringify([snapshot.status, textOf(snapshot)])));`;

  it('a pipeline over the three entries runs as an ES module', () => {
    const said = scratch.run(
      'pipeline.mjs',
      `import { last, of } from 'rxjs';
       import { textOf } from 'rx-model-stream';
       import { accumulateBlocks, normalize, parseSSE } from 'rx-model-stream/operators';
       import { anthropic } from 'rx-model-stream/providers';
       ${pipeline}`,
    );
    expect(said).toEqual(['complete', 'Hello']);
  });

  it('a pipeline over the three entries runs in CommonJS', () => {
    const said = scratch.run(
      'pipeline.cjs',
      `const { last, of } = require('rxjs');
       const { textOf } = require('rx-model-stream');
       const { accumulateBlocks, normalize, parseSSE } = require('rx-model-stream/operators');
       const { anthropic } = require('rx-model-stream/providers');
       ${pipeline}`,
    );
    expect(said).toEqual(['complete', 'Hello']);
  });
});

describe('the contract of providers', () => {
  it('runs in another project, without a test framework', () => {
    const failures = scratch.run(
      'contract.mjs',
      `import { anthropic } from 'rx-model-stream';
       import { providerContract } from 'rx-model-stream/testing';
       const payloads = [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }, { type: 'message_stop' }];
       const failures = (create) => providerContract(create, { streams: [{ name: 'hello', payloads }] }).flatMap(({ law, check }) => {
         try { check(); return []; } catch (error) { return [law]; }
       });
       const nameless = () => ({ ...anthropic(), name: 'nameless' });
       console.log(JSON.stringify([failures(anthropic).length, failures(nameless)[0]]));`,
    );
    expect(failures).toEqual([0, 'tells one response with one ending, and opens and closes each block once']);
  });
});

describe('two copies in one program, an ES module and CommonJS', () => {
  const COPIES = `
    import { createRequire } from 'node:module';
    import * as one from 'rx-model-stream';
    const two = createRequire(import.meta.url)('rx-model-stream');
    const both = [[one, two], [two, one]];`;

  it('are two classes of errors, and each knows the errors of the other', () => {
    const known = scratch.run(
      'errors.mjs',
      `${COPIES}
       console.log(JSON.stringify(both.map(([mine, yours]) => {
         const error = new yours.ModelStreamError('network', 'Connection lost');
         return { isInstance: error instanceof mine.ModelStreamError, isKnown: mine.isModelStreamError(error) };
       })));`,
    );
    expect(known).toEqual([
      { isInstance: false, isKnown: true },
      { isInstance: false, isKnown: true },
    ]);
  });

  it('pace each other: the source of one reads on when the work behind the pacedMap of the other is done', () => {
    const reads = scratch.run(
      'pace.mjs',
      `import { of, Subject } from 'rxjs';
       ${COPIES}
       console.log(JSON.stringify(both.map(([mine, yours]) => {
         const works = [];
         let reads = 0;
         const read = () => of(reads < 3 ? { done: false, value: reads++ } : { done: true });
         mine.pullChunks(read).pipe(yours.pacedMap(() => works[works.push(new Subject()) - 1])).subscribe();
         const before = reads;
         works[0].complete();
         return [before, reads];
       })));`,
    );
    expect(reads).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('go on with the snapshots of each other', () => {
    const texts = scratch.run(
      'snapshots.mjs',
      `${COPIES}
       console.log(JSON.stringify(both.map(([mine, yours]) => {
         const started = yours.applyEvent(yours.emptySnapshot, { type: 'text-delta', index: 0, text: 'Hel' });
         const snapshot = mine.applyEvent(started, { type: 'text-delta', index: 0, text: 'lo' });
         return [snapshot.status, yours.textOf(snapshot)];
       })));`,
    );
    expect(texts).toEqual([
      ['streaming', 'Hello'],
      ['streaming', 'Hello'],
    ]);
  });
});

describe('the types', () => {
  const CONSUMER = `
    import { of, type Observable } from 'rxjs';
    import { isModelStreamError, type ModelEvent, type Snapshot } from 'rx-model-stream';
    import { accumulateBlocks, normalize, parseSSE } from 'rx-model-stream/operators';
    import { anthropic, type AnthropicTurn } from 'rx-model-stream/providers';
    import { fakeFetch, fakeModelStream, type FakeMoment } from 'rx-model-stream/testing';

    export const moment: FakeMoment<AnthropicTurn> = { text: 'Hi', finish: 'stop' };
    export const fake: Parameters<typeof fakeModelStream<AnthropicTurn>>[2] = { a: moment };
    export const fetch: typeof globalThis.fetch = fakeFetch();
    const events: Observable<ModelEvent<AnthropicTurn>> = of(new Uint8Array()).pipe(parseSSE(), normalize(anthropic()));
    export const snapshots: Observable<Snapshot<AnthropicTurn>> = events.pipe(accumulateBlocks());
    // @ts-expect-error The turn of a provider is no number.
    export const wrong: Observable<Snapshot<number>> = snapshots;
    export const code = (error: unknown) => (isModelStreamError(error) ? error.code : undefined);`;

  it.each([
    ['node16', { moduleResolution: ts.ModuleResolutionKind.Node16, module: ts.ModuleKind.Node16 }],
    ['bundler', { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext }],
  ])('satisfy a strict project with the module resolution %s, from ES modules and CommonJS', (_name, resolution) => {
    const files = ['consumer.mts', 'consumer.cts'].map((name) => join(scratch.folder, name));
    for (const file of files) writeFileSync(file, CONSUMER);
    const program = ts.createProgram(files, {
      ...resolution,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    });
    expect(ts.getPreEmitDiagnostics(program).map(messageOf)).toEqual([]);
  });
});

describe('in a bundle', () => {
  /** What a bundler that does not trust `sideEffects: false` leaves of this code. */
  async function bundled(code: string): Promise<string> {
    const virtual: Plugin = {
      name: 'consumer',
      resolveId: (id) => {
        if (id === 'consumer') return id;
        return id === 'rx-model-stream' ? join(scratch.installed, 'dist/index.mjs') : undefined;
      },
      load: (id) => (id === 'consumer' ? code : undefined),
    };
    const bundle = await rollup({ input: 'consumer', external: ['rxjs'], plugins: [virtual] });
    const { output } = await bundle.generate({ format: 'esm' });
    return output[0].code.trim();
  }

  it('nothing is left of an import that takes no name: modules have no side effects', async () => {
    expect(await bundled("import 'rx-model-stream';")).toBe("import 'rxjs';");
  });

  it('nothing is left of what no import names', async () => {
    const code = await bundled("export { parseSSE } from 'rx-model-stream';");
    const foreign = ['response.output_item.added', 'content_block_start', 'class PersistentList', 'function pacedMap'];
    expect(code).toContain('function parseSSE');
    expect(foreign.filter((text) => code.includes(text))).toEqual([]);
  });

  it.each(Object.entries(MAX_BYTES))('%s weighs at most %i bytes, minified and gzipped', (entry, maxBytes) => {
    const { outputFiles } = buildSync({
      entryPoints: [join(scratch.installed, 'dist', entry)],
      bundle: true,
      minify: true,
      external: ['rxjs'],
      format: 'esm',
      write: false,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(maxBytes);
  });
});
