import { Injectable } from '@nestjs/common';
import type { ImportFailure, ImportFormat } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { ImportRow } from '../domain/import-job';
import type { NewRow } from './record.repository';

/** A job that a worker took: it is its own as long as `worker` stays what it is. */
export interface ClaimedImport extends ImportRow {
  spaceId: string;
  worker: string;
  attempts: number;
}

const COLUMNS = `space_id, id, dataset_id, format, phase, parts, staged, bytes, written, error, attempts, worker,
  cancel_requested_at, created_by, created_at, started_at, finished_at`;

/** Imports: their rows wait here, checked, until all of them are there. */
@Injectable()
export class ImportRepository {
  async begin(tx: Tx, spaceId: string, row: Pick<ImportRow, 'id' | 'datasetId' | 'format' | 'createdBy'>) {
    await tx.run('insert into imports (space_id, id, dataset_id, format, created_by) values ($1, $2, $3, $4, $5)', [
      spaceId,
      row.id,
      row.datasetId,
      row.format satisfies ImportFormat,
      row.createdBy,
    ]);
  }

  get(tx: Tx, spaceId: string, id: string): Promise<ImportRow | null> {
    return tx.one<ImportRow>(`select ${COLUMNS} from imports where space_id = $1 and id = $2`, [spaceId, id]);
  }

  /** Held until the transaction ends, so that parts come in one after the other. */
  lock(tx: Tx, spaceId: string, id: string): Promise<ImportRow | null> {
    return tx.one<ImportRow>(`select ${COLUMNS} from imports where space_id = $1 and id = $2 for update`, [
      spaceId,
      id,
    ]);
  }

  /** Those whose upload has ended, newest first. */
  list(tx: Tx, spaceId: string, datasetId: string, before: string | null, limit: number): Promise<ImportRow[]> {
    return tx.query<ImportRow>(
      `select ${COLUMNS} from imports where space_id = $1 and dataset_id = $2 and phase <> 'STAGING'
       and ($3::uuid is null or id < $3) order by id desc limit $4`,
      [spaceId, datasetId, before, limit],
    );
  }

  async append(tx: Tx, spaceId: string, id: string, part: number, rows: readonly NewRow[]): Promise<void> {
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

  async part(tx: Tx, spaceId: string, id: string, part: number): Promise<NewRow[]> {
    const row = await tx.one<{ rows: NewRow[] }>(
      'select rows from import_parts where space_id = $1 and import_id = $2 and part = $3',
      [spaceId, id, part],
    );
    return row?.rows ?? [];
  }

  async enqueue(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(
      `update imports set phase = 'QUEUED', due_at = clock_timestamp() where space_id = $1 and id = $2 and phase = 'STAGING'`,
      [spaceId, id],
    );
  }

  /**
   * The oldest job that waits, of the Space that has fewest running; none of the Spaces that have their share of this
   * process. One whose worker was not heard of for a while is taken over.
   */
  async claim(tx: Tx, worker: string, leaseMs: number, busySpaces: readonly string[]): Promise<ClaimedImport | null> {
    return tx.one<ClaimedImport>(
      `with due as (
         select i.space_id, i.id from imports i
         where i.phase in ('QUEUED', 'RUNNING') and i.due_at <= clock_timestamp() and i.space_id <> all($3::uuid[])
         order by (select count(*) from imports r where r.space_id = i.space_id and r.phase = 'RUNNING'), i.due_at
         limit 1 for update of i skip locked)
       update imports i set phase = 'RUNNING', worker = $1, attempts = i.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000), started_at = coalesce(i.started_at, clock_timestamp())
       from due where i.space_id = due.space_id and i.id = due.id
       returning ${COLUMNS.split(', ')
         .map((column) => `i.${column.trim()}`)
         .join(', ')}`,
      [worker, leaseMs, busySpaces],
    );
  }

  async workers(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ worker: string }>(`select distinct worker from imports where phase = 'RUNNING'`);
    return rows.map((row) => row.worker);
  }

  async release(tx: Tx, workers: readonly string[], delayMs: number): Promise<void> {
    await tx.run(
      `update imports set phase = 'QUEUED', worker = null, due_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
       where phase = 'RUNNING' and worker = any($1)`,
      [workers, delayMs],
    );
  }

  /** Says how far a job is, and keeps it; null when it is another worker's by now. */
  async keep(tx: Tx, job: ClaimedImport, written: number, leaseMs: number): Promise<{ isCancelled: boolean } | null> {
    return tx.one<{ isCancelled: boolean }>(
      `update imports set written = greatest(written, $4), due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
       where space_id = $1 and id = $2 and phase = 'RUNNING' and worker = $3
       returning cancel_requested_at is not null as is_cancelled`,
      [job.spaceId, job.id, job.worker, written, leaseMs],
    );
  }

  async requestCancel(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(
      `update imports set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
       where space_id = $1 and id = $2`,
      [spaceId, id],
    );
  }

  /** Ends an import of the given phases and of the given worker, and lets go of its rows; false when it is not that any more. */
  async end(
    tx: Tx,
    spaceId: string,
    id: string,
    end: { phase: 'SUCCEEDED' | 'FAILED' | 'CANCELLED'; worker?: string; error?: ImportFailure },
  ): Promise<boolean> {
    const ended = await tx.count(
      `update imports set phase = $3, error = $5, finished_at = clock_timestamp(), worker = null,
         written = case when $3 = 'SUCCEEDED' then staged else written end
       where space_id = $1 and id = $2 and phase in ('STAGING', 'QUEUED', 'RUNNING') and worker is not distinct from $4`,
      [spaceId, id, end.phase, end.worker ?? null, end.error === undefined ? null : JSON.stringify(end.error)],
    );
    await tx.run('delete from import_parts where space_id = $1 and import_id = $2', [spaceId, id]);
    return ended === 1;
  }

  async forget(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(`delete from imports where space_id = $1 and id = $2 and phase = 'STAGING'`, [spaceId, id]);
  }

  /** Uploads that broke off without a word, and jobs that ended long ago. */
  async forgetOld(tx: Tx): Promise<number> {
    return tx.count(
      `delete from imports where (phase = 'STAGING' and touched_at < clock_timestamp() - interval '2 hours')
         or finished_at < clock_timestamp() - interval '30 days'`,
    );
  }
}
