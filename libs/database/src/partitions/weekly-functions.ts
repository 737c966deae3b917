import type { QueryRunner } from 'typeorm';
import { rolesOf } from '../migrations/roles';
import { IN_SPACE } from '../migrations/tables';
import { FUTURE_WEEKS, type WeeklyTable, restOf } from './weekly-table';

/** Lock time-out of creating or dropping a week: writers queue behind it. */
export const WEEK_LOCK_WAIT_MS = 100;

/** Concurrent calls for the same table do nothing. */
const MAKING_WEEKS = 74201;

/**
 * Completes a new table that was created with `partition by range (<id>)`: functions, the default partition, and the
 * first weeks. Rows leave with their week alone: a statement that deletes rows is refused.
 */
export async function createWeeks(runner: QueryRunner, weekly: WeeklyTable): Promise<void> {
  const { table } = weekly;
  await createWeekFunctions(runner, weekly);
  await createRest(runner, weekly);
  await runner.query(
    `create trigger goes_as_a_whole before delete or truncate on ${table} for each statement execute function refuse_delete_of_weeks()`,
  );
  for (let made = true; made;) {
    const [row] = (await runner.query(`select make_${table}_week($1) as made`, [FUTURE_WEEKS])) as { made: boolean }[];
    made = row?.made === true;
  }
}

/**
 * A service's role may not create or drop tables. It may call two functions that run as the owner: create the next week
 * of a table, and drop an expired one. They only accept names that the catalogue lists as partitions of that table.
 */
async function createWeekFunctions(runner: QueryRunner, weekly: WeeklyTable): Promise<void> {
  const { table } = weekly;
  const { app, system } = await rolesOf(runner);
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const path = `set search_path = ${row?.schema ?? ''}, pg_temp`;
  const asOwner = `security definer ${path} set lock_timeout = ${WEEK_LOCK_WAIT_MS}`;
  await createBounds(runner, path);
  await runner.query(`
    create function add_${table}_week(begin_at timestamptz) returns void language plpgsql ${path} as $add$
    declare
      week text := '${table}_p' || to_char(begin_at at time zone 'UTC', 'YYYYMMDD');
    begin
      execute format('create table %I (like ${table} including all)', week);
      ${weekly.isOfSpaces ? protecting('week', app, system) : ''}
      execute format('revoke all on %I from ${app}, ${system}', week);
      execute format('grant select on %I to ${system}', week);
      execute format('create trigger goes_as_a_whole before delete or truncate on %I for each statement execute function refuse_delete_of_weeks()', week);
      execute format('alter table ${table} attach partition %I for values from (%L) to (%L)', week, week_bound(begin_at), week_bound(begin_at + interval '7 days'));
    end $add$`);
  // A week with rows in the default partition cannot be created any more; later ones can.
  await runner.query(`
    create function make_${table}_week(ahead int) returns boolean language plpgsql ${asOwner} as $make$
    declare
      begin_at timestamptz;
    begin
      if not pg_try_advisory_xact_lock(${MAKING_WEEKS}, hashtext(current_schema() || '.${table}')) then return false; end if;
      begin_at := greatest((select max(until_at) from weeks_of('${table}')), date_trunc('week', clock_timestamp(), 'UTC'));
      while begin_at < clock_timestamp() + make_interval(weeks => least(ahead, 8)) loop
        begin
          perform add_${table}_week(begin_at);
          return true;
        exception when check_violation then
          begin_at := begin_at + interval '7 days';
        end;
      end loop;
      return false;
    end $make$`);
  await runner.query(`
    create function drop_${table}_week(week text, days int) returns void language plpgsql ${asOwner} as $drop$
    begin
      if not exists (select 1 from weeks_of('${table}') w where w.name = week
                        and w.until_at < clock_timestamp() - make_interval(days => greatest(days, ${weekly.leastDays}))) then
        raise exception 'no week of ${table} that ended long enough ago' using errcode = '42501';
      end if;
      execute format('drop table %I', week);
    end $drop$`);
  await runner.query(`revoke all on function add_${table}_week(timestamptz) from public`);
  for (const call of [`make_${table}_week(int)`, `drop_${table}_week(text, int)`]) {
    await runner.query(`revoke all on function ${call} from public`);
    await runner.query(`grant execute on function ${call} to ${system}`);
  }
}

/**
 * The default partition takes rows without a week. Its rows, and those older than the first week, expire one by one.
 */
async function createRest(runner: QueryRunner, weekly: WeeklyTable): Promise<void> {
  const { app, system } = await rolesOf(runner);
  const rest = restOf(weekly);
  await runner.query(`create table ${rest} partition of ${weekly.table} default`);
  if (weekly.isOfSpaces) await runner.query(`do $do$ begin ${protecting(`'${rest}'::text`, app, system)} end $do$`);
  await runner.query(`grant select, insert, update, delete on ${rest} to ${system}`);
}

/** Time of an id, smallest id of a time, and existing weeks of a table. */
async function createBounds(runner: QueryRunner, path: string): Promise<void> {
  await runner.query(`
    create function week_bound(at timestamptz) returns uuid language sql immutable parallel safe as $$
      select (substr(ms, 1, 8) || '-' || substr(ms, 9, 4) || '-0000-0000-000000000000')::uuid
        from (select lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') as ms) moment
    $$`);
  await runner.query(`
    create function week_time(bound uuid) returns timestamptz language sql immutable parallel safe as $$
      select to_timestamp(('x0000' || substr(replace(bound::text, '-', ''), 1, 12))::bit(64)::bigint / 1000.0)
    $$`);
  await runner.query(`
    create function weeks_of(parent regclass) returns table (name text, until_at timestamptz) language sql stable ${path} as $$
      select w.name, week_time(w.until::uuid)
        from (select c.relname::text as name, (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([0-9a-f-]{36})''\\)'))[1] as until
                from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent) w
       where w.until is not null
    $$`);
  await runner.query(`
    create function refuse_delete_of_weeks() returns trigger language plpgsql as $$
    begin
      raise exception '% goes by weeks: no rows of it are deleted', tg_table_name using errcode = '42501';
    end $$`);
}

/** As `protectTable`, for a table created inside a database function. `name` is an expression. */
const protecting = (name: string, app: string, system: string): string => `
  execute format('alter table %I enable row level security', ${name});
  execute format('alter table %I force row level security', ${name});
  execute format($p$create policy tenant on %I to ${app} using (${IN_SPACE}) with check (${IN_SPACE})$p$, ${name});
  execute format($p$create policy system on %I to ${system} using (true) with check (true)$p$, ${name});`;
