import type { QueryRunner } from 'typeorm';
import { rolesOf } from './roles';

/** Rows of the transaction's Space; none without one. After a transaction the setting reads '', never NULL. */
export const IN_SPACE = `space_id = nullif(current_setting('app.space_id', true), '')::uuid`;

/** Forces row-level security on a table with a `space_id`, for the owner too. */
export async function protectTable(runner: QueryRunner, table: string): Promise<void> {
  const { app, system } = await rolesOf(runner);
  await runner.query(`alter table ${table} enable row level security`);
  await runner.query(`alter table ${table} force row level security`);
  await runner.query(`create policy tenant on ${table} to ${app} using (${IN_SPACE}) with check (${IN_SPACE})`);
  await runner.query(`create policy system on ${table} to ${system} using (true) with check (true)`);
}

/** A table of Spaces: keys start with `space_id`, and rows of other Spaces are invisible. */
export async function tenantTable(runner: QueryRunner, table: string, columns: string): Promise<void> {
  await runner.query(
    `create table ${table} (space_id uuid not null, id uuid not null, ${columns}, primary key (space_id, id))`,
  );
  await protectTable(runner, table);
}

/** A table without a Space. */
export async function globalTable(runner: QueryRunner, table: string, columns: string): Promise<void> {
  await runner.query(`create table ${table} (${columns})`);
}

/** Indexes of a new table; values are the text after `create index <name> `. For tables in use: `buildIndexes`. */
export async function createIndexes(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    const [, unique = '', on = ''] = /^(unique )?(.*)$/su.exec(definition) ?? [];
    await runner.query(`create ${unique}index ${name} ${on}`);
  }
}
