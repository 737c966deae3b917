import { protectTable, rolesOf } from '@switchyard/database';
import type { QueryRunner } from 'typeorm';
import { IN_SPACE } from './record-tables';

/**
 * Vectors in pgvector, where the extension is. `record_vectors` stays what is true; a vector table is an index of one
 * field, brought up to date from what changed there since its horizon. Nothing here needs the extension to be there:
 * it is looked for when a service starts, so a database can gain or lose it later.
 *
 * `enable_pgvector` answers nulls where there is none, else the schema that it is in and its version.
 */
export async function vectorTables(runner: QueryRunner): Promise<void> {
  const { app, system } = await rolesOf(runner);
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? '';
  const safely = `security definer set search_path = ${schema}, pg_temp`;
  await runner.query(`
    create table vector_tables (
      space_id uuid not null,
      dataset_id uuid not null,
      field smallint not null,
      dimensions int not null,
      filled boolean not null default false,
      horizon xid8 not null default '0',
      primary key (space_id, dataset_id, field),
      foreign key (space_id, dataset_id) references datasets (space_id, id) on delete cascade
    )`);
  await protectTable(runner, 'vector_tables');
  await runner.query(`
    create function enable_pgvector(out home text, out version text, out problem text) language plpgsql ${safely} as $$
    begin
      perform pg_advisory_xact_lock(73003);
      if not exists (select 1 from pg_extension where extname = 'vector')
        and exists (select 1 from pg_available_extensions where name = 'vector') then
        begin
          execute 'create extension vector schema ${schema}';
        exception when insufficient_privilege then
          problem := 'the extension is there, but not for the owner of this schema to create';
          return;
        end;
      end if;
      select quote_ident(n.nspname), e.extversion,
          case when not has_schema_privilege(session_user, n.oid, 'usage')
            then 'the service may not use the schema that the extension is in' end
        into home, version, problem
        from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
    end $$`);
  await runner.query(`
    create function make_vector_table(dataset uuid, field smallint, dimensions int) returns void language plpgsql ${safely} as $$
    declare
      space uuid := nullif(current_setting('app.space_id', true), '')::uuid;
      name text := replace(check_record_table(dataset), 'ds_', 'dv_') || '_' || field;
      extension text := (select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        where e.extname = 'vector');
    begin
      execute format('drop table if exists %I', name);
      execute format('create table %I (space_id uuid not null, record_id uuid not null, revision int not null,
        embedding %s.vector(%s) not null, primary key (space_id, record_id))', name, extension, dimensions);
      execute format('comment on table %I is %L', name, space);
      execute format('alter table %I enable row level security', name);
      execute format('alter table %I force row level security', name);
      execute format($p$create policy tenant on %I to ${app} using (in_space(%L) or ${IN_SPACE}) with check (${IN_SPACE})$p$, name, space);
      execute format($p$create policy system on %I to ${system} using (true) with check (true)$p$, name);
      execute format('create index %I on %I using hnsw (embedding %s.vector_cosine_ops) with (m = 16, ef_construction = 100)',
        name || '_near', name, extension);
    end $$`);
  for (const call of ['enable_pgvector()', 'make_vector_table(uuid, smallint, int)']) {
    await runner.query(`revoke all on function ${call} from public`);
    await runner.query(`grant execute on function ${call} to ${app}, ${system}`);
  }
}
