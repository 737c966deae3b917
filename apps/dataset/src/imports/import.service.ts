import { Injectable } from '@nestjs/common';
import {
  type AppendImport,
  type BeginImport,
  type Ctx,
  type ImportEnd,
  type ImportJobView,
  type ImportOfDataset,
  type ImportsOfDataset,
  type Page,
  requireSpace,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { AppError, invalid, newId } from '@switchyard/kernel';
import { DatasetConfig } from '../dataset.config';
import { ImportsRepository } from '../db/imports.repository';
import { LayoutCache } from '../db/layout-cache';
import { retryOnDeadlock } from '../db/retry-on-deadlock';
import { hasEnded, importJobView, type ImportRow, isAbandoned, isLargeImport } from '../domain/import-job';
import { checkSizes, storedBytes } from '../domain/record-size-limits';
import { readImportLine } from '../domain/parse-import-line';
import { StorageQuota } from '../storage/storage-quota';
import { Embedder } from '../vectors/embedder';
import { ImportJobs } from './import-jobs';
import { FinishedImportCleanup } from './finished-import-cleanup';
import { ImportWriter } from './import-writer';

const noImport = (): AppError => new AppError('NOT_FOUND', 'There is no import with this id.');

const tooManyOpen = (most: number): AppError =>
  new AppError(
    'RATE_LIMITED',
    `At most ${most} imports of this Space may be open at a time. Wait until one has ended.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

const RETRY_AFTER_SECONDS = 10;

const IMPORT_LIST = listById('imports');

/** Files of any size: staged part by part, then written by the caller's request, or by a job in many pieces. */
@Injectable()
export class ImportService {
  constructor(
    private readonly config: DatasetConfig,
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly imports: ImportsRepository,
    private readonly writer: ImportWriter,
    private readonly jobs: ImportJobs,
    private readonly cleanup: FinishedImportCleanup,
    private readonly embedder: Embedder,
    private readonly storage: StorageQuota,
  ) {}

  begin(ctx: Ctx, { datasetId, format }: BeginImport): Promise<{ importId: string }> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      await this.layoutCache.get(tx, spaceId, datasetId);
      if ((await this.imports.countOpen(tx, spaceId)) >= this.config.DATASET_OPEN_IMPORTS)
        throw tooManyOpen(this.config.DATASET_OPEN_IMPORTS);
      const id = newId();
      await this.imports.begin(tx, spaceId, { id, datasetId, format, createdBy: ctx.userId });
      return { importId: id };
    });
  }

  /**
   * All that is staged in the Space counts with what is stored, so that a file that does not fit is refused while it is
   * sent.
   */
  async append(ctx: Ctx, request: AppendImport): Promise<{ staged: number }> {
    const spaceId = requireSpace(ctx);
    const ceilings = await this.storage.ceilingsOf(spaceId);
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.imports.lock(tx, spaceId, request.importId);
      if (row?.phase !== 'STAGING' || isAbandoned(row)) throw noImport();
      if (request.part < row.parts) return { staged: row.staged };
      if (request.part > row.parts) throw invalid('part', `is ${request.part}, and part ${row.parts} is missing`);
      const write = await this.layoutCache.forWriting(tx, spaceId, row.datasetId);
      this.writer.checkWatched(write, row.staged + request.lines.length);
      const rows = request.lines.map((line) => ({
        id: newId(),
        line: line.line,
        values: readImportLine(write.layout, row.format, line),
      }));
      const values = rows.map((line) => line.values);
      checkSizes(write.layout, values, (index) => `line ${rows[index]?.line}`);
      const more = { records: rows.length, bytes: storedBytes(write.layout, values) };
      await this.storage.checkStaged(tx, spaceId, more, ceilings);
      await this.imports.append(tx, spaceId, row.id, request.part, rows);
      return { staged: row.staged + rows.length };
    });
  }

  async finish(ctx: Ctx, importId: string): Promise<ImportEnd> {
    const spaceId = requireSpace(ctx);
    const ceilings = await this.storage.ceilingsOf(spaceId);
    return retryOnDeadlock(() =>
      this.database.transaction(ctx, async (tx): Promise<ImportEnd> => {
        const row = await this.imports.holdForFinish(tx, spaceId, importId);
        if (row === null || isAbandoned(row)) throw noImport();
        const isStaged = row.phase === 'STAGING';
        if (isStaged) await this.imports.checkComplete(tx, spaceId, row);
        if (isLargeImport(row, this.config.DATASET_IMPORT_DIRECT_ROWS)) {
          if (isStaged && !(await this.imports.enqueue(tx, spaceId, importId))) throw noImport();
          tx.afterCommit(() => {
            this.jobs.wake();
          });
          return { imported: null, job: importJobView(row) };
        }
        if (isStaged) {
          await this.writer.write(tx, ctx, row, ceilings);
          if (!(await this.imports.succeed(tx, spaceId, importId))) throw noImport();
          tx.afterCommit(() => {
            this.embedder.wake();
            this.cleanup.wake();
          });
        }
        return { imported: { inserted: row.staged }, job: null };
      }),
    );
  }

  /** Its caller was told that it failed: a finish that is under way, or still on its way here, imports nothing. */
  abandon(ctx: Ctx, importId: string): Promise<void> {
    return this.database.transaction(ctx, (tx) => {
      tx.afterCommit(() => {
        this.cleanup.wakeCleanup();
      });
      return this.imports.stop(tx, requireSpace(ctx), importId);
    });
  }

  get(ctx: Ctx, request: ImportOfDataset): Promise<ImportJobView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.imports.get(tx, requireSpace(ctx), request.importId);
      return importJobView(jobOf(row, request));
    });
  }

  list(ctx: Ctx, request: ImportsOfDataset): Promise<Page<ImportJobView>> {
    const spaceId = requireSpace(ctx);
    const window = IMPORT_LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      await this.layoutCache.get(tx, spaceId, request.datasetId);
      const rows = await this.imports.list(tx, spaceId, request.datasetId, window);
      return IMPORT_LIST.pageOf(rows, window, importJobView);
    });
  }

  /** A queued one ends at once; a running one stops at its next batch. */
  cancel(ctx: Ctx, request: ImportOfDataset): Promise<ImportJobView> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const row = jobOf(await this.imports.lock(tx, spaceId, request.importId), request);
      if (row.phase === 'CANCELLED') return importJobView(row);
      if (hasEnded(row)) throw new AppError('JOB_FINISHED', 'This import has ended already.');
      await this.imports.stop(tx, spaceId, row.id);
      return importJobView((await this.imports.get(tx, spaceId, row.id)) ?? row);
    });
  }
}

function jobOf(row: ImportRow | null, request: ImportOfDataset): ImportRow {
  if (row === null || row.datasetId !== request.datasetId || row.phase === 'STAGING') throw noImport();
  return row;
}
