import { markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The limit at the time of this migration. */
const METADATA_BYTES = 16 * 1024;

const SESSIONS: WeighedTable = {
  table: 'sessions',
  columns: ['metadata'],
  fields: [{ path: 'metadata', value: 'metadata', limit: METADATA_BYTES }],
  skipsSmallInserts: true,
};

/** Sessions from before their metadata had a limit. */
export class MarkOversizedSessions1700000000018 extends OnlineMigration implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return markOversized(runner, SESSIONS);
  }

  down(runner: QueryRunner): Promise<void> {
    return unmarkOversized(runner, SESSIONS);
  }
}
