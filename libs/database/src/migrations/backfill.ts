import type { QueryRunner } from 'typeorm';

/**
 * Reads all rows of a table of Spaces in a migration, with its writers locked out until the migration commits. The owner of
 * a table is held to row-level security as well; if it may not bypass that, the table is exempt meanwhile, since it would
 * read no row and say nothing.
 */
export async function backfill(runner: QueryRunner, table: string, work: () => Promise<void>): Promise<void> {
  await runner.query(`lock table ${table} in share row exclusive mode`);
  const [role] = (await runner.query(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  )) as { bypasses: boolean }[];
  const isHeld = role?.bypasses !== true;
  if (isHeld) await runner.query(`alter table ${table} no force row level security`);
  await work();
  if (isHeld) await runner.query(`alter table ${table} force row level security`);
}
