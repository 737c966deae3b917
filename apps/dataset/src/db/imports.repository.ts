import { Injectable } from '@nestjs/common';
import type { ImportFormat } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import type { ImportRow } from '../domain/import-job';
import type { NewRow } from './records.repository';

/** A row of a file on its way in. Rows staged by an older version have no line. */
export interface StagedRow extends NewRow {
  line?: number;
}

export const IMPORT_COLUMNS = `space_id, id, dataset_id, format, phase, parts, piece, staged, bytes, written, error, attempts, worker,
  cancel_requested_at, created_by, created_at, started_at, finished_at`;

/** Imports: their rows wait here, checked, until all of them are there. */
@Injectable()
export class ImportsRepository {
  async begin(tx: Tx, spaceId: string, row: Pick<ImportRow, 'id' | 'datasetId' | 'format' | 'createdBy'>) {
    await tx.run('insert into imports (space_id, id, dataset_id, format, created_by) values ($1, $2, $3, $4, $5)', [
      spaceId,
      row.id,
      row.datasetId,
      row.format satisfies ImportFormat,
      row.createdBy,
    ]);
  }

  /**
   * How many imports of a Space are open; one `begin` at a time counts them. Abandoned uploads do not count.
   */
  async countOpen(tx: Tx, spaceId: string): Promise<number> {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 73011))', [spaceId]);
    const row = await tx.one<{ n: number }>(
      `select count(*)::int as n from imports where space_id = $1 and phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING')
         and (phase <> 'STAGING' or touched_at > (select clock_timestamp()) - interval '15 minutes')`,
      [spaceId],
    );
    return row?.n ?? 0;
  }

  get(tx: Tx, spaceId: string, id: string): Promise<ImportRow | null> {
    return tx.one<ImportRow>(`select ${IMPORT_COLUMNS} from imports where space_id = $1 and id = $2`, [spaceId, id]);
  }

  /** Held until the transaction ends, so that parts come in one after the other. */
  lock(tx: Tx, spaceId: string, id: string): Promise<ImportRow | null> {
    return tx.one<ImportRow>(`select ${IMPORT_COLUMNS} from imports where space_id = $1 and id = $2 for update`, [
      spaceId,
      id,
    ]);
  }

  /**
   * For its finish: one at a time, and its parts stay until the transaction ends. It may be abandoned meanwhile: the
   * finish learns that when it takes its last step.
   */
  async holdForFinish(tx: Tx, spaceId: string, id: string): Promise<ImportRow | null> {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 73006))', [id]);
    return tx.one<ImportRow>(`select ${IMPORT_COLUMNS} from imports where space_id = $1 and id = $2 for key share`, [
      spaceId,
      id,
    ]);
  }

  /** Those whose upload has ended, newest first. */
  list(tx: Tx, spaceId: string, datasetId: string, { after, take }: PageWindow<string>): Promise<ImportRow[]> {
    return tx.query<ImportRow>(
      `select ${IMPORT_COLUMNS} from imports where space_id = $1 and dataset_id = $2 and phase <> 'STAGING'
       and ($3::uuid is null or id < $3) order by id desc limit $4`,
      [spaceId, datasetId, after, take],
    );
  }

  async append(tx: Tx, spaceId: string, id: string, part: number, rows: readonly StagedRow[]): Promise<void> {
    const json = JSON.stringify(rows);
    await tx.run('insert into import_parts (space_id, import_id, part, rows) values ($1, $2, $3, $4)', [
      spaceId,
      id,
      part,
      json,
    ]);
    await tx.run(
      `update imports set parts = $3, staged = staged + $4, bytes = bytes + $5, touched_at = clock_timestamp()
       where space_id = $1 and id = $2`,
      [spaceId, id, part + 1, rows.length, json.length],
    );
  }

  async part(tx: Tx, spaceId: string, id: string, part: number): Promise<StagedRow[]> {
    const row = await tx.one<{ rows: StagedRow[] }>(
      'select rows from import_parts where space_id = $1 and import_id = $2 and part = $3',
      [spaceId, id, part],
    );
    if (row === null) throw incomplete();
    return row.rows;
  }

  /** Refuses an import that has lost a part: what is written would have a hole. */
  async checkComplete(tx: Tx, spaceId: string, row: Pick<ImportRow, 'id' | 'parts'>): Promise<void> {
    if (!(await this.isComplete(tx, spaceId, row))) throw incomplete();
  }

  /** Whether all parts that were sent are there. */
  async isComplete(tx: Tx, spaceId: string, { id, parts }: Pick<ImportRow, 'id' | 'parts'>): Promise<boolean> {
    const row = await tx.one<{ n: number }>(
      `select count(*)::int as n from import_parts where space_id = $1 and import_id = $2 and part < $3`,
      [spaceId, id, parts],
    );
    return row?.n === parts;
  }

  /** The ids of the records of some parts, without the records. */
  async idsOfParts(tx: Tx, spaceId: string, id: string, parts: { from: number; until: number }): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `select r.value->>'id' as id from import_parts p, jsonb_array_elements(p.rows) r
       where p.space_id = $1 and p.import_id = $2 and p.part >= $3 and p.part < $4`,
      [spaceId, id, parts.from, parts.until],
    );
    return rows.map((row) => row.id);
  }

  /** False when it was abandoned since it was read. */
  async enqueue(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    const rows = await tx.count(
      `update imports set phase = 'QUEUED', due_at = clock_timestamp()
       where space_id = $1 and id = $2 and phase = 'STAGING' and cancel_requested_at is null`,
      [spaceId, id],
    );
    return rows === 1;
  }

  /**
   * Ends an import that its request has written; false when it was abandoned meanwhile. Its parts go later, in pieces.
   */
  async succeed(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    const rows = await tx.count(
      `update imports set phase = 'SUCCEEDED', finished_at = clock_timestamp(), has_parts = true, written = staged
       where space_id = $1 and id = $2 and phase = 'STAGING' and cancel_requested_at is null`,
      [spaceId, id],
    );
    return rows === 1;
  }

  /**
   * Cancels an import. A queued one ends at once; a running one stops at its next batch. An upload accepts no more
   * parts and cannot be finished. Ended imports are unchanged.
   */
  async stop(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(
      `update imports set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         touched_at = case when phase = 'STAGING' then '-infinity' else touched_at end,
         finished_at = case when phase = 'QUEUED' then clock_timestamp() else finished_at end,
         has_parts = has_parts or phase = 'QUEUED',
         phase = case when phase = 'QUEUED' then 'CANCELLED' else phase end
       where space_id = $1 and id = $2 and phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`,
      [spaceId, id],
    );
  }
}

const incomplete = (): AppError =>
  new AppError('CONFLICT', 'Some of what was sent of this file is gone. Nothing was imported. Send the file again.');
