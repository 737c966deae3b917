import { Injectable } from '@nestjs/common';
import type { WrittenRow } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { DatasetConfig } from '../dataset.config';
import { RecordsRepository } from '../db/records.repository';
import type { FoundPage, Selection, StoredRecord } from '../db/sql/record-reads';
import type { Layout } from '../domain/table-layout';

export interface KnownRow {
  id: string;
  record: StoredRecord;
}

/** Writes and announces one piece of the records, and says what happened to them. */
type WritePiece = (before: readonly KnownRow[]) => Promise<void>;

const MIB = 1024 * 1024;

/**
 * Writes to a dataset whose writes are announced: they have to know each row before and after. They go through their
 * records piece by piece in one transaction, so that memory holds one piece and others see all of the write or nothing.
 */
@Injectable()
export class EventedWrites {
  constructor(
    private readonly config: DatasetConfig,
    private readonly records: RecordsRepository,
  ) {}

  /** How many records there were. `written`: the bytes that the write puts into each of them. */
  async inPieces(
    tx: Tx,
    layout: Layout,
    { selection, written = 0 }: { selection: Selection; written?: number },
    spaceId: string,
    writePiece: WritePiece,
  ): Promise<number> {
    const most = this.config.DATASET_MAX_WATCHED_ROWS;
    const bytes = this.config.DATASET_WATCHED_PIECE_MB * MIB;
    const limit = rowsOfPiece(this.config.DATASET_WATCHED_PIECE_ROWS, bytes, written);
    let touched = 0;
    let after: string | null = null;
    for (;;) {
      const found: FoundPage = await this.records.lock(tx, layout, spaceId, selection, { after, limit, bytes });
      const piece = found.records.map(existing);
      touched += piece.length;
      if (touched > most) throw tooMany(most);
      const last = piece.at(-1);
      if (last === undefined) return touched;
      await writePiece(piece);
      if (!found.hasMore) return touched;
      after = last.id;
    }
  }

  /** Results for the rows of a batch. */
  async changed(tx: Tx, layout: Layout, spaceId: string, before: readonly KnownRow[]): Promise<WrittenRow[]> {
    const ids = before.map((row) => row.id);
    const after = new Map((await this.rowsAsTheyAre(tx, layout, spaceId, ids)).map((row) => [row.id, row.record]));
    return before.map((row) => ({ id: row.id, before: row.record, after: after.get(row.id) ?? null }));
  }

  /** In the order of their ids, which is the order they were written in. */
  async rowsAsTheyAre(tx: Tx, layout: Layout, spaceId: string, ids: readonly string[]): Promise<KnownRow[]> {
    const rows = (await this.records.byIds(tx, layout, spaceId, ids)).map(existing);
    return rows.sort((left, right) => (left.id < right.id ? -1 : 1));
  }
}

/** A piece is read back after the write, so what is written into it counts as well. */
export const rowsOfPiece = (rows: number, bytes: number, written: number): number =>
  written === 0 ? rows : Math.max(1, Math.min(rows, Math.floor(bytes / written)));

const existing = (record: StoredRecord): KnownRow => ({ id: record['id'] as string, record });

const tooMany = (most: number): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `Writes to this dataset become events, at most ${most} at a time. Narrow the filter and write in parts.`,
  );
