import { buildIndexes, createActivityTables, dropActivityTables, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EMISSION_ACTIVITY } from '../emission-activity';

/** Lists of emissions by time for each status, counters by hour and status, and notes of changes while somebody watches. */
export class CountEmissions1700000000007 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      emissions_of_space: 'on emissions (space_id, status, emitted_at, id)',
      emissions_of_user:
        'on emissions (space_id, actor_user_id, status, emitted_at, id) where actor_user_id is not null',
    });
    await createActivityTables(runner, EMISSION_ACTIVITY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropActivityTables(runner, EMISSION_ACTIVITY);
    await runner.query('drop index emissions_of_space, emissions_of_user');
  }
}
