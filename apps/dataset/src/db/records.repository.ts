import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { EVERYTHING, type Filter } from '@switchyard/kernel';
import { type Column, type Layout, takesTurns } from '../domain/table-layout';
import { keyOf } from '../domain/plan-upsert';
import { grownTooLarge } from '../domain/record-size-limits';
import type { WrittenValues } from '../domain/parse-records';
import { refuseIfGone } from './dataset.repository';
import { fromSql, selected, SQL_TYPES, toBound } from './sql/column-types-sql';
import { boundedSql, boundOf, isCut } from './sql/page-byte-limit-sql';
import { Params } from './sql/sql-params';
import { recordReader, selectSql, type SqlRow } from './sql/select-records-sql';
import {
  type FoundPage,
  matchingReads,
  type PageOf,
  pageReads,
  type Selection,
  shownSql,
  type StoredRecord,
  whereSql,
} from './sql/record-reads';
import {
  type Added,
  countedSql,
  deleteHiddenSql,
  deleteSql,
  embedLaterSql,
  insertSql,
  mergeSql,
  updateSql,
} from './sql/insert-and-update-sql';

export interface Writer {
  spaceId: string;
  userId: string | null;
}

export interface NewRow {
  id: string;
  values: WrittenValues;
}

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
export class RecordsRepository {
  /** Says whether it may have waited: then what was read before may have changed. `WriteQueue` waits before it. */
  async takeTurn(tx: Tx, layout: Layout, records: number): Promise<boolean> {
    if (!takesTurns(layout, records)) return false;
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 73007))', [layout.datasetId]);
    return true;
  }

  async insert(tx: Tx, layout: Layout, writer: Writer, rows: readonly NewRow[]): Promise<void> {
    const json = JSON.stringify(rows.map((row) => recordsetRow(layout, row)));
    await tx.query(insertSql(layout, 'counted'), [writer.spaceId, layout.datasetId, writer.userId, json]);
  }

  /**
   * For long transactions: the counter is a row that other writers need, and is held from `count` to the commit. Gives
   * what there is to count.
   */
  async insertUncounted(tx: Tx, layout: Layout, writer: Writer, rows: readonly NewRow[]): Promise<Added> {
    const json = JSON.stringify(rows.map((row) => recordsetRow(layout, row)));
    const sql = insertSql(layout, 'uncounted');
    const row = await tx.one<Added>(sql, [writer.spaceId, layout.datasetId, writer.userId, json]);
    return row ?? { bytes: 0, largest: 0 };
  }

  /** Inserts rows of an import, hidden until it is complete and not embedded yet. Returns the counts. */
  async insertHidden(
    tx: Tx,
    layout: Layout,
    writer: Writer,
    importId: string,
    rows: readonly NewRow[],
  ): Promise<Added> {
    const json = JSON.stringify(rows.map((row) => recordsetRow(layout, row)));
    const sql = insertSql(layout, 'hidden');
    const row = await tx.one<Added>(sql, [writer.spaceId, layout.datasetId, writer.userId, json, importId]);
    return row ?? { bytes: 0, largest: 0 };
  }

  async deleteHidden(tx: Tx, layout: Layout, spaceId: string, importId: string, ids: readonly string[]): Promise<void> {
    await tx.run(deleteHiddenSql(layout, 'r.id = any($4::uuid[])'), [spaceId, layout.datasetId, importId, ids]);
  }

  /**
   * Those whose ids are not known any more, by a look at so many records after an id. Says how far it came; null at the
   * end.
   */
  async deleteHiddenAfter(
    tx: Tx,
    layout: Layout,
    { spaceId, importId, after }: { spaceId: string; importId: string; after: string | null },
    most: number,
  ): Promise<string | null> {
    const rows = await tx.query<{ id: string }>(
      `select id from ${layout.table} where space_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
      [spaceId, after, most],
    );
    await this.deleteHidden(
      tx,
      layout,
      spaceId,
      importId,
      rows.map((row) => row.id),
    );
    return rows.length === most ? (rows.at(-1)?.id ?? null) : null;
  }

  /** Queues the texts of records that have just become visible. */
  async embedLater(tx: Tx, layout: Layout, writer: Writer, ids: readonly string[]): Promise<void> {
    for (const column of layout.vector)
      await tx.run(embedLaterSql(layout, column), [writer.spaceId, layout.datasetId, writer.userId, ids]);
  }

  async count(tx: Tx, layout: Layout, spaceId: string, more: Added & { records: number }): Promise<void> {
    await tx.run(countedSql, [spaceId, layout.datasetId, more.records, more.bytes, more.largest]);
  }

  /** Changes only the columns that each row names. Says by how many bytes the records have grown. */
  async merge(tx: Tx, layout: Layout, writer: Writer, rows: readonly NewRow[]): Promise<number> {
    const numbers = new Map(layout.columns.map((column) => [column.sql, column.number]));
    const json = JSON.stringify(
      rows.map((row) => ({ ...recordsetRow(layout, row), p: Object.keys(row.values).map((sql) => numbers.get(sql)) })),
    );
    const params = [writer.spaceId, layout.datasetId, writer.userId, json];
    const row = await tx.one<{ bytes: number; isTooLarge: boolean }>(mergeSql(layout), params);
    if (row?.isTooLarge === true) throw grownTooLarge('records');
    return row?.bytes ?? 0;
  }

  /** Whether more records than these would change. */
  async isOver(tx: Tx, layout: Layout, spaceId: string, selection: Selection, most: number): Promise<boolean> {
    const params = new Params();
    params.values.push(spaceId);
    const where = whereSql(layout, selection, params);
    const row = await tx.one<{ n: number }>(
      `select count(*)::int as n from (select 1 from ${layout.table} r where ${where} limit ${params.add(most + 1)}) found`,
      params.values,
    );
    return (row?.n ?? 0) > most;
  }

  async update(
    tx: Tx,
    layout: Layout,
    writer: Writer,
    selection: Selection,
    values: WrittenValues,
  ): Promise<{ records: number; bytes: number }> {
    const params = new Params();
    params.values.push(writer.spaceId, layout.datasetId, writer.userId);
    const where = whereSql(layout, selection, params);
    const sql = updateSql(layout, values, where, params);
    const row = await tx.one<{ n: number; bytes: number; isTooLarge: boolean }>(sql, params.values);
    if (row?.isTooLarge === true) throw grownTooLarge('set');
    return { records: row?.n ?? 0, bytes: row?.bytes ?? 0 };
  }

  async delete(tx: Tx, layout: Layout, spaceId: string, selection: Selection): Promise<number> {
    const params = new Params();
    params.values.push(spaceId, layout.datasetId);
    const row = await tx.one<{ n: number }>(deleteSql(layout, whereSql(layout, selection, params)), params.values);
    return row?.n ?? 0;
  }

  async page(tx: Tx, layout: Layout, spaceId: string, page: PageOf): Promise<FoundPage> {
    const { reads, take } = pageReads({ ...layout, largestRecord: Infinity }, spaceId, page);
    const found: SqlRow[][] = [];
    for (const read of reads) found.push(await tx.query<SqlRow>(read.sql, read.params).catch(refuseIfGone));
    return take(found);
  }

  /**
   * The next records that a write is about to touch, as they are, locked until it is done: in the order of their ids,
   * and no more than so many or so many bytes.
   */
  async lock(
    tx: Tx,
    layout: Layout,
    spaceId: string,
    selection: Selection,
    piece: { after: string | null; limit: number; bytes: number },
  ): Promise<FoundPage> {
    const params = new Params();
    params.values.push(spaceId);
    const where = [whereSql(layout, selection, params)];
    if (piece.after !== null) where.push(`r.id > ${params.add(piece.after)}::uuid`);
    const from = `${layout.table} r where ${where.join(' and ')} order by r.id limit ${params.add(piece.limit)} for update`;
    const bound = boundOf({ ...layout, largestRecord: Infinity }, null, piece.limit);
    const sql = boundedSql(bound, selectSql(layout, null), from, 'r.id', piece.bytes);
    const rows = await tx.query<SqlRow>(sql, params.values);
    const hasMore = rows.length === piece.limit || isCut(rows);
    return { records: rows.map(recordReader(layout, null)), hasMore };
  }

  byIds(tx: Tx, layout: Layout, spaceId: string, ids: readonly string[]): Promise<StoredRecord[]> {
    return this.matching(tx, layout, spaceId, { ids, filter: EVERYTHING }, null);
  }

  async matching(
    tx: Tx,
    layout: Layout,
    spaceId: string,
    selection: Selection,
    fields: ReadonlySet<string> | null,
  ): Promise<StoredRecord[]> {
    const { reads, take } = matchingReads(layout, spaceId, selection, fields);
    return take([await tx.query<SqlRow>(reads[0]?.sql ?? '', reads[0]?.params)]);
  }

  /** A page of the records that fulfil a filter, in the order of their ids. */
  async idsOf(
    tx: Tx,
    layout: Layout,
    spaceId: string,
    filter: Filter,
    page: { after: string | null; limit: number },
  ): Promise<string[]> {
    const params = new Params();
    params.values.push(spaceId);
    const where = [whereSql(layout, { ids: null, filter }, params)];
    if (page.after !== null) where.push(`r.id > ${params.add(page.after)}::uuid`);
    const sql = `select r.id from ${layout.table} r where ${where.join(' and ')} order by r.id limit ${params.add(page.limit)}`;
    const rows = await tx.query<{ id: string }>(sql, params.values).catch(refuseIfGone);
    return rows.map((row) => row.id);
  }

  /** Which of these values of a unique field are taken, also by hidden records. */
  async takenKeys(tx: Tx, layout: Layout, spaceId: string, column: Column, values: unknown[]): Promise<Set<string>> {
    const bound = values.map((value) => toBound(column.type, value));
    const rows = await tx.query<{ key: unknown }>(
      `select ${selected(`r.${column.sql}`, column.type)} as key from ${layout.table} r
       where r.space_id = $1 and r.${column.sql} = any($2::${SQL_TYPES[column.type]}[])`,
      [spaceId, bound],
    );
    return new Set(rows.map((row) => keyOf(column, fromSql(column.type, row.key))));
  }

  /** The ids of the records that have one of these values in a unique field, by the value's key. */
  async idsByKey(
    tx: Tx,
    layout: Layout,
    spaceId: string,
    column: Column,
    values: readonly unknown[],
    hold: boolean,
  ): Promise<Map<string, string>> {
    if (values.length === 0) return new Map();
    const bound = values.map((value) => toBound(column.type, value));
    const rows = await tx
      .query<{ id: string; key: unknown }>(
        `select r.id, ${selected(`r.${column.sql}`, column.type)} as key from ${layout.table} r
       where r.space_id = $1 and ${shownSql(layout)} and r.${column.sql} = any($2::${SQL_TYPES[column.type]}[]) order by r.id${hold ? ' for update' : ''}`,
        [spaceId, bound],
      )
      .catch(refuseIfGone);
    return new Map(rows.map((row) => [keyOf(column, fromSql(column.type, row.key)), row.id]));
  }
}
