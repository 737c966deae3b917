import { Injectable } from '@nestjs/common';
import type { WrittenRow } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { DatasetConfig } from '../dataset.config';
import { RecordRepository } from '../db/record.repository';
import type { Selection, StoredRecord } from '../db/sql/record-reads';
import type { Layout } from '../domain/layout';

export interface KnownRow {
  id: string;
  record: StoredRecord;
}

/** Writes to a dataset whose writes are announced: they have to know each row before and after. */
@Injectable()
export class WatchedWrites {
  constructor(
    private readonly config: DatasetConfig,
    private readonly records: RecordRepository,
  ) {}

  async lock(tx: Tx, layout: Layout, selection: Selection, spaceId: string): Promise<KnownRow[]> {
    const most = this.config.DATASET_MAX_WATCHED_ROWS;
    const rows = await this.records.lock(tx, layout, spaceId, selection, most + 1);
    if (rows.length > most) {
      throw new AppError(
        'VALIDATION_ERROR',
        `Writes to this dataset become events, at most ${most} at a time. Narrow the filter and write in parts.`,
      );
    }
    return rows.map(known);
  }

  async update(
    tx: Tx,
    layout: Layout,
    selection: Selection,
    spaceId: string,
    write: (ids: string[]) => Promise<unknown>,
  ): Promise<WrittenRow[]> {
    const before = await this.lock(tx, layout, selection, spaceId);
    const ids = before.map((row) => row.id);
    await write(ids);
    const after = new Map((await this.rowsAsTheyAre(tx, layout, spaceId, ids)).map((row) => [row.id, row.record]));
    return before.map((row) => ({ id: row.id, before: row.record, after: after.get(row.id) ?? null }));
  }

  /** In the order of their ids, which is the order they were written in. */
  async rowsAsTheyAre(tx: Tx, layout: Layout, spaceId: string, ids: readonly string[]): Promise<KnownRow[]> {
    const rows = (await this.records.byIds(tx, layout, spaceId, ids)).map(known);
    return rows.sort((left, right) => (left.id < right.id ? -1 : 1));
  }
}

const known = (record: StoredRecord): KnownRow => ({ id: record['id'] as string, record });
