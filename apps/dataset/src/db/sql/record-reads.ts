import type { Read } from '@switchyard/database';
import { type Filter, isEverything } from '@switchyard/kernel';
import type { Layout } from '../../domain/table-layout';
import type { OrderKey } from '../../domain/sort-order';
import { filterSql } from './filter-sql';
import { limitPageBytes } from '../../domain/limit-page-bytes';
import { boundedSql, boundOf, guardSql, isCut, type PageBound } from './page-byte-limit-sql';
import { afterSql, orderSql } from './order-and-cursor-sql';
import { Params } from './sql-params';
import { recordReader, selectSql, type SqlRow } from './select-records-sql';

export type StoredRecord = Record<string, unknown>;

export interface Selection {
  ids: readonly string[] | null;
  filter: Filter;
}

export interface PageOf extends Selection {
  order: readonly OrderKey[];
  after: readonly unknown[] | null;
  offset: number;
  limit: number;
  fields: ReadonlySet<string> | null;
}

/** Statements that do not depend on one another, and what their rows mean together. */
export interface Reading<T> {
  reads: Read[];
  take: (rows: SqlRow[][]) => T;
  /** The statements return no rows if a record of the dataset is larger than this; null: no limit. */
  recordBytes: PageBound['recordBytes'];
}

/** A reading whose result is turned into another one. */
export const mapped = <T, U>({ reads, recordBytes, take }: Reading<T>, to: (found: T) => U): Reading<U> => ({
  reads,
  recordBytes,
  take: (rows) => to(take(rows)),
});

/**
 * Leaves out what an import has written that is not done: it is there, and not yet a record. Every statement that looks
 * for records looks through this, in its own snapshot, so that an import appears as a whole. Where no large import ever
 * was, there is nothing to leave out, and an index alone can answer. $1 is the Space. Written as a choice, because the
 * planner would take `import_id <> all (...)` for hardly any record of a table that was imported at once, and read all
 * of it for each page.
 */
export const shownSql = (layout: Layout): string =>
  !layout.hasPieces
    ? 'true'
    : `case when r.import_id is null then true else r.import_id <> all (array(${hiddenSql(layout)})) end`;

const hiddenSql = ({ datasetId }: Layout): string =>
  `select h.import_id from hidden_imports h where h.space_id = $1 and h.dataset_id = '${datasetId}'::uuid`;

/** $1 is the Space in every statement. */
export function whereSql(layout: Layout, selection: Selection, params: Params): string {
  const parts = ['r.space_id = $1', shownSql(layout)];
  if (selection.ids !== null) parts.push(`r.id = any(${params.add(selection.ids)}::uuid[])`);
  const filter = filterSql(selection.filter, layout, params);
  if (filter !== 'true') parts.push(filter);
  return parts.join(' and ');
}

export interface FoundPage {
  records: StoredRecord[];
  /** Whether there are more records after the last of these. */
  hasMore: boolean;
}

/** A page is one statement, or two where the rest of an order begins behind its nulls. */
export function pageReads(layout: Layout, spaceId: string, page: PageOf): Reading<FoundPage> {
  const bound = boundOf(layout, page.fields, page.limit + 1);
  const reads = (page.after === null ? [null] : afterSql(page.order, page.after)).map((condition) => {
    const params = new Params();
    params.values.push(spaceId);
    const where = [...guardSql(layout, bound), whereSql(layout, page, params)];
    if (condition !== null) where.push(condition(params));
    const limit = params.add(page.limit + 1);
    const offset = page.offset > 0 ? ` offset ${params.add(page.offset)}` : '';
    const from = `${layout.table} r where ${where.join(' and ')} order by ${orderSql(page.order)} limit ${limit}${offset}`;
    return {
      sql: boundedSql(bound, selectSql(layout, page.fields), from, orderSql(page.order)),
      params: params.values,
    };
  });
  const read = recordReader(layout, page.fields);
  return {
    reads,
    recordBytes: bound.recordBytes,
    take: (statements) => {
      const rows: SqlRow[] = [];
      for (const found of statements) {
        rows.push(...found);
        if (isCut(found)) break;
      }
      const shown = limitPageBytes(rows.slice(0, page.limit).map(read));
      return { records: shown, hasMore: rows.length > shown.length || isCut(rows) };
    },
  };
}

/** Records by their ids, in the order of these, up to what one answer can carry. */
export function rankedReads(
  layout: Layout,
  spaceId: string,
  { ids, filter, fields }: { ids: readonly string[]; filter: Filter; fields: ReadonlySet<string> | null },
): Reading<StoredRecord[]> {
  const params = new Params();
  params.values.push(spaceId);
  const bound = boundOf(layout, fields, ids.length);
  const where = [...guardSql(layout, bound), whereSql(layout, { ids, filter }, params)];
  const order = `array_position(${params.add(ids)}::uuid[], r.id)`;
  const from = `${layout.table} r where ${where.join(' and ')} order by ${order}`;
  const read = recordReader(layout, fields);
  return {
    reads: [{ sql: boundedSql(bound, selectSql(layout, fields), from, order), params: params.values }],
    recordBytes: bound.recordBytes,
    take: (rows) => (rows[0] ?? []).map(read),
  };
}

export function matchingReads(
  layout: Layout,
  spaceId: string,
  selection: Selection,
  fields: ReadonlySet<string> | null,
): Reading<StoredRecord[]> {
  const params = new Params();
  params.values.push(spaceId);
  const where = whereSql(layout, selection, params);
  const sql = `select ${selectSql(layout, fields)} from ${layout.table} r where ${where}`;
  const read = recordReader(layout, fields);
  return { reads: [{ sql, params: params.values }], recordBytes: null, take: (rows) => (rows[0] ?? []).map(read) };
}

/** Exact either way: all records are counted as they are written, a part of them is counted when asked for. */
export function countReads(layout: Layout, spaceId: string, filter: Filter): Reading<number> {
  const take = (rows: SqlRow[][]): number => (rows[0]?.[0]?.['n'] ?? 0) as number;
  if (isEverything(filter)) {
    const sql =
      'select coalesce(sum(records), 0)::bigint as n from dataset_counts where space_id = $1 and dataset_id = $2';
    return { reads: [{ name: 'count-all', sql, params: [spaceId, layout.datasetId] }], recordBytes: null, take };
  }
  const params = new Params();
  params.values.push(spaceId);
  const counted = (seen: Layout): string =>
    `select count(*)::bigint as n from ${layout.table} r where ${whereSql(seen, { ids: null, filter }, params)}`;
  // Where no import runs, an index alone can answer. Whether one does is seen in the same snapshot as the records.
  const all = counted({ ...layout, hasPieces: false });
  const sql = layout.hasPieces
    ? `select case when exists (${hiddenSql(layout)}) then (${counted(layout)}) else (${all}) end as n`
    : all;
  return { reads: [{ sql, params: params.values }], recordBytes: null, take };
}
