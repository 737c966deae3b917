import { Injectable } from '@nestjs/common';
import type { ImportFailure } from '@switchyard/contracts';
import {
  endedInOtherWork,
  type EndedWorkers,
  notRetried,
  processOf,
  type Read,
  type RetryOutcome,
  type Tx,
} from '@switchyard/database';
import type { ClaimedRow, Hold, LeasedRows, RenewedRow } from '@switchyard/service';
import type { SpacePayer } from '../domain/payers-at-import-share';
import type { ImportRow } from '../domain/import-job';
import { IMPORT_COLUMNS } from './imports.repository';
import {
  hadOtherWork,
  IS_CAREFUL,
  IS_SUSPECT_WORK_RUNNING,
  IS_TRIAL,
  isRunning,
  isSuspectImport,
  ONE_SUSPECT_AT_A_TIME,
  TRIED,
} from './sql/crash-suspects-sql';

/** An import that a worker has claimed: its own while `worker` and `epoch` stay as they are. */
export interface ClaimedImport extends ImportRow, ClaimedRow {
  worker: string;
  attempts: number;
  isSuspect: boolean;
}

const LEASED_BY_WORKER = `space_id = $1 and id = $2 and worker = $3 and epoch = $4 and phase in ('WRITING', 'UNDOING')`;
const leaseParams = ({ spaceId, id, worker, epoch }: Hold): unknown[] => [spaceId, id, worker, epoch];
const LEASE = `interval '30 seconds'`;
const claimed = IMPORT_COLUMNS.split(', ')
  .map((column) => `i.${column.trim()}`)
  .join(', ');

/** A lease that ended this long ago ends although its process runs: the process has lost track of the import. */
const OVERDUE = `interval '60 seconds'`;

export interface ReleasedImport {
  spaceId: string;
  id: string;
  /** Its process ended while it was written. */
  isLoss: boolean;
  /** It was lost before. */
  isSuspect: boolean;
  /** The process had other work as well, which may be to blame. */
  isInnocent: boolean;
  /** It was being taken back. */
  isUndo: boolean;
  /** Null if its worker's name does not say it. */
  process: string | null;
}

const IS_UNFINISHED = `phase in ('QUEUED', 'RUNNING', 'WRITING', 'UNDOING')`;

/** SQL: this process works on an import, or on texts. */
const WORKS_HERE = `(
  exists (select 1 from imports own where own.worker = $1 and own.phase in ('WRITING', 'UNDOING'))
  or exists (select 1 from record_vectors own where own.worker = $2 and own.state = 'PENDING'))`;

/** Spaces whose payers are looked up for one claim; further ones count for themselves. */
const SPACES_MAX = 500;

/** Imports as jobs: who writes which, how far it is, and how it ends. */
@Injectable()
export class ImportQueueRepository implements LeasedRows {
  readonly anyUnfinished: Read = {
    name: 'any-import-unfinished',
    params: [],
    // In an order, so that it reads an index and not the table.
    sql: `select 1 from imports where ${IS_UNFINISHED} order by due_at limit 1`,
  };

  /** Of the imports that wait or run, the longest due first. */
  async unfinishedSpaces(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ spaceId: string }>(
      `select space_id from imports where ${IS_UNFINISHED} group by space_id order by min(due_at) limit ${SPACES_MAX}`,
    );
    return rows.map(({ spaceId }) => spaceId);
  }

  /**
   * The oldest job that waits, of the payer that has fewest running; none of the Spaces whose payer has its share of
   * this process. A Space that `payers` does not name counts for itself. One that was set free by `releaseLost` goes on
   * where it was, with no other such work beside it. While the losses are tried, it is alone in its process, so that
   * its next loss shows whether it is to blame.
   */
  async claim(
    tx: Tx,
    worker: string,
    {
      embedder,
      busySpaces,
      payers,
    }: { embedder: string; busySpaces: readonly string[]; payers: readonly SpacePayer[] },
  ): Promise<ClaimedImport | null> {
    await tx.run(ONE_SUSPECT_AT_A_TIME);
    return tx.one<ClaimedImport>(
      `with payers as (select * from unnest($4::uuid[], $5::text[]) as p (space_id, payer)),
       running as (
         select coalesce(p.payer, r.space_id::text) as payer, count(*) as imports
         from imports r left join payers p on p.space_id = r.space_id
         where r.worker is not null and r.phase in ('RUNNING', 'WRITING', 'UNDOING') group by 1),
       due as (
         select i.space_id, i.id from imports i left join payers p on p.space_id = i.space_id
         left join running r on r.payer = coalesce(p.payer, i.space_id::text)
         where i.${IS_UNFINISHED} and i.worker is null and i.due_at <= (select clock_timestamp()) and i.space_id <> all($3::uuid[])
           and case when ${isSuspectImport('i')} then not ${IS_SUSPECT_WORK_RUNNING} and not (${IS_TRIAL} and ${WORKS_HERE})
             else not ${IS_CAREFUL} end
         order by coalesce(r.imports, 0), i.due_at
         limit 1 for update of i skip locked)
       update imports i set phase = case when i.phase = 'UNDOING' then 'UNDOING' else 'WRITING' end, worker = $1,
         epoch = i.epoch + 1, attempts = i.attempts + 1, due_at = clock_timestamp() + ${LEASE},
         started_at = coalesce(i.started_at, clock_timestamp())
       from due where i.space_id = due.space_id and i.id = due.id
       returning ${claimed}, i.epoch, ${isSuspectImport('i')} as is_suspect`,
      [worker, embedder, busySpaces, payers.map(({ spaceId }) => spaceId), payers.map(({ payer }) => payer)],
    );
  }

  /**
   * Sets imports free whose process has ended, and those of this process that it could not release. A process that runs
   * has a minute more: it may be slow to renew its leases.
   */
  releaseLost(
    tx: Tx,
    { ended, own, isSilenceLoss }: EndedWorkers,
    leasedIds: readonly string[],
  ): Promise<ReleasedImport[]> {
    const isAlive = isRunning('i.worker');
    return tx.query(
      `with overdue as (
         select space_id, id, worker, worker = any($1) or (worker <> $2 and not ${isAlive}) as is_loss,
           ${isSuspectImport('i')} as is_suspect, ${processOf('i.worker')} as process,
           ${endedInOtherWork('i.worker', TRIED, { isLong: true })} or ${hadOtherWork('i.worker', 'i.id')} as is_innocent
         from imports i where worker is not null and phase in ('RUNNING', 'WRITING', 'UNDOING')
           and (worker = any($1) or (due_at < (select clock_timestamp()) and ((worker = $2 and id <> all($4::uuid[]))
             or case when ${isAlive} then due_at < (select clock_timestamp()) - ${OVERDUE} else $3 end)))
         for update skip locked)
       update imports i set phase = case when i.phase = 'RUNNING' then 'QUEUED' else i.phase end, worker = null, due_at = clock_timestamp()
       from overdue where i.space_id = overdue.space_id and i.id = overdue.id
       returning i.space_id, i.id, overdue.is_loss, overdue.is_suspect, overdue.is_innocent, overdue.process, i.phase = 'UNDOING' as is_undo`,
      [ended, own, isSilenceLoss, leasedIds],
    );
  }

  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<RenewedRow[]> {
    return tx.query(
      `update imports i set due_at = clock_timestamp() + ${LEASE}
       from unnest($2::uuid[], $3::uuid[], $4::int[]) as leased (space_id, id, epoch)
       where i.space_id = leased.space_id and i.id = leased.id and i.epoch = leased.epoch and i.worker = $1
         and i.phase in ('WRITING', 'UNDOING') returning i.id, i.epoch`,
      [worker, holds.map((hold) => hold.spaceId), holds.map((hold) => hold.id), holds.map((hold) => hold.epoch)],
    );
  }

  /** Its records are taken back. */
  async giveUp(tx: Tx, id: string, error: ImportFailure): Promise<void> {
    await tx.run(
      `update imports set phase = 'UNDOING', error = coalesce(error, $2), due_at = clock_timestamp(), worker = null
       where id = $1 and phase in ('QUEUED', 'WRITING')`,
      [id, JSON.stringify(error)],
    );
  }

  /** Its records stay hidden, with the parts that say which they are. */
  async giveUndoUp(tx: Tx, id: string, error: ImportFailure): Promise<void> {
    await tx.run(
      `update imports set phase = 'FAILED', error = coalesce(error, $2), worker = null, finished_at = clock_timestamp()
       where id = $1 and phase = 'UNDOING'`,
      [id, JSON.stringify(error)],
    );
  }

  /** An operator wants the rest of it taken back. Refused if nothing of it is hidden any more, or it is on its way. */
  async undoAgain(tx: Tx, id: string): Promise<RetryOutcome> {
    const again = await tx.count(
      `update imports i set phase = 'UNDOING', due_at = clock_timestamp(), finished_at = null, attempts = 0, has_parts = false
       where i.id = $1 and i.phase = 'FAILED' and i.worker is null
         and exists (select 1 from hidden_imports h where h.space_id = i.space_id and h.dataset_id = i.dataset_id and h.import_id = i.id)`,
      [id],
    );
    return again > 0 ? 'again' : notRetried(tx, 'select 1 from imports where id = $1', [id]);
  }

  async release(tx: Tx, hold: Hold, delayMs = 0): Promise<void> {
    await tx.run(
      `update imports set worker = null, due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000) where ${LEASED_BY_WORKER}`,
      [...leaseParams(hold), delayMs],
    );
  }

  /** As `release`, for one that has only waited for others: that was no attempt. */
  async releaseUntried(tx: Tx, hold: Hold, delayMs: number): Promise<void> {
    await tx.run(
      `update imports set worker = null, attempts = greatest(0, attempts - 1),
         due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
       where ${LEASED_BY_WORKER}`,
      [...leaseParams(hold), delayMs],
    );
  }

  /** From here on its records may be in the table, hidden. */
  async hide(tx: Tx, job: ClaimedImport): Promise<void> {
    await tx.run('update datasets set has_pieces = true where space_id = $1 and id = $2 and not has_pieces', [
      job.spaceId,
      job.datasetId,
    ]);
    await tx.run(
      'insert into hidden_imports (space_id, dataset_id, import_id) values ($1, $2, $3) on conflict do nothing',
      [job.spaceId, job.datasetId, job.id],
    );
  }

  /** Whether transactions of this service are open that began before `at`, and may not know of what is hidden. */
  async hasOlderTransactions(tx: Tx, at: string): Promise<boolean> {
    const row = await tx.one(
      `select 1 as one from pg_stat_activity where datname = current_database() and usename = session_user
         and pid <> pg_backend_pid() and xact_start < $1::timestamptz limit 1`,
      [at],
    );
    return row !== null;
  }

  /** Since when every new transaction knows that it is hidden. Null when it is another worker's by now. */
  async hiddenSince(tx: Tx, job: ClaimedImport): Promise<string | null> {
    const row = await tx.one<{ since: string }>(
      `update imports set hidden_at = coalesce(hidden_at, clock_timestamp()) where ${LEASED_BY_WORKER} returning hidden_at::text as since`,
      leaseParams(job),
    );
    return row?.since ?? null;
  }

  async show(tx: Tx, job: ClaimedImport): Promise<void> {
    await tx.run('delete from hidden_imports where space_id = $1 and dataset_id = $2 and import_id = $3', [
      job.spaceId,
      job.datasetId,
      job.id,
    ]);
  }

  /**
   * In the transaction that wrote or removed parts: how many are there now. Null when it is another worker's by now.
   */
  async advance(
    tx: Tx,
    job: ClaimedImport,
    to: { piece: number; written: number },
  ): Promise<{ isCancelled: boolean } | null> {
    return tx.one<{ isCancelled: boolean }>(
      `update imports set piece = $5, written = greatest(written, $6), attempts = 0,
         due_at = clock_timestamp() + ${LEASE}
       where ${LEASED_BY_WORKER} and piece = $7 returning cancel_requested_at is not null as is_cancelled`,
      [...leaseParams(job), to.piece, to.written, job.piece],
    );
  }

  /** From here on its records are removed, by any worker. */
  async undo(tx: Tx, job: ClaimedImport, error: ImportFailure | null): Promise<boolean> {
    const rows = await tx.count(`update imports set phase = 'UNDOING', error = $5 where ${LEASED_BY_WORKER}`, [
      ...leaseParams(job),
      error === null ? null : JSON.stringify(error),
    ]);
    return rows === 1;
  }

  /**
   * False when it is another worker's by now, or was cancelled before it could succeed. Its parts go later, in pieces.
   */
  async end(tx: Tx, job: ClaimedImport, phase: 'SUCCEEDED' | 'FAILED' | 'CANCELLED'): Promise<boolean> {
    const rows = await tx.count(
      `update imports set phase = $5, finished_at = clock_timestamp(), worker = null, has_parts = true,
         written = case when $5 = 'SUCCEEDED' then staged else written end
       where ${LEASED_BY_WORKER} and ($5 <> 'SUCCEEDED' or cancel_requested_at is null)`,
      [...leaseParams(job), phase],
    );
    return rows === 1;
  }
}
