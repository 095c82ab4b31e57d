import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './project';

/** A project of its own that has installed the package as `npm publish` would send it, and the project's rxjs. */
export interface ScratchProject {
  readonly folder: string;
  /** Where the package lies. */
  readonly installed: string;
  /** Runs a program in Node and gives what it printed, read as JSON. The extension tells the module system. */
  run(name: `${string}.mjs` | `${string}.cjs`, code: string): unknown;
  remove(): void;
}

export function createScratchProject(): ScratchProject {
  if (!existsSync(join(ROOT, 'dist'))) {
    throw new Error('There is no dist to pack: run `npm run build` first, as `npm test` does');
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scratch-')));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'rx-model-stream');
  mkdirSync(installed, { recursive: true });

  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
  symlinkSync(join(ROOT, 'node_modules/rxjs'), join(modules, 'rxjs'), 'dir');

  return {
    folder,
    installed,
    run(name, code) {
      const file = join(folder, name);
      writeFileSync(file, code);
      return JSON.parse(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })) as unknown;
    },
    remove() {
      rmSync(folder, { recursive: true });
    },
  };
}
