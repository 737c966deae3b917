import { alterBriefly, buildIndexes, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which piece of work made an emission, and which tree it belongs to where it begins a chain inside of one. */
export class KeepRootsOfEmissions1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await alterBriefly(
      runner,
      'alter table emissions add column if not exists parent text, add column if not exists root uuid',
    );
    await buildIndexes(runner, { emissions_root: 'on emissions (space_id, root) where root is not null' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index emissions_root');
    await runner.query('alter table emissions drop column parent, drop column root');
  }
}
