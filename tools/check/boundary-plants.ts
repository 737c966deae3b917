/** Packages of the small house in which the rules are tried. */
export const packages = ['nats', 'typeorm', 'pg', '@nestjs/common', 'class-validator', 'lodash'];

/** Every kind of import that is fine. */
export const allowedFiles: Record<string, string> = {
  'libs/kernel/src/index.ts': 'export const kernel = 1;',
  'libs/concurrency/src/index.ts': "import '@switchyard/kernel';\nexport const concurrency = 1;",
  'libs/contracts/src/index.ts': "import 'class-validator';\nimport '@switchyard/kernel';\nexport const contracts = 1;",
  'libs/messaging/src/index.ts':
    "import 'nats';\nimport '@nestjs/common';\nimport '@switchyard/contracts';\nexport const bus = 1;",
  'libs/database/src/index.ts':
    "import 'typeorm';\nimport 'pg';\nimport '@switchyard/contracts';\nimport '@switchyard/concurrency';\nexport const database = 1;",
  'libs/service/src/index.ts':
    "import '@switchyard/messaging';\nimport '@switchyard/database';\nexport const service = 1;",
  'libs/testing/src/index.ts': "import 'pg';\nexport const testing = 1;",
  'tools/start.ts': "import '@switchyard/messaging';\nexport const tool = 1;",
  'apps/task/src/tasks/tasks.controller.ts':
    "import '@nestjs/common';\nimport './tasks.service';\nexport const controller = 1;",
  'apps/task/src/tasks/tasks.service.ts':
    "import '../db/tasks.repository';\nimport '../domain/next';\nexport const service = 1;",
  'apps/task/src/db/tasks.repository.ts':
    "import 'pg';\nimport 'typeorm';\nimport '@switchyard/database';\nexport const repository = 1;",
  'apps/task/src/domain/next.ts':
    "import '@switchyard/kernel';\nimport '@switchyard/contracts';\nexport const next = 1;",
  'apps/gateway/src/main.ts': "import '@switchyard/service';\nexport const main = 1;",
  'apps/task/test/tasks.e2e-spec.ts': "import '@switchyard/testing';\nimport '../../../tools/start';",
};

interface Plant {
  rule: string;
  file: string;
  text: string;
}

/** One file, or more, for each rule, that does what the rule forbids. */
export const plants: Plant[] = [
  { rule: 'no-cycles', file: 'apps/task/src/a.ts', text: "import { b } from './b';\nexport const a = b;" },
  { rule: 'no-circles-of-folders', file: 'apps/task/src/above/up.ts', text: "import '../below/first';" },
  { rule: 'no-circles-of-folders', file: 'libs/database/src/above/up.ts', text: "import '../below/first';" },
  {
    rule: 'no-circles-of-inner-folders',
    file: 'apps/gateway/src/adapters/one/up.ts',
    text: "import '../two/first';",
  },
  { rule: 'not-from-app-to-app', file: 'apps/job/src/peek.ts', text: "import '../../task/src/domain/next';" },
  { rule: 'not-from-lib-to-app', file: 'libs/service/src/up.ts', text: "import '../../../apps/task/src/domain/next';" },
  { rule: 'not-from-app-to-tools', file: 'apps/job/src/tool.ts', text: "import '../../../tools/start';" },
  { rule: 'not-from-app-to-tools', file: 'apps/job/src/testing.ts', text: "import '@switchyard/testing';" },
  { rule: 'libs-through-their-door', file: 'apps/job/src/window.ts', text: "import '../../../libs/service/src/up';" },
  {
    rule: 'lib-to-lib-through-its-door',
    file: 'libs/database/src/window.ts',
    text: "import '../../contracts/src/inner';",
  },
  { rule: 'kernel-knows-nothing', file: 'libs/kernel/src/up.ts', text: "import '@switchyard/contracts';" },
  {
    rule: 'concurrency-knows-the-kernel-only',
    file: 'libs/concurrency/src/up.ts',
    text: "import '@switchyard/contracts';",
  },
  {
    rule: 'contracts-know-the-kernel-only',
    file: 'libs/contracts/src/inner.ts',
    text: "import '@switchyard/messaging';",
  },
  { rule: 'contracts-without-frameworks', file: 'libs/contracts/src/nest.ts', text: "import '@nestjs/common';" },
  { rule: 'contracts-without-frameworks', file: 'libs/contracts/src/orm.ts', text: "import 'typeorm';" },
  {
    rule: 'lower-libs-know-contracts',
    file: 'libs/messaging/src/up.ts',
    text: "import '@switchyard/database';",
  },
  { rule: 'service-below-apps', file: 'libs/service/src/testing.ts', text: "import '@switchyard/testing';" },
  { rule: 'domain-without-packages', file: 'apps/task/src/domain/lodash.ts', text: "import 'lodash';" },
  { rule: 'domain-without-packages', file: 'apps/task/src/tasks/domain/nest.ts', text: "import '@nestjs/common';" },
  { rule: 'domain-without-machinery', file: 'apps/task/src/domain/bus.ts', text: "import '@switchyard/messaging';" },
  { rule: 'domain-knows-domain-only', file: 'apps/task/src/domain/db.ts', text: "import '../db/tasks.repository';" },
  {
    rule: 'controllers-without-database',
    file: 'apps/task/src/tasks/late.controller.ts',
    text: "import '../db/tasks.repository';",
  },
  {
    rule: 'controllers-without-database',
    file: 'apps/task/src/tasks/raw.controller.ts',
    text: "import '@switchyard/database';",
  },
  { rule: 'nats-in-messaging-only', file: 'apps/task/src/nats.ts', text: "import 'nats';" },
  { rule: 'sql-in-db-folders-only', file: 'apps/task/src/tasks/sql.ts', text: "import 'pg';" },
  { rule: 'sql-in-db-folders-only', file: 'apps/task/src/tasks/orm.ts', text: "import 'typeorm';" },
  { rule: 'gateway-without-database', file: 'apps/gateway/src/db/database.ts', text: "import '@switchyard/database';" },
  { rule: 'gateway-without-database', file: 'apps/gateway/src/db/sql.ts', text: "import 'pg';" },
  { rule: 'nothing-unresolvable', file: 'apps/task/src/lost.ts', text: "import './nowhere';" },
];

/** The other half of the planted cycle, which is reported once. */
export const companions: Record<string, string> = {
  'apps/task/src/below/first.ts': 'export const first = 1;',
  'apps/task/src/below/second.ts': "import '../above/other';",
  'apps/task/src/above/other.ts': 'export const other = 2;',
  'libs/database/src/below/first.ts': 'export const first = 1;',
  'libs/database/src/below/second.ts': "import '../above/other';",
  'libs/database/src/above/other.ts': 'export const other = 2;',
  'apps/gateway/src/adapters/two/first.ts': 'export const first = 1;',
  'apps/gateway/src/adapters/two/second.ts': "import '../one/other';",
  'apps/gateway/src/adapters/one/other.ts': 'export const other = 2;',
  'apps/task/src/b.ts': "import { a } from './a';\nexport const b = a;",
};
