import { join, posix } from 'node:path';
import ts from 'typescript';
import { codeBlocksOf, type CodeBlock } from './support/codeBlocks';
import { createExampleRunner, type ExampleRunner } from './support/exampleRunner';
import { compilerOptions, filesUnder, messageOf, projectPath, ROOT, SOURCE_FOLDERS } from './support/project';
import { statedOutput, withoutSpace } from './support/statedOutput';

jest.setTimeout(30_000);

const guides = ['README.md', 'CONTRIBUTING.md', ...filesUnder('docs')];
const blocks = [...guides, ...SOURCE_FOLDERS.flatMap(filesUnder)].flatMap(codeBlocksOf);
const examples = blocks.filter(({ language }) => language === 'ts');
const entries = Object.values(compilerOptions().paths ?? {}).map(([path = '']) => posix.normalize(path));
const program = createProgram();
const checker = program.getTypeChecker();

/** One program over the library and all examples; each example is a module of its own in the project's folder. */
function createProgram(): ts.Program {
  const options = { ...compilerOptions(), types: ['node'], moduleDetection: ts.ModuleDetectionKind.Force };
  const codeByFile = new Map(examples.map((example) => [fileOf(example), example.code]));
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => codeByFile.has(path) || disk.fileExists(path),
    getSourceFile(path, version, ...rest) {
      const code = codeByFile.get(path);
      return code === undefined ? disk.getSourceFile(path, version, ...rest) : ts.createSourceFile(path, code, version);
    },
  };
  return ts.createProgram([...entries.map((path) => join(ROOT, path)), ...codeByFile.keys()], options, host);
}

function fileOf({ place }: CodeBlock): string {
  return join(ROOT, `${place.replace(':', '.')}.ts`);
}

/** What keeps an example from compiling, with the lines of the document. */
function problemsOf(example: CodeBlock): string[] {
  const source = program.getSourceFile(fileOf(example))!;
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return `line ${example.line + 1 + line}: ${messageOf(diagnostic)}`;
  });
}

/** What a module exports, each name with its own declaration. */
function exportsOf(path: string): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, path))!);
  return checker
    .getExportsOfModule(module!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

function functionsOf(path: string): ts.Symbol[] {
  return exportsOf(path).filter((symbol) => symbol.flags & ts.SymbolFlags.Function);
}

function namesOf(symbols: readonly ts.Symbol[]): string[] {
  return symbols.map(({ name }) => name);
}

function documentationOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

/** Whether the doc comment has an example, and it is among those that are run. */
function hasExample(symbol: ts.Symbol): boolean {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
  const paths = symbol.declarations?.map((declaration) => projectPath(declaration.getSourceFile().fileName)) ?? [];
  return (
    tags.some(({ text }) => ts.displayPartsToString(text).includes('```ts\n')) &&
    paths.some((path) => examples.some(({ place }) => place.startsWith(`${path}:`)))
  );
}

describe('every example', () => {
  let runner: ExampleRunner;

  beforeAll(() => {
    runner = createExampleRunner();
  });

  afterAll(() => {
    runner.remove();
  });

  describe.each(examples.map((example) => [example.place, example] as const))('%s', (_place, example) => {
    it('compiles under the options of the project', () => {
      expect(problemsOf(example)).toEqual([]);
    });

    it('prints what its comments say, and nothing else', async () => {
      const printed = await runner.run(example.code);
      expect(withoutSpace(printed.join())).toMatch(statedOutput(example.code));
    });
  });
});

describe('the documentation', () => {
  it('shows code as ts, which is run, and everything else in no other programming language', () => {
    const languages = new Set(['ts', 'text', 'sh', 'json', 'html']);
    expect(blocks.filter(({ language }) => !languages.has(language)).map(({ place }) => place)).toEqual([]);
  });

  it.each(entries)('says what each export of %s is', (path) => {
    expect(namesOf(exportsOf(path).filter((symbol) => documentationOf(symbol) === ''))).toEqual([]);
  });

  it.each(entries.filter((path) => path !== 'src/index.ts'))('shows each function of %s in an example', (path) => {
    expect(namesOf(functionsOf(path).filter((symbol) => !hasExample(symbol)))).toEqual([]);
  });

  it('draws a timeline of each operator', () => {
    const undrawn = functionsOf('operators/index.ts').filter(
      (symbol) => !documentationOf(symbol).includes('```text\n'),
    );
    expect(namesOf(undrawn)).toEqual([]);
  });
});
