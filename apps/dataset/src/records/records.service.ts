import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  type DeleteRecords,
  type Inserted,
  type InsertRecords,
  requireSpace,
  type UpdateRecords,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { EVERYTHING, invalid, newId } from '@switchyard/kernel';
import { mapWriteError } from '../db/map-write-error';
import { LayoutCache, type WriteLayout } from '../db/layout-cache';
import { type NewRow, RecordsRepository, type Writer } from '../db/records.repository';
import { RecordWritesRepository } from '../db/record-writes.repository';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import type { Selection } from '../db/sql/record-reads';
import { checkRecordSize, checkSizes, mostUpdated, storedBytes, updateTooLarge } from '../domain/record-size-limits';
import { readRecords, readValues, withDefaults, type WrittenValues } from '../domain/parse-records';
import { StorageQuota, type StorageCeilings } from '../storage/storage-quota';
import { Embedder } from '../vectors/embedder';
import { ChangePublisher } from './change-publisher';
import { selectionOf } from './record-selection';
import { UpsertService } from './upsert.service';
import { EventedWrites } from './evented-writes';
import { WriteQueue } from './write-queue';

/** Inserts, updates and deletes: each all or nothing, each announced to those who watch. */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly records: RecordsRepository,
    private readonly upserts: UpsertService,
    private readonly watched: EventedWrites,
    private readonly changePublisher: ChangePublisher,
    private readonly embedder: Embedder,
    private readonly writes: RecordWritesRepository,
    private readonly turns: WriteQueue,
    private readonly storage: StorageQuota,
  ) {}

  async insert(ctx: Ctx, request: InsertRecords): Promise<Inserted> {
    const ceilings = await this.storage.ceilingsOf(requireSpace(ctx));
    return this.turns.take(requireSpace(ctx), request, () =>
      request.onConflict === undefined
        ? retryOnDeadlock(() => this.database.once(ctx, (tx) => this.insertIn(tx, ctx, request, ceilings)))
        : this.upserts.upsert(ctx, request, request.onConflict, ceilings),
    );
  }

  private insertIn(
    tx: Tx,
    ctx: Ctx,
    { datasetId, records }: InsertRecords,
    ceilings: StorageCeilings,
  ): Promise<Inserted> {
    return this.writing(tx, ctx, datasetId, async (found) => {
      const hasWaited = await this.records.takeTurn(tx, found.layout, records.length);
      const write = hasWaited ? await this.layoutCache.forWriting(tx, requireSpace(ctx), datasetId) : found;
      const { layout } = write;
      const rows = readRecords(layout, records).map((values) => ({
        id: newId(),
        values: withDefaults(layout, values),
      }));
      const values = rows.map((row) => row.values);
      checkSizes(layout, values, (index) => `records[${index}]`);
      const more = { records: rows.length, bytes: storedBytes(layout, values) };
      await this.storage.check(tx, requireSpace(ctx), more, ceilings);
      await this.writes.noting(tx, ctx, { datasetId, operation: 'insert' }, async (noted) => {
        await this.insertRows(tx, noted, write, rows);
        return rows.length;
      });
      return { inserted: rows.length, updated: 0, skipped: 0, ids: rows.map((row) => row.id) };
    });
  }

  private async insertRows(tx: Tx, ctx: Ctx, write: WriteLayout, rows: readonly NewRow[]): Promise<void> {
    await this.records.insert(tx, write.layout, writerOf(ctx), rows);
    await this.announceInserted(tx, ctx, write, rows);
  }

  async announceInserted(
    tx: Tx,
    ctx: Ctx,
    { layout, watched }: WriteLayout,
    rows: readonly { id: string }[],
  ): Promise<void> {
    if (!watched.has('insert')) return;
    const after = await this.watched.rowsAsTheyAre(
      tx,
      layout,
      requireSpace(ctx),
      rows.map((row) => row.id),
    );
    await this.changePublisher.announce(
      tx,
      ctx,
      layout.datasetId,
      'insert',
      after.map((row) => ({ id: row.id, before: null, after: row.record })),
    );
  }

  async update(ctx: Ctx, request: UpdateRecords): Promise<{ updated: number }> {
    const spaceId = requireSpace(ctx);
    const ceilings = await this.storage.ceilingsOf(spaceId);
    return retryOnDeadlock(() =>
      this.database.once(ctx, (tx) =>
        this.writing(tx, ctx, request.datasetId, async ({ layout, watched }) => {
          const values = readValues(layout, request.set, () => 'set');
          if (Object.keys(values).length === 0) throw invalid('set', 'must hold at least one field');
          checkRecordSize(layout, values, 'set');
          const selection = selectionOf(layout, request);
          const most = mostUpdated(layout, values);
          if (most !== null && (await this.records.isOver(tx, layout, spaceId, selection, most)))
            throw updateTooLarge(most);
          let updated = 0;
          await this.writes.noting(tx, ctx, { datasetId: layout.datasetId, operation: 'update' }, async (noted) => {
            const change = { selection, values, ceilings };
            updated = await this.updateSelected(tx, noted, { layout, watched }, change);
            return updated;
          });
          return { updated };
        }),
      ),
    );
  }

  delete(ctx: Ctx, request: DeleteRecords): Promise<{ deleted: number }> {
    return retryOnDeadlock(() =>
      this.database.once(ctx, (tx) =>
        this.writing(tx, ctx, request.datasetId, async ({ layout, watched }) => {
          const selection = selectionOf(layout, request);
          let deleted = 0;
          await this.writes.noting(tx, ctx, { datasetId: layout.datasetId, operation: 'delete' }, async (noted) => {
            deleted = await this.deleteSelected(tx, noted, { layout, watched }, selection);
            return deleted;
          });
          return { deleted };
        }),
      ),
    );
  }

  private async updateSelected(
    tx: Tx,
    ctx: Ctx,
    { layout, watched }: WriteLayout,
    { selection, values, ceilings }: { selection: Selection; values: WrittenValues; ceilings: StorageCeilings },
  ): Promise<number> {
    const writer = writerOf(ctx);
    const update = async (selected: Selection): Promise<number> => {
      const { records, bytes } = await this.records.update(tx, layout, writer, selected, values);
      await this.storage.checkWritten(tx, writer.spaceId, bytes, ceilings);
      return records;
    };
    if (!watched.has('update')) return update(selection);
    const written = storedBytes(layout, [values]);
    return this.watched.inPieces(tx, layout, { selection, written }, writer.spaceId, async (before) => {
      const ids = before.map((row) => row.id);
      await update({ ids, filter: EVERYTHING });
      const rows = await this.watched.changed(tx, layout, writer.spaceId, before);
      await this.changePublisher.announce(tx, ctx, layout.datasetId, 'update', rows);
    });
  }

  private deleteSelected(tx: Tx, ctx: Ctx, { layout, watched }: WriteLayout, selection: Selection): Promise<number> {
    const spaceId = requireSpace(ctx);
    if (!watched.has('delete')) return this.records.delete(tx, layout, spaceId, selection);
    return this.watched.inPieces(tx, layout, { selection }, spaceId, async (before) => {
      const ids = before.map((row) => row.id);
      await this.records.delete(tx, layout, spaceId, { ids, filter: EVERYTHING });
      const rows = before.map((row) => ({ id: row.id, before: row.record, after: null }));
      await this.changePublisher.announce(tx, ctx, layout.datasetId, 'delete', rows);
    });
  }

  private async writing<T>(tx: Tx, ctx: Ctx, datasetId: string, work: (write: WriteLayout) => Promise<T>): Promise<T> {
    const write = await this.layoutCache.forWriting(tx, requireSpace(ctx), datasetId);
    try {
      const done = await work(write);
      this.storage.changes(tx, requireSpace(ctx));
      if (write.layout.vector.length > 0)
        tx.afterCommit(() => {
          this.embedder.wake();
        });
      return done;
    } catch (error) {
      throw mapWriteError(write.layout, error);
    }
  }
}

export const writerOf = (ctx: Ctx): Writer => ({ spaceId: requireSpace(ctx), userId: ctx.userId });
