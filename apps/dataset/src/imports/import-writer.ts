import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { DatasetConfig } from '../dataset.config';
import { explainWriteError } from '../db/explain-write-error';
import { ImportRepository } from '../db/import.repository';
import { Layouts, type WriteLayout } from '../db/layouts';
import { RecordRepository } from '../db/record.repository';
import type { ImportRow } from '../domain/import-job';
import { RecordsService, writerOf } from '../records/records.service';

/** Writes what was staged, part by part in one transaction: memory holds one part, and nobody sees half of them. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly config: DatasetConfig,
    private readonly layouts: Layouts,
    private readonly imports: ImportRepository,
    private readonly rows: RecordRepository,
    private readonly records: RecordsService,
  ) {}

  async write(tx: Tx, ctx: Ctx, row: ImportRow, onPart: (written: number) => Promise<void>): Promise<void> {
    const spaceId = requireSpace(ctx);
    const write = await this.layouts.forWriting(tx, spaceId, row.datasetId);
    this.checkWatched(write, row.staged);
    let written = 0;
    try {
      for (let part = 0; part < row.parts; part += 1) {
        const rows = await this.imports.part(tx, spaceId, row.id, part);
        await this.rows.insertUncounted(tx, write.layout, writerOf(ctx), rows);
        await this.records.announceInserted(tx, ctx, write, rows);
        written += rows.length;
        await onPart(written);
      }
      if (written > 0) await this.rows.count(tx, write.layout, spaceId, written);
    } catch (error) {
      throw explainWriteError(write.layout, error);
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
