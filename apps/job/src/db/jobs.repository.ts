import { Injectable } from '@nestjs/common';
import type { ListJobs } from '@switchyard/contracts';
import {
  type PageWindow,
  type RetryOutcome,
  type RowOf,
  type Tx,
  listColumn,
  notRetried,
  snakeName,
} from '@switchyard/database';
import { jsonBytes } from '@switchyard/kernel';
import { jobs } from './tables';

/** Columns that only the job's worker reads and writes. */
type OfItsWork =
  | 'runAt'
  | 'worker'
  | 'leaseUntil'
  | 'takeovers'
  | 'waitingSince'
  | 'looks'
  | 'bytes'
  | 'lostAt'
  | 'takenAt';
export type JobRow = Omit<RowOf<typeof jobs>, OfItsWork>;

export type NewJob = Pick<
  JobRow,
  | 'spaceId'
  | 'id'
  | 'type'
  | 'agentId'
  | 'agentName'
  | 'input'
  | 'maxAttempts'
  | 'priority'
  | 'timeoutSeconds'
  | 'callbackUrl'
  | 'metadata'
  | 'createdBy'
  | 'scopes'
  | 'credentialId'
  | 'credentialType'
  | 'causationId'
  | 'correlationId'
  | 'depth'
>;

const OF_ITS_WORK: Record<OfItsWork, true> = {
  runAt: true,
  worker: true,
  leaseUntil: true,
  takeovers: true,
  waitingSince: true,
  looks: true,
  bytes: true,
  lostAt: true,
  takenAt: true,
};
const NAMES = Object.keys(jobs.columns).filter((name): name is keyof JobRow => !(name in OF_ITS_WORK));
const columnOf = (name: string): string => `j.${snakeName(name)}`;

export const JOB_COLUMNS = NAMES.map(columnOf).join(', ');

/** As a list reads it. */
export type ListedJob = Omit<JobRow, 'metadata'>;

/** Of a job that is found by its key. Written as `=`, the index of all jobs that are held would serve as well. */
export const isLeasedBy = (worker: string): string => `worker is not distinct from ${worker}::text`;

const LONG = new Set(['input', 'result', 'interaction']);
/** Long values do not leave the database for a list. */
const LISTED_COLUMNS = NAMES.filter((name) => name !== 'metadata')
  .map((name) => (LONG.has(name) ? listColumn(columnOf(name), name) : columnOf(name)))
  .join(', ');

/** Jobs as their makers see them. */
@Injectable()
export class JobsRepository {
  add(tx: Tx, job: NewJob): Promise<JobRow> {
    const bytes = jsonBytes(job.input) + jsonBytes(job.metadata);
    return tx.rows(jobs).insert({ ...job, phase: 'QUEUED', bytes });
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<JobRow | null> {
    return tx
      .rows(jobs)
      .only(...NAMES)
      .lock({ spaceId, id });
  }

  /** `maker` null: of everybody. */
  list(
    tx: Tx,
    spaceId: string,
    { maker, phase, agentId }: ListJobs & { maker: string | null },
    { after, take }: PageWindow<string>,
  ): Promise<ListedJob[]> {
    return tx.query<ListedJob>(
      `select ${LISTED_COLUMNS} from jobs j where space_id = $1 and ($2::uuid is null or created_by = $2) and ($3::uuid is null or id < $3::uuid)
         and ($4::text is null or phase = $4) and ($5::uuid is null or agent_id = $5) order by id desc limit $6`,
      [spaceId, maker, after, phase ?? null, agentId ?? null, take],
    );
  }

  /** The new epoch fences out the previous worker. */
  async cancelNow(tx: Tx, job: JobRow): Promise<JobRow> {
    const row = await tx.one<JobRow>(
      `update jobs j set phase = 'CANCELLED', epoch = epoch + 1, worker = null, lease_until = null, interaction = null, error = null,
         cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), finished_at = clock_timestamp(), progress_message = 'Cancelled'
       where space_id = $1 and id = $2 returning ${JOB_COLUMNS}`,
      [job.spaceId, job.id],
    );
    return row as JobRow;
  }

  /** By an operator, of a job that had ended its process twice: the same attempt once more. */
  async startAgain(tx: Tx, spaceId: string, id: string): Promise<RetryOutcome> {
    const again = await tx.count(
      `update jobs set phase = 'QUEUED', next_attempt = greatest(attempt, 1), turn_id = null, looks = 0, error = null, result = null,
         run_at = clock_timestamp(), worker = null, lease_until = null, epoch = epoch + 1, takeovers = 0, lost_at = null,
         deadline_at = null, finished_at = null, progress = 0, progress_message = null
       where space_id = $1 and id = $2 and phase = 'FAILED'`,
      [spaceId, id],
    );
    if (again === 0) return notRetried(tx, 'select 1 from jobs where space_id = $1 and id = $2', [spaceId, id]);
    // Its callback was sent or due: the next end sends a new one.
    await tx.run('delete from callbacks where space_id = $1 and job_id = $2', [spaceId, id]);
    return 'again';
  }

  async askToCancel(tx: Tx, job: JobRow): Promise<JobRow> {
    const row = await tx.one<JobRow>(
      `update jobs j set phase = 'CANCELLING', run_at = clock_timestamp(), cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), progress_message = 'Cancelling'
       where space_id = $1 and id = $2 returning ${JOB_COLUMNS}`,
      [job.spaceId, job.id],
    );
    return row as JobRow;
  }
}
