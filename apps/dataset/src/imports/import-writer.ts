import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError, poisonPoint } from '@switchyard/kernel';
import { DatasetConfig } from '../dataset.config';
import { brokenField, mapWriteError, takenInImport } from '../db/map-write-error';
import { type ClaimedImport, ImportQueueRepository } from '../db/import-queue.repository';
import { ImportsRepository, type StagedRow } from '../db/imports.repository';
import type { Added } from '../db/sql/insert-and-update-sql';
import { LayoutCache, type WriteLayout } from '../db/layout-cache';
import { RecordsRepository } from '../db/records.repository';
import type { ImportRow } from '../domain/import-job';
import type { Column, Layout } from '../domain/table-layout';
import { keyOf } from '../domain/plan-upsert';
import { RecordsService, writerOf } from '../records/records.service';
import { StorageQuota, type StorageCeilings } from '../storage/storage-quota';

/** Records that one transaction looks at: few enough for any statement, however large the dataset is. */
const LOOKED_AT_ONCE = 5000;

interface Naming {
  layout: Layout;
  spaceId: string;
}

/**
 * Writes what was staged: a small file in one transaction, a large one in batches that are hidden until the last is
 * written.
 */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly config: DatasetConfig,
    private readonly layoutCache: LayoutCache,
    private readonly imports: ImportsRepository,
    private readonly queue: ImportQueueRepository,
    private readonly rows: RecordsRepository,
    private readonly records: RecordsService,
    private readonly storage: StorageQuota,
  ) {}

  /** All of it, in the transaction of its caller. */
  async write(tx: Tx, ctx: Ctx, row: ImportRow, ceilings: StorageCeilings): Promise<void> {
    const spaceId = requireSpace(ctx);
    await this.storage.check(tx, spaceId, { records: row.staged, bytes: 0 }, ceilings);
    await this.writing(tx, ctx, row, async (write) => {
      const written = { records: 0, bytes: 0, largest: 0 };
      for (let part = 0; part < row.parts; part += 1) {
        const rows = await this.part(tx, spaceId, row.id, part);
        const added = await this.naming(tx, { layout: write.layout, spaceId }, rows, () =>
          this.rows.insertUncounted(tx, write.layout, writerOf(ctx), rows),
        );
        await this.records.announceInserted(tx, ctx, write, rows);
        written.records += rows.length;
        written.bytes += added.bytes;
        written.largest = Math.max(written.largest, added.largest);
      }
      await this.rows.count(tx, write.layout, spaceId, written);
      await this.storage.checkWritten(tx, spaceId, written.bytes, ceilings);
    });
  }

  private async part(tx: Tx, spaceId: string, id: string, part: number): Promise<StagedRow[]> {
    const rows = await this.imports.part(tx, spaceId, id, part);
    for (const { values } of rows) poisonPoint('dataset.import', values);
    return rows;
  }

  /** Some parts, hidden; says how many records they have. */
  async writePiece(
    tx: Tx,
    ctx: Ctx,
    job: ClaimedImport,
    { until, ceilings }: { until: number; ceilings: StorageCeilings },
  ): Promise<number> {
    await this.storage.check(tx, job.spaceId, { records: job.staged, bytes: 0 }, ceilings);
    let written = 0;
    let bytes = 0;
    let largest = 0;
    await this.writing(tx, ctx, job, async ({ layout }) => {
      for (let part = job.piece; part < until; part += 1) {
        const rows = await this.part(tx, job.spaceId, job.id, part);
        const added = await this.naming(tx, { layout, spaceId: job.spaceId }, rows, () =>
          this.rows.insertHidden(tx, layout, writerOf(ctx), job.id, rows),
        );
        written += rows.length;
        bytes += added.bytes;
        largest = Math.max(largest, added.largest);
      }
      await this.rows.count(tx, layout, job.spaceId, { records: 0, bytes, largest });
      await this.storage.checkWritten(tx, job.spaceId, bytes, ceilings);
    });
    return written;
  }

  /** Shows all pieces at once. Its texts are queued when its parts are let go of. */
  async publish(tx: Tx, ctx: Ctx, job: ClaimedImport, ceilings: StorageCeilings): Promise<void> {
    await this.imports.checkComplete(tx, job.spaceId, job);
    // Others may have published theirs since the last piece: hidden records do not count.
    await this.storage.check(tx, job.spaceId, { records: job.staged, bytes: 0 }, ceilings);
    await this.writing(tx, ctx, job, async (write) => {
      await this.queue.show(tx, job);
      for (let part = 0; write.watched.has('insert') && part < job.parts; part += 1) {
        const ids = await this.imports.idsOfParts(tx, job.spaceId, job.id, { from: part, until: part + 1 });
        await this.records.announceInserted(
          tx,
          ctx,
          write,
          ids.map((id) => ({ id })),
        );
      }
      await this.rows.count(tx, write.layout, job.spaceId, { records: job.staged, bytes: 0, largest: 0 });
    });
  }

  /** Takes the last parts back. */
  async undoPiece(tx: Tx, job: ClaimedImport, from: number): Promise<void> {
    const layout = await this.layoutCache.get(tx, job.spaceId, job.datasetId);
    const ids = await this.imports.idsOfParts(tx, job.spaceId, job.id, { from, until: job.piece });
    await this.rows.deleteHidden(tx, layout, job.spaceId, job.id, ids);
  }

  /**
   * A part that is gone does not say which its records were: they are looked for. Says after which record to look on;
   * null when all were looked at.
   */
  async undoUnknown(tx: Tx, job: ClaimedImport, after: string | null): Promise<string | null> {
    if (await this.imports.isComplete(tx, job.spaceId, job)) return null;
    const layout = await this.layoutCache.get(tx, job.spaceId, job.datasetId);
    return this.rows.deleteHiddenAfter(tx, layout, { spaceId: job.spaceId, importId: job.id, after }, LOOKED_AT_ONCE);
  }

  /** Names the line whose value of a unique field is there already: Postgres does not tell which it is. */
  private async naming(tx: Tx, { layout, spaceId }: Naming, rows: readonly StagedRow[], insert: () => Promise<Added>) {
    try {
      return await tx.attempt(insert);
    } catch (error) {
      const column = layout.byName.get(brokenField(layout, error) ?? '');
      if (column === undefined) throw error;
      const keyed = keyedLines(column, rows);
      const values = keyed.map(({ value }) => value);
      const taken = await this.rows.takenKeys(tx, layout, spaceId, column, values);
      throw takenInImport(column.name, firstTaken(keyed, taken), error);
    }
  }

  private async writing(tx: Tx, ctx: Ctx, row: ImportRow, work: (write: WriteLayout) => Promise<void>): Promise<void> {
    const write = await this.layoutCache.forWriting(tx, requireSpace(ctx), row.datasetId);
    this.checkWatched(write, row.staged);
    this.storage.changes(tx, requireSpace(ctx));
    try {
      await work(write);
    } catch (error) {
      throw mapWriteError(write.layout, error);
    }
  }

  /** The announcements of a write are kept together until it commits. */
  checkWatched({ watched }: WriteLayout, staged: number): void {
    const most = this.config.DATASET_MAX_WATCHED_ROWS;
    if (!watched.has('insert') || staged <= most) return;
    throw new AppError(
      'VALIDATION_ERROR',
      `Writes to this dataset become events, at most ${most} at a time. Import the file in parts.`,
    );
  }
}

interface KeyedLine {
  line: number | null;
  value: unknown;
  key: string;
}

const keyedLines = (column: Column, rows: readonly StagedRow[]): KeyedLine[] =>
  rows.flatMap(({ line = null, values }) => {
    const value = values[column.sql];
    return value === undefined || value === null ? [] : [{ line, value, key: keyOf(column, value) }];
  });

/** The first line whose key is taken, or is that of an earlier line. */
function firstTaken(lines: readonly KeyedLine[], taken: ReadonlySet<string>): number | null {
  const seen = new Set(taken);
  for (const { line, key } of lines) {
    if (seen.has(key)) return line;
    seen.add(key);
  }
  return null;
}
