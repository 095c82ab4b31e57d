/**
 * One input per public entry, built three times: ESM, CommonJS, and declarations for both.
 * `--configCli` builds the terminal program instead, everything it needs bundled into one file.
 */
import { rmSync } from 'node:fs';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const input = {
  index: 'src/index.ts',
  operators: 'operators/index.ts',
  providers: 'providers/index.ts',
  testing: 'src/testing/index.ts',
  'testing/node': 'src/testing/node/index.ts',
};

const external = ['rxjs', 'rxjs/testing', /^node:/];

/** Files get their extension from the module system, so that both sit in one folder. */
function output(format, extension) {
  return {
    dir: 'dist',
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `shared/[name].${extension}`,
    generatedCode: 'es2015',
    hoistTransitiveImports: false, // a bundler would warn of imports that only load early
  };
}

/** Types are checked by `npm run check:types`; the build only strips them. */
const stripTypes = () =>
  typescript({
    include: ['src/**', 'operators/**', 'providers/**'],
    noEmit: false,
    noCheck: true,
    noEmitOnError: false,
  });

/** What an earlier build left is not to be published. */
const emptied = (dir) => ({
  name: 'emptied',
  buildStart() {
    rmSync(dir, { recursive: true, force: true });
  },
});

const library = [
  {
    input,
    external,
    plugins: [emptied('dist'), stripTypes()],
    output: [output('esm', 'mjs'), output('cjs', 'cjs')],
  },
  {
    input,
    external,
    plugins: [dts({ compilerOptions: { noCheck: true } })],
    output: [output('esm', 'd.mts'), output('esm', 'd.cts')],
  },
];

const cli = {
  input: { 'cli/main': 'src/cli/main.ts' }, // as deep as its source, so that it finds the package above it
  plugins: [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs(), stripTypes()],
  output: { dir: 'build', format: 'esm', entryFileNames: '[name].mjs', banner: '#!/usr/bin/env node' },
};

export default ({ configCli }) => (configCli ? cli : library);
