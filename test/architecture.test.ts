import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { filesUnder, readProjectFile, ROOT } from './support/project';
import { declaredValues, forEachNode, sourceModules, type ModuleImport } from './support/sourceModules';

const modules = sourceModules();
const byPath = new Map(modules.map((module) => [module.path, module]));
const operators = modules.filter(({ path }) => path.startsWith('operators/') && path !== 'operators/index.ts');

/** A part of the source with a place of its own in the architecture, told by how its paths begin. */
interface Layer {
  readonly prefix: string;
  /** The other layers it may look at. */
  readonly below: readonly string[];
  /** The packages it may use; absent means none. */
  readonly packages?: RegExp;
}

const LIBRARY = ['src/', 'operators/', 'providers/', 'src/index.ts'];

/** The first prefix that fits counts. */
const LAYERS: readonly Layer[] = [
  { prefix: 'src/index.ts', below: ['src/', 'operators/', 'providers/'] },
  { prefix: 'src/testing/node/', below: [...LIBRARY, 'src/testing/'], packages: /^(rxjs$|node:)/ },
  { prefix: 'src/testing/', below: LIBRARY, packages: /^rxjs(\/testing)?$/ },
  { prefix: 'src/angular/', below: LIBRARY, packages: /^(rxjs$|@angular\/)/ },
  { prefix: 'src/cli/', below: [...LIBRARY, 'src/testing/', 'src/testing/node/'], packages: developmentPackages() },
  { prefix: 'src/', below: [], packages: /^rxjs$/ },
  { prefix: 'operators/', below: ['src/'], packages: /^rxjs$/ },
  { prefix: 'providers/', below: ['src/'] },
];

/** What RxJS 7 has deprecated and a later version takes away; deprecated overloads are found by the linter. */
const REMOVED_NAMES = new Set(
  `ConnectableObservable Scheduler combineAll concatMapTo empty exhaust flatMap mapTo mergeMapTo multicast never
   onErrorResumeNext pairs pluck publish publishBehavior publishLast publishReplay refCount repeatWhen retryWhen
   switchMapTo timeoutWith`.split(/\s+/),
);
const REMOVED_METHODS = new Set(['toPromise', 'lift', 'refCount']);

/** The program is bundled into one file, so that it may use what the project is developed with. */
function developmentPackages(): RegExp {
  const { devDependencies } = JSON.parse(readProjectFile('package.json')) as { devDependencies: object };
  return new RegExp(`^(node:|(${Object.keys(devDependencies).join('|')})(/|$))`);
}

function layerOf(path: string): Layer {
  return LAYERS.find(({ prefix }) => path.startsWith(prefix))!;
}

/** Every import that breaks a rule, as a line to read. */
function importsThat(breakRule: (imported: ModuleImport, importer: string) => boolean): string[] {
  return modules.flatMap(({ path, imports }) =>
    imports.filter((imported) => breakRule(imported, path)).map(({ specifier }) => `${path} imports ${specifier}`),
  );
}

/** The modules that a module needs at run time, itself included. */
function neededBy(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const imported of runtimeImports(path)) neededBy(imported, seen);
  return seen;
}

function runtimeImports(path: string): string[] {
  return byPath.get(path)!.imports.flatMap((imported) => (imported.typeOnly ? [] : (imported.path ?? [])));
}

/** Every node that breaks a rule, by its place. */
function nodesThat(breakRule: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  for (const { path, source } of modules) {
    forEachNode(source, (node) => {
      if (!breakRule(node)) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${path}:${line + 1} ${node.getText(source).split('\n')[0]!}`);
    });
  }
  return found;
}

describe('imports', () => {
  it('point down: operators and providers to the foundations, and only the surface sees them all', () => {
    const upwards = importsThat(({ path }, importer) => {
      if (path === undefined) return false;
      const from = layerOf(importer);
      const to = layerOf(path);
      return from !== to && !from.below.includes(to.prefix);
    });
    expect(upwards).toEqual([]);
  });

  it('name no package but rxjs, where it is allowed, and what the programs beside the library are made with', () => {
    const foreign = importsThat(({ path, specifier }, importer) => {
      return path === undefined && !layerOf(importer).packages?.test(specifier);
    });
    expect(foreign).toEqual([]);
  });

  it('leave the SDKs of the providers to the tests, and there only their types', () => {
    const sdk = /^(openai|@anthropic-ai\/sdk|@google\/genai)(\/|$)/;
    const needed = /^(import (?!type )|export ).* from '(openai|@anthropic-ai\/sdk|@google\/genai)['/]/m;
    expect(importsThat(({ specifier }) => sdk.test(specifier))).toEqual([]);
    expect(filesUnder('test').filter((path) => needed.test(readProjectFile(path)))).toEqual([]);
  });

  it.each(['src/framing/', 'src/json/'])('leave RxJS out of all that %s needs at run time', (folder) => {
    const machines = modules.filter(({ path }) => path.startsWith(folder)).map(({ path }) => path);
    const reactive = machines.flatMap((machine) =>
      [...neededBy(machine)].filter((path) =>
        byPath.get(path)!.imports.some(({ specifier, typeOnly }) => specifier === 'rxjs' && !typeOnly),
      ),
    );
    expect(reactive).toEqual([]);
  });

  it('take only types from the test tools of RxJS: whoever tests brings a scheduler along', () => {
    const needed = importsThat(({ specifier, typeOnly }) => specifier === 'rxjs/testing' && !typeOnly);
    expect(needed).toEqual([]);
  });

  it('form no cycle at run time', () => {
    const onCycle = modules.filter(({ path }) => {
      return runtimeImports(path).some((imported) => neededBy(imported).has(path));
    });
    expect(onCycle.map(({ path }) => path)).toEqual([]);
  });

  it('take nothing from RxJS that its next version removes', () => {
    const imported = importsThat(({ specifier, names }) => {
      return specifier === 'rxjs' && names.some((name) => REMOVED_NAMES.has(name));
    });
    const called = nodesThat((node) => ts.isPropertyAccessExpression(node) && REMOVED_METHODS.has(node.name.text));
    expect([...imported, ...called]).toEqual([]);
  });
});

describe('exports', () => {
  it('are named one by one: no star, no default', () => {
    const unnamed = nodesThat((node) => {
      if (ts.isExportDeclaration(node)) return !node.exportClause || ts.isNamespaceExport(node.exportClause);
      return ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword;
    });
    expect(unnamed).toEqual([]);
  });

  it.each(operators)('of $path are one function, named like the file, and its types', (operator) => {
    const name = basename(operator.path, '.ts');
    expect(declaredValues(operator)).toEqual([{ name, kind: ts.SyntaxKind.FunctionDeclaration }]);
  });

  it('of every operator file reach the entry of the operators', () => {
    const entry = byPath.get('operators/index.ts')!;
    const reached = entry.imports.map((imported) => imported.path);
    expect(operators.map(({ path }) => path).filter((path) => !reached.includes(path))).toEqual([]);
  });

  it.each(['operators/index.ts', 'providers/index.ts'])('of %s are all on the surface', (path) => {
    const names = byPath.get(path)!.imports.flatMap((imported) => imported.names);
    const surface = byPath.get('src/index.ts')!.imports.find((imported) => imported.path === path);
    expect([...surface!.names].sort()).toEqual(names.sort());
  });
});

describe('source files', () => {
  it('declare no enum and no namespace', () => {
    expect(nodesThat((node) => ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node))).toEqual([]);
  });

  it('of operators have a test of the same name', () => {
    const tests = filesUnder('test/operators');
    const untested = operators.filter(({ path }) => !tests.includes(`test/${path.replace(/\.ts$/, '.test.ts')}`));
    expect(untested.map(({ path }) => path)).toEqual([]);
  });
});

describe('files of the project', () => {
  const outside = new Set(['node_modules', 'dist', 'build', 'coverage', '.git']);
  const files = readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !outside.has(name))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(entry.name) : [entry.name]))
    .filter((path) => !path.includes('/node_modules/'));

  it('name no place on one machine and no registry', () => {
    const machinePath = /(?<![\w.*-])\/(?:home|root|Users|work|tmp)\/|[A-Z]:\\Users/;
    const registry = /\/\/[\w.-]*(?:registry|artifactory|verdaccio)/;
    const naming = files.filter((path) => {
      const text = readProjectFile(path);
      return machinePath.test(text) || registry.test(text);
    });
    expect(naming).toEqual([]);
  });

  it.each(['', 'bench/'])(
    '%spackage-lock.json says what to install, and leaves from where to the machine',
    (folder) => {
      const { packages } = JSON.parse(readProjectFile(`${folder}package-lock.json`)) as {
        packages: Record<string, object>;
      };
      expect(Object.keys(packages).filter((name) => 'resolved' in packages[name]!)).toEqual([]);
    },
  );
});
