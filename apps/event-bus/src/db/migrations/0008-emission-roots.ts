import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which piece of work made an emission, and which tree it belongs to where it begins a chain inside of one. */
export class KeepRootsOfEmissions1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table emissions add column parent text, add column root uuid');
    await runner.query('create index emissions_root on emissions (space_id, root) where root is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index emissions_root');
    await runner.query('alter table emissions drop column parent, drop column root');
  }
}
