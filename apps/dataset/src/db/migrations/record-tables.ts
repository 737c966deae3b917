import { rolesOf } from '@switchyard/database';
import type { QueryRunner } from 'typeorm';

export const IN_SPACE = `space_id = nullif(current_setting('app.space_id', true), '')::uuid`;

/**
 * Row-level security is forced here as everywhere, with one difference: all rows of such a table belong to one Space,
 * so its policy first asks whether that is the Space of the transaction, once for a statement; only else for each row.
 * `in_space` is declared immutable so that the planner answers it. Otherwise every condition of a caller would have to
 * wait behind the policy, and no full-text or array index could be used. The declaration holds for one plan in one
 * transaction: reads of these tables are therefore never prepared under a name. See docs/contribute/decisions/0010-dataset-tables.md.
 *
 * The service's role owns no table and may create none. These functions run as the owner and can do three things:
 * make a dataset's table, add columns to it, drop it. Their arguments are ids, numbers and type names from a list,
 * so no text of a user can become part of a statement.
 */
export async function recordTables(runner: QueryRunner): Promise<void> {
  const { app, system } = await rolesOf(runner);
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? '';
  const safely = `security definer set search_path = ${schema}, pg_temp`;
  await runner.query(`
    create function in_space(space uuid) returns boolean language sql immutable as
    $$ select coalesce(nullif(current_setting('app.space_id', true), '')::uuid = space, false) $$`);
  await runner.query(`
    create function record_table(dataset uuid) returns text language sql immutable as
    $$ select 'ds_' || replace(dataset::text, '-', '') $$`);
  await runner.query(`
    create function record_column_type(type text) returns text language plpgsql immutable as $$
    begin
      return case type
        when 'string' then 'text collate "C"' when 'text' then 'text collate "C"'
        when 'integer' then 'bigint' when 'number' then 'double precision' when 'decimal' then 'numeric'
        when 'boolean' then 'boolean' when 'date' then 'date' when 'datetime' then 'timestamp'
        when 'uuid' then 'uuid' when 'json' then 'jsonb' when 'string[]' then 'text[] collate "C"' end;
    end $$`);
  await runner.query(`
    create function check_record_table(dataset uuid) returns text language plpgsql ${safely} as $$
    declare name text := record_table(dataset);
    begin
      if obj_description(to_regclass(name)::oid) is distinct from current_setting('app.space_id', true) then
        raise exception 'no such dataset in this Space' using errcode = '42501';
      end if;
      return name;
    end $$`);
  await runner.query(`
    create function add_record_columns(dataset uuid, fields jsonb) returns void language plpgsql ${safely} as $$
    declare
      name text := check_record_table(dataset);
      adding text;
      f record;
    begin
      select string_agg(format('add column c%s %s', (x->>'column')::smallint, record_column_type(x->>'type')), ', ')
        into adding from jsonb_array_elements(fields) x;
      execute format('alter table %I %s', name, adding);
      for f in select (x->>'column')::smallint as n, x->>'type' as type,
          coalesce((x->>'unique')::boolean, false) as is_unique, coalesce((x->>'indexed')::boolean, false) as is_indexed,
          coalesce((x->>'fullText')::boolean, false) as has_words
        from jsonb_array_elements(fields) x
      loop
        if f.is_unique then
          execute format('create unique index %I on %I (space_id, c%s)', name || '_c' || f.n || '_key', name, f.n);
        elsif f.is_indexed and f.type = 'string[]' then
          execute format('create index %I on %I using gin (c%s)', name || '_c' || f.n, name, f.n);
        elsif f.is_indexed and f.type = 'json' then
          execute format('create index %I on %I using gin (c%s jsonb_path_ops)', name || '_c' || f.n, name, f.n);
        elsif f.is_indexed then
          execute format('create index %I on %I (space_id, c%s, id)', name || '_c' || f.n, name, f.n);
        end if;
        if f.has_words then
          execute format('create index if not exists %I on %I using gin (words)', name || '_words', name);
        end if;
      end loop;
    end $$`);
  await runner.query(`
    create function make_record_table(dataset uuid, fields jsonb) returns void language plpgsql ${safely} as $$
    declare
      name text := record_table(dataset);
      space uuid := nullif(current_setting('app.space_id', true), '')::uuid;
    begin
      if space is null then raise exception 'no Space' using errcode = '42501'; end if;
      execute format('create table %I (space_id uuid not null, id uuid not null, created_at timestamp not null,
        updated_at timestamp not null, nulls smallint[], words tsvector, import_id uuid, primary key (space_id, id))', name);
      execute format('comment on table %I is %L', name, space);
      execute format('alter table %I enable row level security', name);
      execute format('alter table %I force row level security', name);
      execute format($p$create policy tenant on %I to ${app} using (in_space(%L) or ${IN_SPACE}) with check (${IN_SPACE})$p$, name, space);
      execute format($p$create policy system on %I to ${system} using (true) with check (true)$p$, name);
      perform add_record_columns(dataset, fields);
    end $$`);
  await runner.query(`
    create function drop_record_table(dataset uuid) returns void language plpgsql ${safely} as $$
    declare
      name text := check_record_table(dataset);
      vectors record;
    begin
      for vectors in select c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = '${schema}'::regnamespace
        and c.relname ~ ('^' || replace(name, 'ds_', 'dv_') || '_[0-9]+$')
      loop
        execute format('drop table %I', vectors.relname);
      end loop;
      execute format('drop table %I', name);
    end $$`);
  for (const call of ['make_record_table(uuid, jsonb)', 'add_record_columns(uuid, jsonb)', 'drop_record_table(uuid)']) {
    await runner.query(`revoke all on function ${call} from public`);
    await runner.query(`grant execute on function ${call} to ${app}`);
  }
}
