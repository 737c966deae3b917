// Which part of the house may know of which. There is no inline switch to turn one of these off.
const npm = { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] };
// A folder directly below the sources of an app or a library.
const part = '^(apps|libs)/[^/]+/src/[^/]+';
// The contracts are one language: an agent's call names a turn's types, and the other way round.
const notInRooms = '^(apps/console|libs/(contracts|client))/';
const specs = '\\.(spec|e2e-spec)\\.ts$|/test/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circles-of-folders',
      comment: 'The folders of a service or library are used in one direction: code that two need stands below both.',
      severity: 'error',
      scope: 'folder',
      from: { path: `${part}$`, pathNot: notInRooms },
      to: { path: `${part}$`, circular: true },
    },
    {
      name: 'no-circles-of-inner-folders',
      comment: 'The same one level below: adapters of protocols, areas of routes, the parts of a turn.',
      severity: 'error',
      scope: 'folder',
      from: { path: `${part}/[^/]+$`, pathNot: notInRooms },
      to: { path: `${part}/[^/]+$`, circular: true },
    },
    {
      name: 'not-from-app-to-app',
      comment: 'Services speak over the bus.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'not-from-lib-to-app',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|proof|tools|examples)/' },
    },
    {
      name: 'not-from-app-to-tools',
      severity: 'error',
      from: { path: '^apps/', pathNot: specs },
      to: { path: '^(proof|tools|libs/testing)/' },
    },
    {
      name: 'libs-through-their-door',
      comment: 'A library is used by its name, never by a path into it.',
      severity: 'error',
      from: { path: '^(apps|examples)/' },
      to: { path: '^libs/', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/client/src/nats/index\\.ts$'] },
    },
    {
      name: 'lib-to-lib-through-its-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'kernel-knows-nothing',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: specs },
      to: { path: '^(libs|apps|proof|tools)/', pathNot: '^libs/kernel/' },
    },
    {
      name: 'concurrency-knows-the-kernel-only',
      severity: 'error',
      from: { path: '^libs/concurrency/', pathNot: specs },
      to: { path: '^(libs|apps|proof|tools)/', pathNot: '^libs/(concurrency|kernel)/' },
    },
    {
      name: 'contracts-know-the-kernel-only',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(contracts|kernel)/' },
    },
    {
      name: 'contracts-without-frameworks',
      comment: 'The language between services outlives the frameworks that speak it.',
      severity: 'error',
      from: { path: '^libs/contracts/', pathNot: specs },
      to: { ...npm, pathNot: 'node_modules/(class-validator|class-transformer|reflect-metadata|ajv|ajv-formats)/' },
    },
    {
      name: 'lower-libs-know-contracts',
      comment: 'Only libs/service puts messaging and database together.',
      severity: 'error',
      from: { path: '^libs/(messaging|database|schemas)/', pathNot: specs },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/(contracts|concurrency|kernel)/'] },
    },
    {
      name: 'service-below-apps',
      severity: 'error',
      from: { path: '^libs/service/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(service|messaging|database|contracts|concurrency|kernel)/' },
    },
    {
      name: 'domain-without-packages',
      comment: 'Decisions are plain functions: data in, decision out.',
      severity: 'error',
      from: { path: '^apps/.+/domain/', pathNot: specs },
      to: npm,
    },
    {
      name: 'domain-without-machinery',
      severity: 'error',
      from: { path: '^apps/.+/domain/', pathNot: specs },
      to: { path: '^libs/(messaging|database|service|testing)/' },
    },
    {
      name: 'domain-knows-domain-only',
      comment: 'A decision that needs a service or a repository is not a decision yet.',
      severity: 'error',
      from: { path: '^apps/.+/domain/', pathNot: specs },
      to: { path: '^apps/', pathNot: '^apps/.+/domain/' },
    },
    {
      name: 'controllers-without-database',
      comment: 'A controller asks its service.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/.*\\.controller\\.ts$' },
      to: { path: '(^libs/database/|/db/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nats-in-messaging-only',
      severity: 'error',
      // Tests speak as an operator, and as a company's service.
      from: {
        pathNot: [
          '^libs/messaging/',
          '^tools/deploy/test/',
          '^tools/secrets/test/',
          '^tools/deploy/try-nats',
          '^apps/gateway/test/nats-api/',
          '^proof/deploy-trial/(company-service|rotation-customer)',
        ],
      },
      to: { path: 'node_modules/nats/' },
    },
    {
      name: 'sql-in-db-folders-only',
      comment:
        'Tests of the bus look into the database for assertions; tests of Postgres servers run them; a benchmark compares with bare SQL.',
      severity: 'error',
      from: {
        pathNot: [
          '^libs/database/',
          '^libs/testing/',
          '^libs/messaging/test/',
          '^apps/.+/db/',
          '^proof/bench/',
          '^tools/launcher/test/own-postgres/',
        ],
      },
      to: { path: 'node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    },
    {
      name: 'gateway-without-database',
      severity: 'error',
      from: { path: '^apps/gateway/', pathNot: specs },
      to: { path: '(^libs/database/|node_modules/(typeorm|pg|@nestjs/typeorm)/)' },
    },
    {
      name: 'nothing-unresolvable',
      severity: 'error',
      from: {},
      // Modules that the build of the console makes.
      to: { couldNotResolve: true, pathNot: '^virtual:guide-' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'default', 'types'],
      mainFields: ['main', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
