// Packages that ship only ES modules, which jest cannot load as they are.
const esmOnly = ['jose'];

const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/tools/jest/node-environment.js',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  transform: { '^.+\\.(ts|js|mjs)$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`, '\\.pnp\\.[^/]+$'],
  moduleNameMapper: {
    '^@switchyard/([a-z-]+)$': '<rootDir>/libs/$1/src',
    '^@switchyard/client/ai-sdk$': '<rootDir>/libs/client/src/ai-sdk',
    '^@switchyard/client/nats$': '<rootDir>/libs/client/src/nats',
    '^@switchyard/client/webhooks$': '<rootDir>/libs/client/src/webhooks',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.switchyard/'],
  setupFiles: ['reflect-metadata'],
};

const onPlatform = ['<rootDir>/tools/jest/slow-tests.js', '<rootDir>/tools/jest/diary.js'];

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/jest/longest-first.js',
  reporters: ['default', '<rootDir>/tools/jest/running-files.js'],
  projects: [
    // Pure: no servers, no network.
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,proof,tools}/**/*.spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/tools/jest/unit-tests.js'],
    },
    // Against the running platform; tools/test.mjs starts it.
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{apps,libs,proof,tools}/*/test/**/*.e2e-spec.ts', '<rootDir>/examples/test/*.e2e-spec.ts'],
      setupFiles: [...shared.setupFiles, '<rootDir>/tools/jest/shared-platform.js'],
      setupFilesAfterEnv: onPlatform,
    },
    // The same, but kills what runs: one file at a time on a platform, with nothing beside it there.
    {
      ...shared,
      displayName: 'faults',
      testMatch: ['<rootDir>/{apps,libs,proof,tools}/*/test/**/*.faults-spec.ts'],
      setupFiles: [...shared.setupFiles, '<rootDir>/tools/jest/platform-of-worker.js'],
      setupFilesAfterEnv: [...onPlatform, '<rootDir>/tools/jest/whole-platform.js'],
    },
  ],
};
