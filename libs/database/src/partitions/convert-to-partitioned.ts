import type { QueryRunner } from 'typeorm';
import { changeBriefly, withoutLockTimeout } from '../migrations/online';
import { rolesOf } from '../migrations/roles';
import { protectTable } from '../migrations/tables';
import { createRest, createWeekFunctions, dropWeekFunctions } from './weekly-functions';
import { FUTURE_WEEKS, type WeeklyTable, beforeOf } from './weekly-table';

/**
 * The first partition starts this far in the future: the check that no row is beyond its start must hold until the
 * switch.
 */
const FIRST_WEEK_IN_DAYS = 14;
const MIN_DAYS_REMAINING = 7;

/**
 * Converts a table in use to weekly partitions. Existing rows stay in place as one partition up to the first week: none
 * is moved, and no lock is held while rows are read. Safe to repeat after a crash.
 */
export async function intoWeeks(runner: QueryRunner, weekly: WeeklyTable): Promise<void> {
  if (!(await isInWeeks(runner, weekly))) {
    const bound = await promiseBound(runner, weekly);
    await withoutLockTimeout(runner, async () => {
      await runner.query(`alter table ${weekly.table} validate constraint ${boundOf(weekly)}`);
    });
    await changeBriefly(runner, () => switchTables(runner, weekly, bound));
  }
  let made = true;
  while (made) made = await makeWeek(runner, weekly);
}

/** Copies all rows back into one table, which is locked meanwhile. */
export async function outOfWeeks(runner: QueryRunner, weekly: WeeklyTable): Promise<void> {
  const { table } = weekly;
  const old = `${table}_weeks`;
  const indexes = await indexesOf(runner, table);
  await dropWeekFunctions(runner, weekly);
  await runner.query(`alter table ${table} rename to ${old}`);
  await rename(runner, indexes, table, old);
  await runner.query(`create table ${table} (like ${old} including all excluding indexes)`);
  await runner.query(`alter table ${old} no force row level security`);
  await runner.query(`insert into ${table} select * from ${old}`);
  await runner.query(`drop table ${old}`);
  for (const { build } of indexes) await runner.query(build);
  if (weekly.isOfSpaces) await protectTable(runner, table);
}

const boundOf = (weekly: WeeklyTable): string => `${beforeOf(weekly)}_bound`;

async function isInWeeks(runner: QueryRunner, { table }: WeeklyTable): Promise<boolean> {
  const [row] = (await runner.query(`select relkind = 'p' as is from pg_class where oid = to_regclass($1)`, [
    table,
  ])) as { is: boolean }[];
  return row?.is === true;
}

async function makeWeek(runner: QueryRunner, { table }: WeeklyTable): Promise<boolean> {
  let made = false;
  await changeBriefly(runner, async () => {
    const [row] = (await runner.query(`select make_${table}_week($1) as made`, [FUTURE_WEEKS])) as { made: boolean }[];
    made = row?.made === true;
  });
  return made;
}

/** Constraint that no row is beyond the bound before the switch. One left by an old crash is set again. */
async function promiseBound(runner: QueryRunner, weekly: WeeklyTable): Promise<string> {
  const { table, id } = weekly;
  await changeBriefly(runner, () => createWeekFunctions(runner, weekly));
  let bound = '';
  await changeBriefly(runner, async () => {
    const [existing] = (await runner.query(
      `select until::text as until, week_time(until) > clock_timestamp() + make_interval(days => $3) as holds
         from (select (regexp_match(pg_get_constraintdef(oid), '''([0-9a-f-]{36})'''))[1]::uuid as until
                 from pg_constraint where conrelid = to_regclass($1) and conname = $2) promised`,
      [table, boundOf(weekly), MIN_DAYS_REMAINING],
    )) as { until: string; holds: boolean }[];
    if (existing?.holds === true) {
      bound = existing.until;
      return;
    }
    const [next] = (await runner.query(
      `select week_bound(date_trunc('week', clock_timestamp() + make_interval(days => $1), 'UTC') + interval '7 days')::text as until`,
      [FIRST_WEEK_IN_DAYS],
    )) as { until: string }[];
    bound = next?.until ?? '';
    await runner.query(`alter table ${table} drop constraint if exists ${boundOf(weekly)}`);
    await runner.query(
      `alter table ${table} add constraint ${boundOf(weekly)} check (${id} < '${bound}'::uuid) not valid`,
    );
  });
  return bound;
}

interface Index {
  name: string;
  build: string;
}

/** The switch: renames the table, and attaches it to a new one with its name and indexes. */
async function switchTables(runner: QueryRunner, weekly: WeeklyTable, bound: string): Promise<void> {
  const { table, id } = weekly;
  const before = beforeOf(weekly);
  const { app, system } = await rolesOf(runner);
  await runner.query(`lock table ${table} in access exclusive mode`);
  const indexes = await indexesOf(runner, table);
  await runner.query(`alter table ${table} rename to ${before}`);
  await rename(runner, indexes, table, before);
  await runner.query(
    `create table ${table} (like ${before} including all excluding indexes) partition by range (${id})`,
  );
  await runner.query(`alter table ${table} drop constraint ${boundOf(weekly)}`);
  for (const { build } of indexes) await runner.query(build);
  if (weekly.isOfSpaces) await protectTable(runner, table);
  await runner.query(`grant select, insert, update, delete on ${table} to ${app}, ${system}`);
  await runner.query(`alter table ${table} attach partition ${before} for values from (minvalue) to ('${bound}')`);
  await runner.query(`alter table ${before} drop constraint ${boundOf(weekly)}`);
  await createRest(runner, weekly);
  // The previous version's retention selects rows by ctid, which is not unique across partitions.
  await runner.query(
    `create trigger goes_as_a_whole before delete or truncate on ${table} for each statement execute function refuse_delete_of_weeks()`,
  );
}

/** The statements to build them, by their current names. */
async function indexesOf(runner: QueryRunner, table: string): Promise<Index[]> {
  return (await runner.query(
    `select i.relname as name, coalesce(
         (select format('alter table ${table} add constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
            from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u') and k.conrelid = x.indrelid),
         replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')) as build
       from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = to_regclass($1) order by 1`,
    [table],
  )) as Index[];
}

async function rename(runner: QueryRunner, indexes: readonly Index[], from: string, to: string): Promise<void> {
  for (const { name } of indexes)
    await runner.query(
      `alter index ${name} rename to ${name.startsWith(from) ? name.replace(from, to) : `${to}_${name}`}`,
    );
}
