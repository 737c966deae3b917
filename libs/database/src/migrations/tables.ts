import type { QueryRunner } from 'typeorm';
import { rolesOf } from './roles';

/** Only the Space of the transaction; without one, nothing. The setting reads '' after a transaction, never NULL. */
export const IN_SPACE = `space_id = nullif(current_setting('app.space_id', true), '')::uuid`;

/** Row-level security for a table with a `space_id`: forced, so that the owner obeys as well. */
export async function protectTable(runner: QueryRunner, table: string): Promise<void> {
  const { app, system } = await rolesOf(runner);
  await runner.query(`alter table ${table} enable row level security`);
  await runner.query(`alter table ${table} force row level security`);
  await runner.query(`create policy tenant on ${table} to ${app} using (${IN_SPACE}) with check (${IN_SPACE})`);
  await runner.query(`create policy system on ${table} to ${system} using (true) with check (true)`);
}

/** A table that belongs to Spaces: its keys lead with `space_id`, and rows of other Spaces do not exist for the reader. */
export async function tenantTable(runner: QueryRunner, table: string, columns: string): Promise<void> {
  await runner.query(
    `create table ${table} (space_id uuid not null, id uuid not null, ${columns}, primary key (space_id, id))`,
  );
  await protectTable(runner, table);
}

/** One of the few tables that no Space owns. */
export async function globalTable(runner: QueryRunner, table: string, columns: string): Promise<void> {
  await runner.query(`create table ${table} (${columns})`);
}
