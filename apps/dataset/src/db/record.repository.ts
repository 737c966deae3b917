import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { EVERYTHING, type Filter } from '@switchyard/kernel';
import type { Column, Layout } from '../domain/layout';
import { keyOf } from '../domain/plan-upsert';
import type { WrittenValues } from '../domain/read-records';
import type { OrderKey } from '../domain/sort';
import { fromSql, selected, SQL_TYPES, toBound } from './sql/column-value';
import { filterSql } from './sql/filter-sql';
import { afterSql, orderSql } from './sql/page-sql';
import { Params } from './sql/params';
import { recordReader, selectSql, type SqlRow } from './sql/read-sql';
import { deleteSql, insertSql, mergeSql, updateSql } from './sql/write-sql';

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

export interface Writer {
  spaceId: string;
  userId: string | null;
}

export interface NewRow {
  id: string;
  values: WrittenValues;
}

const statementName = (layout: Layout, verb: string): string => `${verb}-${layout.version}-${layout.table}`;

/** A row as the recordset of a statement reads it. */
const recordsetRow = (layout: Layout, row: NewRow): Record<string, unknown> => {
  const out: Record<string, unknown> = { id: row.id };
  let nulls: number[] | undefined;
  for (const column of layout.columns) {
    const value = row.values[column.sql];
    if (value === undefined) continue;
    if (value === null) (nulls ??= []).push(column.number);
    else out[column.sql] = column.type === 'datetime' ? (value as string).slice(0, -1) : value;
  }
  if (nulls !== undefined) out['z'] = nulls;
  return out;
};

@Injectable()
export class RecordRepository {
  async insert(tx: Tx, layout: Layout, writer: Writer, rows: readonly NewRow[]): Promise<void> {
    const json = JSON.stringify(rows.map((row) => recordsetRow(layout, row)));
    await tx.prepared(statementName(layout, 'i'), insertSql(layout), [
      writer.spaceId,
      layout.datasetId,
      writer.userId,
      json,
      rows.length,
    ]);
  }

  /** Changes only the columns that each row names. */
  async merge(tx: Tx, layout: Layout, writer: Writer, rows: readonly NewRow[]): Promise<void> {
    const numbers = new Map(layout.columns.map((column) => [column.sql, column.number]));
    const json = JSON.stringify(
      rows.map((row) => ({ ...recordsetRow(layout, row), p: Object.keys(row.values).map((sql) => numbers.get(sql)) })),
    );
    await tx.query(mergeSql(layout), [writer.spaceId, layout.datasetId, writer.userId, json]);
  }

  async update(tx: Tx, layout: Layout, writer: Writer, selection: Selection, values: WrittenValues): Promise<number> {
    const params = new Params();
    params.values.push(writer.spaceId, layout.datasetId, writer.userId);
    const where = whereSql(layout, selection, params);
    const row = await tx.one<{ n: number }>(updateSql(layout, values, where, params), params.values);
    return row?.n ?? 0;
  }

  async delete(tx: Tx, layout: Layout, spaceId: string, selection: Selection): Promise<number> {
    const params = new Params();
    params.values.push(spaceId, layout.datasetId);
    const row = await tx.one<{ n: number }>(deleteSql(layout, whereSql(layout, selection, params)), params.values);
    return row?.n ?? 0;
  }

  async page(tx: Tx, layout: Layout, spaceId: string, page: PageOf): Promise<StoredRecord[]> {
    const found: SqlRow[] = [];
    for (const condition of page.after === null ? [null] : afterSql(page.order, page.after)) {
      if (found.length >= page.limit) break;
      const params = new Params();
      params.values.push(spaceId);
      const where = [whereSql(layout, page, params)];
      if (condition !== null) where.push(condition(params));
      const limit = params.add(page.limit - found.length);
      const offset = page.offset > 0 ? ` offset ${params.add(page.offset)}` : '';
      const sql = `select ${selectSql(layout, page.fields)} from ${layout.table} r where ${where.join(' and ')} order by ${orderSql(page.order)} limit ${limit}${offset}`;
      found.push(...(await tx.query<SqlRow>(sql, params.values)));
    }
    return found.map(recordReader(layout, page.fields));
  }

  /** The records that a write is about to touch, as they are, held until it is done. */
  async lock(tx: Tx, layout: Layout, spaceId: string, selection: Selection, limit: number): Promise<StoredRecord[]> {
    const params = new Params();
    params.values.push(spaceId);
    const where = whereSql(layout, selection, params);
    const rows = await tx.query<SqlRow>(
      `select ${selectSql(layout, null)} from ${layout.table} r where ${where} order by r.id limit ${params.add(limit)} for update`,
      params.values,
    );
    return rows.map(recordReader(layout, null));
  }

  byIds(tx: Tx, layout: Layout, spaceId: string, ids: readonly string[]): Promise<StoredRecord[]> {
    return this.matching(tx, layout, spaceId, { ids, filter: EVERYTHING }, null);
  }

  async matching(tx: Tx, layout: Layout, spaceId: string, selection: Selection, fields: ReadonlySet<string> | null): Promise<StoredRecord[]> {
    const params = new Params();
    params.values.push(spaceId);
    const where = whereSql(layout, selection, params);
    const rows = await tx.query<SqlRow>(`select ${selectSql(layout, fields)} from ${layout.table} r where ${where}`, params.values);
    return rows.map(recordReader(layout, fields));
  }

  async idsOf(tx: Tx, layout: Layout, spaceId: string, filter: Filter, most: number): Promise<string[]> {
    const params = new Params();
    params.values.push(spaceId);
    const where = whereSql(layout, { ids: null, filter }, params);
    const sql = `select r.id from ${layout.table} r where ${where} limit ${params.add(most)}`;
    return (await tx.query<{ id: string }>(sql, params.values)).map((row) => row.id);
  }

  /** The ids of the records that have one of these values in a unique field, by the value's key. */
  async idsByKey(tx: Tx, layout: Layout, spaceId: string, column: Column, values: readonly unknown[], hold: boolean): Promise<Map<string, string>> {
    if (values.length === 0) return new Map();
    const bound = values.map((value) => toBound(column.type, value));
    const rows = await tx.query<{ id: string; key: unknown }>(
      `select r.id, ${selected(`r.${column.sql}`, column.type)} as key from ${layout.table} r
       where r.space_id = $1 and r.${column.sql} = any($2::${SQL_TYPES[column.type]}[]) order by r.id${hold ? ' for update' : ''}`,
      [spaceId, bound],
    );
    return new Map(rows.map((row) => [keyOf(column, fromSql(column.type, row.key)), row.id]));
  }

  async countAll(tx: Tx, layout: Layout, spaceId: string): Promise<number> {
    const [row] = await tx.prepared<{ n: number }>(
      'count-all',
      'select coalesce(sum(records), 0)::bigint as n from dataset_counts where space_id = $1 and dataset_id = $2',
      [spaceId, layout.datasetId],
    );
    return row?.n ?? 0;
  }

  async count(tx: Tx, layout: Layout, spaceId: string, filter: Filter): Promise<number> {
    const params = new Params();
    params.values.push(spaceId);
    const where = whereSql(layout, { ids: null, filter }, params);
    const row = await tx.one<{ n: number }>(`select count(*)::bigint as n from ${layout.table} r where ${where}`, params.values);
    return row?.n ?? 0;
  }
}

/** $1 is the Space in every statement. */
export function whereSql(layout: Layout, selection: Selection, params: Params): string {
  const parts = ['r.space_id = $1'];
  if (selection.ids !== null) parts.push(`r.id = any(${params.add(selection.ids)}::uuid[])`);
  const filter = filterSql(selection.filter, layout, params);
  if (filter !== 'true') parts.push(filter);
  return parts.join(' and ');
}
