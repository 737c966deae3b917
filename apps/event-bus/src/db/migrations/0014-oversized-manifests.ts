import { SIZES } from '@switchyard/contracts';
import { markOversized, OnlineMigration, unmarkOversized, type WeighedTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const APPLICATIONS: WeighedTable = {
  table: 'applications',
  columns: ['manifest'],
  fields: [{ path: 'manifest', value: 'manifest', limit: SIZES.manifest }],
};

/** Rows of a dataset are judged by the filter of an event: where it is too large to be read, none is. */
const EVENTS: WeighedTable = {
  table: 'registered_events',
  columns: ['emit_on'],
  fields: [{ path: 'emitOn.filter', value: `emit_on -> 'filter'`, limit: SIZES.filter }],
  whenFar: { emit_on: 'null', emit_dataset: 'null' },
};

/** Manifests from before they had a limit, and the filters that their events have brought. */
export class MarkOversizedManifests1700000000014 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await markOversized(runner, APPLICATIONS);
    await markOversized(runner, EVENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await unmarkOversized(runner, EVENTS);
    await unmarkOversized(runner, APPLICATIONS);
  }
}
