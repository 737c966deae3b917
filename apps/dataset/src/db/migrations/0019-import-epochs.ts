import { OnlineMigration, alterBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the claims of an import: a worker that claims it again does not continue its earlier attempt. */
export class ImportEpochs1700000000019 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table imports add column if not exists epoch int not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table imports drop column if exists epoch');
  }
}
