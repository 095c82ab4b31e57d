import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import { compilerOptions, filesUnder, readProjectFile, ROOT, SOURCE_FOLDERS } from './project';

/** An example that is still busy after this time does not end by itself. */
const MAX_EXAMPLE_MS = 5000;

/** Runs examples against the library as its source is now, in a folder where it looks like an installed package. */
export interface ExampleRunner {
  /** Runs the code of a module to the end and gives what it printed, value by value. */
  run(code: string): Promise<string[]>;
  remove(): void;
}

/** @param execArgv - Options of Node under which the examples run. */
export function createExampleRunner(execArgv: string[] = []): ExampleRunner {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  const worker = join(folder, 'worker.mjs');
  let count = 0;

  installLibrary(join(folder, 'node_modules'));
  writeFileSync(worker, asModule(readProjectFile('test/support/exampleWorker.ts')));

  return {
    run(code) {
      count += 1;
      const file = join(folder, `example${count}.mjs`);
      writeFileSync(file, asModule(code));
      return printedBy(new Worker(worker, { workerData: pathToFileURL(file).href, execArgv }));
    },
    remove() {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Packages of the project that an example may use. */
const PACKAGES = ['rxjs', 'ws'];

/** Puts the transpiled source beside packages of the project. */
function installLibrary(modules: string): void {
  const library = join(modules, 'rx-model-stream');
  for (const path of SOURCE_FOLDERS.flatMap(filesUnder)) {
    const file = join(library, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, transpiled(readProjectFile(path), ts.ModuleKind.CommonJS));
  }
  writeFileSync(join(library, 'package.json'), JSON.stringify({ exports: entriesOfSource() }));
  for (const name of PACKAGES) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
}

/** The entries of the package, as the compiler is told of them. */
function entriesOfSource(): Record<string, string> {
  const entries = Object.entries(compilerOptions().paths ?? {});
  return Object.fromEntries(
    entries.map(([name, [path = '']]) => [name.replace('rx-model-stream', '.'), path.replace(/\.ts$/, '.js')]),
  );
}

function asModule(code: string): string {
  return transpiled(code, ts.ModuleKind.ESNext);
}

function transpiled(code: string, module: ts.ModuleKind): string {
  const options = { module, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: false };
  return ts.transpileModule(code, { compilerOptions: options }).outputText;
}

function printedBy(worker: Worker): Promise<string[]> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new Error(`The example does not end; so far it printed ${JSON.stringify(printed)}`));
      void worker.terminate();
    }, MAX_EXAMPLE_MS);
    worker.on('message', (value: string) => printed.push(value));
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(limit);
      resolve(printed);
    });
  });
}
