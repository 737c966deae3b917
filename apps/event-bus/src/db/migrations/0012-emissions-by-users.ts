import { OnlineMigration, alterBriefly } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A person may emit as well. No row has the new source yet: what is there fits the wider check. */
export class LetUsersEmit1700000000012 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      `alter table emissions
         drop constraint if exists emissions_source_check,
         drop constraint if exists emissions_sources,
         add constraint emissions_sources check (source in ('datasource', 'app', 'system', 'user')) not valid`,
    );
    await runner.query('alter table emissions validate constraint emissions_sources');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table emissions
         drop constraint emissions_sources,
         add constraint emissions_source_check check (source in ('datasource', 'app', 'system')) not valid`,
    );
  }
}
