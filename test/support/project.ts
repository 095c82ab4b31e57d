import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** The folder of the project. */
export const ROOT = resolve(__dirname, '../..');

/** The folders that make up the library, the programs beside it included. */
export const SOURCE_FOLDERS = ['src', 'operators', 'providers'] as const;

/** The paths of all files under a folder, relative to the project, with `/` on every system, in order. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => projectPath(join(entry.parentPath, entry.name)))
    .sort();
}

/** A path as it is written in messages: relative to the project, with `/` on every system. */
export function projectPath(absolute: string): string {
  return relative(ROOT, absolute).split(sep).join('/');
}

export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The compiler options of the project, as `tsc` reads them. */
export function compilerOptions(): ts.CompilerOptions {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic(diagnostic) {
      throw new Error(messageOf(diagnostic));
    },
  };
  return ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), {}, host)?.options ?? {};
}

/** A diagnostic on one line, without the place. */
export function messageOf({ code, messageText }: ts.Diagnostic): string {
  return `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}
