import { markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const KIB = 1024;
/** The limits at the time of this migration. */
const LIMITS = {
  promptVariables: 64 * KIB,
  mcpServers: 256 * KIB,
  localTools: 256 * KIB,
  approvals: 256 * KIB,
  responseSchema: 64 * KIB,
  metadata: 16 * KIB,
};

const VERSIONS: WeighedTable = {
  table: 'agent_versions',
  columns: ['body'],
  fields: Object.entries(LIMITS).map(([path, limit]) => ({ path, value: `body -> '${path}'`, limit })),
};

/** Versions of agents from before their fields had limits. */
export class MarkOversizedVersions1700000000009 extends OnlineMigration implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return markOversized(runner, VERSIONS);
  }

  down(runner: QueryRunner): Promise<void> {
    return unmarkOversized(runner, VERSIONS);
  }
}
