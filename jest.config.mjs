/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  moduleNameMapper: {
    '^rx-model-stream$': '<rootDir>/src/index.ts',
    '^rx-model-stream/(operators|providers)$': '<rootDir>/$1/index.ts',
    '^rx-model-stream/(testing(/node)?)$': '<rootDir>/src/$1/index.ts',
  },
  // What the messages of errors hold is looked at over the whole run.
  globalSetup: '<rootDir>/test/messages/begin.ts',
  setupFilesAfterEnv: ['<rootDir>/test/messages/record.ts'],
  globalTeardown: '<rootDir>/test/messages/judge.ts',
  transform: {
    // Types are the business of `tsc --noEmit`, which the gate runs over the tests too.
    '\\.ts$': [
      'ts-jest',
      {
        diagnostics: false,
        tsconfig: {
          module: 'CommonJS',
          moduleResolution: 'bundler',
          target: 'ES2022',
          isolatedModules: true,
          verbatimModuleSyntax: false,
        },
      },
    ],
  },
};
