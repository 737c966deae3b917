import { markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AGENT_SIZES } from '../../domain/agent-sizes';

const AGENTS: WeighedTable = {
  table: 'agents',
  columns: ['body'],
  fields: Object.entries(AGENT_SIZES).map(([path, limit]) => ({ path, value: `body -> '${path}'`, limit })),
};

/** Agents from before their fields had limits. */
export class MarkOversizedAgents1700000000007 extends OnlineMigration implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return markOversized(runner, AGENTS);
  }

  down(runner: QueryRunner): Promise<void> {
    return unmarkOversized(runner, AGENTS);
  }
}
