import type { Column, Layout } from '../../domain/table-layout';
import { RECORD_BYTES } from '../../domain/record-size-limits';
import { SQL_TYPES, toBound } from './column-types-sql';
import type { Params } from './sql-params';
import { storedBytesSql } from './stored-bytes-sql';
import { wordsSql } from './text-search-sql';

/** Times of records, to the millisecond that callers see. */
const NOW = `date_trunc('milliseconds', clock_timestamp() at time zone 'UTC')`;

/** The rows of `$n` as a relation `x`: id, the columns, `z` (explicit nulls), `p` (the columns that were given). */
const rowsSql = (layout: Layout, param: string): string => {
  const columns = layout.columns.map((column) => `${column.sql} ${SQL_TYPES[column.type]}`);
  return `json_to_recordset(${param}::json) as x(${['id uuid', 'z smallint[]', 'p smallint[]', ...columns].join(', ')})`;
};

const names = (layout: Layout): string => layout.columns.map((column) => `, ${column.sql}`).join('');

/** New keys are taken in one order too: who inserts the same key waits for the other's end. */
function keyOrder(layout: Layout): string {
  const keys = layout.columns.filter((column) => column.field.unique === true);
  return keys.length === 0 ? '' : ` order by ${keys.map((column) => `x.${column.sql}`).join(', ')}`;
}

/**
 * Rows add this to the counts of their dataset: `largest` is the size of the largest that was inserted or has grown.
 */
export interface Added {
  bytes: number;
  largest: number;
}

/**
 * Counts live in a few slots, so that writers of one dataset do not wait for each other. A write that changes no count
 * takes no slot. The slots below 8 are those of versions that do not note how large the largest record is.
 */
const countSql = (more: string): string =>
  `insert into dataset_counts as n (space_id, dataset_id, slot, records, bytes, largest)
   select $1, $2, 8 + pg_backend_pid() % 8, more.records, more.bytes, more.largest from (${more}) more
   where more.records <> 0 or more.bytes <> 0 or more.largest > 0
   on conflict (space_id, dataset_id, slot) do update
     set records = n.records + excluded.records, bytes = n.bytes + excluded.bytes, largest = greatest(n.largest, excluded.largest)`;

const SUM_OF_BYTES = 'coalesce(sum(bytes), 0)::bigint';
const LARGEST_NEW = 'coalesce(max(bytes), 0)';
/** Records that were changed: only one that has grown can be the largest. */
const GROWN = `select 0 as records, ${SUM_OF_BYTES} as bytes, coalesce(max(size) filter (where bytes > 0), 0) as largest from w`;
const UPDATED = `select count(*)::int as n, ${SUM_OF_BYTES} as bytes,
  coalesce(bool_or(size > ${RECORD_BYTES} and bytes > 0), false) as is_too_large from w`;

/** Gives the fixed parameters their types in statements that happen not to use them. */
const FIXED = 'fixed as (select $1::uuid, $2::uuid, $3::uuid)';

const vectorSql = (column: Column, from: string, where: string): string =>
  `insert into record_vectors as v (space_id, dataset_id, record_id, field, actor)
   select $1, $2, ${from}.id, ${column.number}, $3 from ${from} where ${where} order by ${from}.id
   on conflict (space_id, dataset_id, record_id, field) do update
     set state = 'PENDING', revision = v.revision + 1, attempts = 0, losses = 0, worker = null,
       due_at = clock_timestamp(), actor = excluded.actor`;

const dropVectorsSql = (from: string, where = 'true'): string =>
  `update record_vectors v set state = 'GONE', revision = v.revision + 1, vector = null, changed_in = pg_current_xact_id(),
     worker = null, due_at = clock_timestamp()
   from (select h.record_id, h.field from record_vectors h
     where h.space_id = $1 and h.dataset_id = $2 and h.record_id in (select id from ${from}) and ${where}
     order by h.record_id, h.field for update) held
   where v.space_id = $1 and v.dataset_id = $2 and v.record_id = held.record_id and v.field = held.field`;

/** $1 Space, $2 dataset, $3 how many records more or fewer, $4 how many bytes, $5 how large the largest is. */
export const countedSql = countSql('select $3::bigint as records, $4::bigint as bytes, $5::int as largest');

/**
 * $1 Space, $2 dataset, $3 user, $4 rows, $5 import of hidden rows. The counter is taken when the rows are in: last, as
 * by every writer. Rows that are not counted give what there is to count. Hidden rows are embedded when they are shown.
 */
export function insertSql(layout: Layout, how: 'counted' | 'uncounted' | 'hidden'): string {
  const isCounted = how === 'counted';
  const isHidden = how === 'hidden';
  const embedded = isHidden ? [] : layout.vector;
  const vectors = embedded.map(
    (column, index) => `, v${index} as (${vectorSql(column, 'x', `x.${column.sql} is not null`)})`,
  );
  const words = layout.fullText.length > 0;
  return `with ${FIXED}, x as materialized (select * from ${rowsSql(layout, '$4')}),
    w as (insert into ${layout.table} (space_id, id, created_at, updated_at, nulls${names(layout)}${words ? ', words' : ''}${isHidden ? ', import_id' : ''})
      select $1, x.id, t.now, t.now, x.z${layout.columns.map((column) => `, x.${column.sql}`).join('')}${
        words ? `, ${wordsSql(layout, (column) => `x.${column.sql}`)}` : ''
      }${isHidden ? ', $5::uuid' : ''} from x, (select ${NOW} as now) t${keyOrder(layout)} returning ${storedBytesSql(layout.columns, (column) => column.sql)} as bytes)${vectors.join('')}
    ${
      isCounted
        ? countSql(`select count(*) as records, ${SUM_OF_BYTES} as bytes, ${LARGEST_NEW} as largest from w`)
        : `select ${SUM_OF_BYTES} as bytes, ${LARGEST_NEW} as largest from w`
    }`;
}

/** $1 to $3 as for an insert, $4 ids. A text that was changed since is queued already. */
export const embedLaterSql = (layout: Layout, column: Column): string =>
  `insert into record_vectors (space_id, dataset_id, record_id, field, actor)
   select $1, $2, r.id, ${column.number}, $3 from ${layout.table} r
   where r.space_id = $1 and r.id = any($4::uuid[]) and r.${column.sql} is not null order by r.id
   on conflict do nothing`;

/**
 * Merges rows into records that exist: only the columns in `p` change. $1 to $4 as for an insert. A record that grew
 * beyond the limit is too large; one of before that is larger may still change in other fields.
 */
export function mergeSql(layout: Layout): string {
  const value = (column: Column): string =>
    `case when ${column.number} = any(x.p) then x.${column.sql} else r.${column.sql} end`;
  const sets = layout.columns.map((column) => `${column.sql} = ${value(column)}`);
  if (layout.fullText.length > 0) sets.push(`words = ${wordsSql(layout, value)}`);
  const nulls = `nullif(array(select u from unnest(r.nulls) u where u <> all(x.p)) || coalesce(x.z, '{}'), '{}')`;
  const vectors = layout.vector.flatMap((column, index) => [
    `, v${index} as (${vectorSql(column, 'x', `${column.number} = any(x.p) and x.${column.sql} is not null`)})`,
    `, g${index} as (${dropVectorsSql(`(select x.id from x where ${column.number} = any(x.p) and x.${column.sql} is null) gone`, `h.field = ${column.number}`)})`,
  ]);
  const bytesOf = (row: string): string => storedBytesSql(layout.columns, (column) => `${row}.${column.sql}`);
  return `with ${FIXED}, x as materialized (select * from ${rowsSql(layout, '$4')}),
    old as materialized (select r.id, ${bytesOf('r')} as bytes from x join ${layout.table} r on r.space_id = $1 and r.id = x.id),
    w as (update ${layout.table} r set updated_at = ${NOW}, nulls = ${nulls}, ${sets.join(', ')}
      from x join old on old.id = x.id where r.space_id = $1 and r.id = x.id
      returning r.id, ${bytesOf('r')} - old.bytes as bytes, ${bytesOf('r')} as size)${vectors.join('')},
    n as (${countSql(GROWN)})
    ${UPDATED}`;
}

/**
 * One set of new values for every record that `where` finds. All writers hold records in the order of their ids, so
 * that no two wait for each other. $1 Space, $2 dataset, $3 user are in `params` already.
 */
export function updateSql(layout: Layout, values: Record<string, unknown>, where: string, params: Params): string {
  const touched = layout.columns.filter((column) => values[column.sql] !== undefined);
  const bound = new Map<string, string>();
  for (const column of touched) {
    const value = values[column.sql];
    const param = params.add(value === null ? null : toBound(column.type, value));
    bound.set(column.sql, `${param}::${SQL_TYPES[column.type]}`);
  }
  const valueOf = (column: Column): string => bound.get(column.sql) ?? `r.${column.sql}`;
  const sets = touched.map((column) => `${column.sql} = ${valueOf(column)}`);
  if (touched.some((column) => column.field.fullText === true)) sets.push(`words = ${wordsSql(layout, valueOf)}`);
  const numbers = params.add(touched.map((column) => column.number));
  const nulled = params.add(touched.filter((column) => values[column.sql] === null).map((column) => column.number));
  const nulls = `nullif(array(select u from unnest(r.nulls) u where u <> all(${numbers}::smallint[])) || ${nulled}::smallint[], '{}')`;
  const embedded = touched.filter((column) => column.field.vector === true);
  const vectors = embedded.map((column, index) =>
    values[column.sql] === null
      ? `, v${index} as (${dropVectorsSql('w', `h.field = ${column.number}`)})`
      : `, v${index} as (${vectorSql(column, 'hit', `hit.t${column.number}`)})`,
  );
  const changes = embedded.map(
    (column) => `, r.${column.sql} is distinct from ${valueOf(column)} as t${column.number}`,
  );
  const bytesOf = (columns: readonly Column[]): string => storedBytesSql(columns, (column) => `r.${column.sql}`);
  return `with ${FIXED}, hit as (select r.id, ${bytesOf(touched)} as bytes${changes.join('')} from ${layout.table} r where ${where} order by r.id for update),
    w as (update ${layout.table} r set updated_at = ${NOW}, nulls = ${nulls}, ${sets.join(', ')}
      from hit where r.space_id = $1 and r.id = hit.id
      returning r.id, ${bytesOf(touched)} - hit.bytes as bytes, ${bytesOf(layout.columns)} as size)${vectors.join('')},
    n as (${countSql(GROWN)})
    ${UPDATED}`;
}

/** Rows of an import that are not shown: $1 Space, $2 dataset, $3 import. Their bytes are counted, they are not. */
export const deleteHiddenSql = (layout: Layout, where: string): string =>
  `with w as (delete from ${layout.table} r where r.space_id = $1 and r.import_id = $3 and ${where}
     returning ${storedBytesSql(layout.columns, (column) => `r.${column.sql}`)} as bytes)
   ${countSql(`select 0 as records, -${SUM_OF_BYTES} as bytes, 0 as largest from w`)}`;

/** $1 Space, $2 dataset. */
export function deleteSql(layout: Layout, where: string): string {
  const vectors = layout.vector.length > 0 ? `, v as (${dropVectorsSql('w')})` : '';
  return `with fixed as (select $2::uuid), hit as (select r.id from ${layout.table} r where ${where} order by r.id for update),
    w as (delete from ${layout.table} r using hit where r.space_id = $1 and r.id = hit.id
      returning r.id, ${storedBytesSql(layout.columns, (column) => `r.${column.sql}`)} as bytes)${vectors},
    n as (${countSql(`select -count(*) as records, -${SUM_OF_BYTES} as bytes, 0 as largest from w`)})
    select count(*)::int as n from w`;
}
