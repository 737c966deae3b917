import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSecrets1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'secrets',
      `name text not null,
       description text,
       hosts text[] not null default '{}',
       sealed bytea not null,
       version integer not null default 1,
       created_by uuid,
       created_at timestamptz(3) not null default now(),
       updated_at timestamptz(3) not null default now(),
       last_used_at timestamptz(3)`,
    );
    await runner.query(`create unique index secrets_one_of_a_name on secrets (space_id, lower(name))`);
    await runner.query(`create index secrets_newest on secrets (space_id, created_at desc, id desc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table secrets`);
  }
}
