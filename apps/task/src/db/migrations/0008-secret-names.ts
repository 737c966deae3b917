import { asOwner, buildIndexes, changeBriefly, inBatches, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which secrets the steps of a task name, kept by the database from the steps themselves. */
export class IndexSecretNames1700000000008 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, () => keepSecretNames(runner));
    await asOwner(runner, ['tasks'], () =>
      inBatches(
        runner,
        `with named as (
           update tasks set secret_names = secret_names_of(steps)
           where ctid = any(array(select ctid from tasks where secret_names is null limit 500)) returning 1)
         select count(*)::int as n from named`,
      ),
    );
    await buildIndexes(runner, {
      tasks_of_a_secret: `on tasks using gin (secret_names) where secret_names <> '{}'::text[]`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger keep_secret_names on tasks');
    await runner.query('alter table tasks drop column secret_names');
    await runner.query('drop function keep_secret_names(), secret_names_of(jsonb)');
  }
}

/** By a trigger: a generated column would be written into all rows before anybody else may touch them. */
async function keepSecretNames(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  await runner.query(`
    create or replace function secret_names_of(steps jsonb) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct found[1]), '{}')
      from regexp_matches(steps::text, '\\{\\{ *secrets\\.([A-Za-z][A-Za-z0-9_]*) *\\}\\}', 'g') found
    $$`);
  await runner.query(`
    create or replace function keep_secret_names() returns trigger language plpgsql as $$
    begin
      new.secret_names := ${row?.schema ?? 'public'}.secret_names_of(new.steps);
      return new;
    end $$`);
  await runner.query('alter table tasks add column if not exists secret_names text[]');
  await runner.query('drop trigger if exists keep_secret_names on tasks');
  await runner.query(
    `create trigger keep_secret_names before insert or update of steps on tasks
       for each row execute function keep_secret_names()`,
  );
}
