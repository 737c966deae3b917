import { alterBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How large the answers of a host are: those of a turn have a limit together. */
export class WeighToolResults1700000000016 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(runner, 'alter table tool_results add column if not exists bytes int');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tool_results drop column bytes');
  }
}
