import type { TestPlatform } from '@switchyard/testing';

export interface PlantableColumn {
  table: string;
  name: string;
  type: 'text' | 'json' | 'jsonb';
}

const MIB = 1024 * 1024;
/** More than a message between services may have. */
const PLANTED_BYTES = 17 * MIB;
/** The same tables in each service; `poisoned.faults-spec.ts` plants in those that work reads again. */
const EXCLUDED_TABLES = `('idempotency', 'outbox', 'dead_letter', 'inbox', 'inbox_failure', 'lost_work', 'running_work')`;

/** Every column of a table with a Space that can store a long value, as Postgres lists them now. */
export async function plantableColumns(platform: TestPlatform): Promise<PlantableColumn[]> {
  return platform.database.query<{ table: string; name: string; type: PlantableColumn['type'] }>(`
    select format('%I.%I', n.nspname, c.relname) as table, a.attname as name, t.typname as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where c.relkind in ('r', 'p') and not c.relispartition and t.typname in ('text', 'json', 'jsonb')
      and n.nspname not in ('pg_catalog', 'information_schema', 'public') and c.relname not in ${EXCLUDED_TABLES}
      and exists (select 1 from pg_attribute s where s.attrelid = c.oid and s.attname = 'space_id')
    order by 1, 2`);
}

/** A text of that size; JSON keeps its form and gets a long text, many values and a deep one. */
const plantedSql = ({ name, type }: PlantableColumn): string => {
  if (type === 'text') return `repeat('x', ${PLANTED_BYTES})`;
  const deep = `(repeat('[', 2000) || repeat(']', 2000))::jsonb`;
  const wide = `(select jsonb_agg(n) from generate_series(1, 300000) n)`;
  const value = `jsonb_build_object('planted', repeat('x', ${PLANTED_BYTES}), 'wide', ${wide}, 'deep', ${deep})`;
  const own = `${name}::jsonb`;
  // Nothing shows the form of a column that is null; this one is a list.
  const instead = name.endsWith('oversized') ? `jsonb_build_array(${value})` : value;
  return `(case jsonb_typeof(${own}) when 'object' then ${own} || ${value} when 'array' then ${own} || jsonb_build_array(${value}) else ${instead} end)::${type}`;
};

export type Planted =
  /** With what puts the former value back. */
  | { state: 'planted'; undo: () => Promise<void> }
  /** By an index, a check or a trigger of the database; or the Space has no such row. */
  | { state: 'refused' | 'no row' };

/** Plants the value in one row of the Space, if possible in one whose column has a value. */
export async function plant(platform: TestPlatform, column: PlantableColumn, spaceId: string): Promise<Planted> {
  const { table, name } = column;
  const query = platform.database.query.bind(platform.database);
  const before = `public.planted_${table.replace('.', '_')}_${name}`;
  const keys = await query<{ name: string }>(
    `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary`,
    [table],
  );
  const isSame = keys.map((key) => `t.${key.name} = b.${key.name}`).join(' and ');
  const columns = new Set([...keys.map((key) => key.name), name]);
  await query(`drop table if exists ${before}`);
  await query(
    `create table ${before} as select ${[...columns].join(', ')} from ${table}
     where space_id = '${spaceId}' order by ${name} is null limit 1`,
  );
  const undo = async (): Promise<void> => {
    await query(`update ${table} t set ${name} = b.${name} from ${before} b where ${isSame}`);
    await query(`drop table ${before}`);
  };
  const value = plantedSql({ ...column, name: `t.${name}` });
  try {
    const rows = await query(`update ${table} t set ${name} = ${value} from ${before} b where ${isSame} returning 1`);
    if (rows.length > 0) return { state: 'planted', undo };
  } catch {
    await query(`drop table ${before}`);
    return { state: 'refused' };
  }
  await query(`drop table ${before}`);
  return { state: 'no row' };
}

/** Removes all rows of the Space: work may have copied a planted value, and later files use the same platform. */
export async function removeRows(platform: TestPlatform, spaceId: string): Promise<void> {
  const tables = await platform.database.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
      and exists (select 1 from pg_attribute s where s.attrelid = c.oid and s.attname = 'space_id')`);
  const statements = tables.map(({ name }) => `delete from ${name} where space_id = '${spaceId}'`);
  // Without triggers and foreign keys, for which the order would matter.
  await platform.database.query(
    ['begin', 'set local session_replication_role = replica', ...statements, 'commit'].join(';\n'),
  );
}
