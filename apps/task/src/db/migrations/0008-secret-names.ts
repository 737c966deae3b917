import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which secrets the steps of a task name, kept by the database from the steps themselves. */
export class IndexSecretNames1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function secret_names_of(steps jsonb) returns text[] language sql immutable parallel safe as $$
        select coalesce(array_agg(distinct found[1]), '{}')
        from regexp_matches(steps::text, '\\{\\{ *secrets\\.([A-Za-z][A-Za-z0-9_]*) *\\}\\}', 'g') found
      $$`);
    await runner.query(
      `alter table tasks add column secret_names text[] generated always as (secret_names_of(steps)) stored`,
    );
    await runner.query(
      `create index tasks_of_a_secret on tasks using gin (secret_names) where secret_names <> '{}'::text[]`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks drop column secret_names');
    await runner.query('drop function secret_names_of(jsonb)');
  }
}
