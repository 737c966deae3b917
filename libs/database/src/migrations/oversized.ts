import { OVERSIZED_FACTOR } from '@switchyard/contracts';
import type { QueryRunner } from 'typeorm';

/** A field with a size limit. `value`: jsonb expression over the row's columns. */
export interface WeighedField {
  path: string;
  value: string;
  limit: number;
}

export interface WeighedTable {
  table: string;
  /** Columns of the fields: writing one of them measures the row again. */
  columns: readonly string[];
  fields: readonly WeighedField[];
  /** SQL for other columns of a row that is too large to be read. */
  whenFar?: Readonly<Record<string, string>>;
  /** For frequent inserts of callers' values: small ones skip the trigger. */
  skipsSmallInserts?: boolean;
}

/** Upper bound of a text's JSON size to its size in the database (a control character takes six). */
const ESCAPED_FACTOR = 8;

/** Whether a mark's field is too large to be read. */
const isFarSql = (field: string): string =>
  `(${field} ->> 'bytes')::bigint > ${OVERSIZED_FACTOR} * (${field} ->> 'limit')::bigint`;

/** The column, or `empty` if it is too large to be read. */
export const readableSql = (column: string, empty: string, row = ''): string =>
  `case when ${row}oversized is null or not exists (
     select 1 from jsonb_array_elements(${row}oversized) field where field ->> 'path' = '${column}' and ${isFarSql('field')})
   then ${row}${column} else ${empty} end`;

/** As `readableSql`, for a column that contains all fields. */
export const readableFieldsSql = (column: string): string =>
  `(case when oversized is null then ${column} else ${column} - array(
     select field ->> 'path' from jsonb_array_elements(oversized) field where ${isFarSql('field')}) end)`;

/** Postgres writes JSON with a space after each comma and colon; there are no other blanks outside of texts. */
const BYTES_OVER = `
  create or replace function bytes_over(value jsonb, max int) returns int language plpgsql immutable parallel safe as $$
  declare
    written text := value::text;
    bytes int := octet_length(written);
  begin
    if bytes is null or bytes <= max then return null; end if;
    if bytes <= 2 * ${OVERSIZED_FACTOR} * max then
      written := regexp_replace(written, '"(\\\\.|[^"\\\\])*"', '', 'g');
      bytes := bytes - length(written) + length(replace(written, ' ', ''));
    end if;
    return case when bytes > max then bytes end;
  end $$`;

/**
 * Maintains the column `oversized` of a table by a trigger: a list of `{path, bytes, limit}`, largest first, of fields
 * over their limits, and null without any. It covers every writer, and a field that becomes smaller loses its mark.
 */
export async function createOversizedMark(runner: QueryRunner, weighed: WeighedTable): Promise<void> {
  const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
  const schema = row?.schema ?? 'public';
  const { table, columns, fields, whenFar = {}, skipsSmallInserts = false } = weighed;
  const rows = fields.map(
    ({ path, value, limit }) => `('${path}', ${schema}.bytes_over(${value}, ${limit}), ${limit})`,
  );
  await runner.query(BYTES_OVER);
  await runner.query(`
    create function oversized_of_${table}(${columns.map((name) => `${name} jsonb`).join(', ')}) returns jsonb
    language sql immutable parallel safe as $$
      select jsonb_agg(jsonb_build_object('path', path, 'bytes', bytes, 'limit', max) order by bytes::float / max desc)
        from (values ${rows.join(', ')}) as field (path, bytes, max) where bytes is not null
    $$`);
  const far = Object.entries(whenFar).map(([column, value]) => `new.${column} := ${value};`);
  await runner.query(`
    create function keep_oversized_of_${table}() returns trigger language plpgsql as $$
    begin
      new.oversized := ${schema}.oversized_of_${table}(${columns.map((name) => `new.${name}`).join(', ')});
      ${far.length > 0 ? `if ${isFarSql('new.oversized -> 0')} then ${far.join(' ')} end if;` : ''}
      return new;
    end $$`);
  await runner.query(
    `create trigger keep_oversized before ${skipsSmallInserts ? '' : 'insert or '}update of ${columns.join(', ')} on ${table}
       for each row execute function keep_oversized_of_${table}()`,
  );
  if (!skipsSmallInserts) return;
  const smallest = Math.floor(Math.min(...fields.map(({ limit }) => limit)) / ESCAPED_FACTOR);
  await runner.query(
    `create trigger keep_oversized_of_new before insert on ${table} for each row
       when (${columns.map((name) => `pg_column_size(new.${name}) > ${smallest}`).join(' or ')})
       execute function keep_oversized_of_${table}()`,
  );
}
