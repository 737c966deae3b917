import { Injectable } from '@nestjs/common';
import { type Ctx, type Inserted, type InsertRecords, type OnConflict, requireSpace } from '@switchyard/contracts';
import { retry } from '@switchyard/concurrency';
import { Database, type Tx } from '@switchyard/database';
import { AppError, EVERYTHING, newId } from '@switchyard/kernel';
import { brokenField, mapWriteError } from '../db/map-write-error';
import { LayoutCache, type WriteLayout } from '../db/layout-cache';
import { type NewRow, RecordsRepository } from '../db/records.repository';
import { RecordWritesRepository } from '../db/record-writes.repository';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import { conflictColumn, planUpsert, type UpsertPlan } from '../domain/plan-upsert';
import { checkSizes, storedBytes } from '../domain/record-size-limits';
import { readRecords, withDefaults, withDefaultsOf } from '../domain/parse-records';
import { StorageQuota, type StorageCeilings } from '../storage/storage-quota';
import { Embedder } from '../vectors/embedder';
import { ChangePublisher } from './change-publisher';
import { EventedWrites } from './evented-writes';

const ATTEMPTS = 12;
const PAUSE = { baseMs: 5, maxMs: 200 };

/** Inserts that know what to do with a record that is there already. */
@Injectable()
export class UpsertService {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly records: RecordsRepository,
    private readonly watched: EventedWrites,
    private readonly changePublisher: ChangePublisher,
    private readonly embedder: Embedder,
    private readonly writes: RecordWritesRepository,
    private readonly storage: StorageQuota,
  ) {}

  /** Another transaction can insert the same key between the read and the insert; the retry finds it. */
  upsert(ctx: Ctx, request: InsertRecords, onConflict: OnConflict, ceilings: StorageCeilings): Promise<Inserted> {
    return retry(
      () =>
        retryOnDeadlock(() =>
          this.database.once(ctx, (tx) => this.attempt(tx, ctx, { ...request, onConflict }, ceilings)),
        ),
      { attempts: ATTEMPTS, ...PAUSE, shouldRetry: (error) => error instanceof LostRace },
    );
  }

  private async attempt(
    tx: Tx,
    ctx: Ctx,
    { onConflict, ...request }: InsertRecords & { onConflict: OnConflict },
    ceilings: StorageCeilings,
  ): Promise<Inserted> {
    const spaceId = requireSpace(ctx);
    const found = await this.layoutCache.forWriting(tx, spaceId, request.datasetId);
    const hasWaited = await this.records.takeTurn(tx, found.layout, request.records.length);
    const write = hasWaited ? await this.layoutCache.forWriting(tx, spaceId, request.datasetId) : found;
    const { layout } = write;
    const column = conflictColumn(layout, onConflict);
    // The default of the key says which record is meant; other defaults must not overwrite what a record has.
    const rows = readRecords(layout, request.records).map((values) => ({
      id: newId(),
      values: withDefaultsOf([column], values),
    }));
    const keys = rows.map((row) => row.values[column.sql]).filter((key) => key !== undefined && key !== null);
    const existing = await this.records.idsByKey(tx, layout, spaceId, column, keys, onConflict.action === 'UPDATE');
    const plan = planUpsert(column, onConflict.action, rows, existing);
    const inserts = plan.inserts.map((row) => ({ id: row.id, values: withDefaults(layout, row.values) }));
    const written = [...inserts, ...plan.merges];
    checkSizes(
      layout,
      written.map((row) => row.values),
      (index) => `records[${plan.ids.indexOf(written[index]?.id ?? '')}]`,
    );
    const values = inserts.map((row) => row.values);
    await this.storage.check(tx, spaceId, { records: values.length, bytes: storedBytes(layout, values) }, ceilings);
    try {
      const operation = plan.inserts.length > 0 ? 'insert' : 'update';
      await this.writes.noting(tx, ctx, { datasetId: layout.datasetId, operation }, async (noted) => {
        await this.write(tx, noted, write, { inserts, merges: plan.merges, ceilings });
        return plan.inserts.length + plan.merges.length;
      });
    } catch (error) {
      if (brokenField(layout, error) === column.name) throw new LostRace(mapWriteError(layout, error) as AppError);
      throw mapWriteError(layout, error);
    }
    this.storage.changes(tx, spaceId);
    if (layout.vector.length > 0)
      tx.afterCommit(() => {
        this.embedder.wake();
      });
    return { inserted: plan.inserted, updated: plan.updated, skipped: plan.skipped, ids: plan.ids };
  }

  private async write(
    tx: Tx,
    ctx: Ctx,
    { layout, watched }: WriteLayout,
    plan: Pick<UpsertPlan, 'inserts' | 'merges'> & { ceilings: StorageCeilings },
  ): Promise<void> {
    const spaceId = requireSpace(ctx);
    const writer = { spaceId, userId: ctx.userId };
    const { inserts } = plan;
    if (inserts.length > 0) await this.records.insert(tx, layout, writer, inserts);
    if (inserts.length > 0 && watched.has('insert')) {
      const after = await this.watched.rowsAsTheyAre(
        tx,
        layout,
        spaceId,
        inserts.map((row) => row.id),
      );
      await this.changePublisher.announce(
        tx,
        ctx,
        layout.datasetId,
        'insert',
        after.map((row) => ({ id: row.id, before: null, after: row.record })),
      );
    }
    if (plan.merges.length === 0) return;
    const merge = async (rows: readonly NewRow[]): Promise<void> => {
      const bytes = await this.records.merge(tx, layout, writer, rows);
      await this.storage.checkWritten(tx, spaceId, bytes, plan.ceilings);
    };
    if (!watched.has('update')) return merge(plan.merges);
    const merges = new Map(plan.merges.map((row) => [row.id, row]));
    const selection = { ids: [...merges.keys()], filter: EVERYTHING };
    await this.watched.inPieces(tx, layout, { selection }, spaceId, async (before) => {
      await merge(before.flatMap((row) => merges.get(row.id) ?? []));
      const rows = await this.watched.changed(tx, layout, spaceId, before);
      await this.changePublisher.announce(tx, ctx, layout.datasetId, 'update', rows);
    });
  }
}

/** The unique violation of a race, with the refusal to give if the races never end. */
class LostRace extends AppError {
  constructor(refusal: AppError) {
    super(refusal.code, refusal.message, { cause: refusal.cause, details: refusal.details });
  }
}
