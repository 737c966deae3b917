import { Injectable } from '@nestjs/common';
import type { QueuedOfSpace } from '@switchyard/contracts';
import {
  LOSSES_MAX,
  type EndedWorkers,
  type QueueSql,
  type Read,
  type Tx,
  LATE_SPACES_AT_ONCE,
  READY_AGAIN,
  clockRuns,
  isOverTime,
} from '@switchyard/database';
import { sqlStatesByKey, sqlStates } from '@switchyard/kernel';
import {
  type Claims,
  type Hold,
  type UnassignedCapacity,
  type NamedTurn,
  unassignedParams,
  unassignedSql,
  endedWorkersParams,
  noFreshWork,
  releaseExpiredSql,
  withSuspectSql,
} from '@switchyard/service';
import { BUSY, LEASABLE, QUEUED, TIMED } from '../domain/job-phase';
import { JOB_COLUMNS, type JobRow, isLeasedBy } from './jobs.repository';

export type ClaimedJob = JobRow & { remainingMs: number; bytes: number; isSuspect: boolean };
export type RenewedJob = Pick<JobRow, 'id' | 'epoch' | 'phase'>;

const QUEUED_LOOKED_AT = 100_000;
const LEASE_SECONDS = 30;
const LEASE = `interval '${LEASE_SECONDS} seconds'`;
const GIVEN_UP = JSON.stringify({
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The job was given up: the process that ran it ended twice. An operator can have it tried again.',
});
const CANCEL_GRACE = `interval '30 seconds'`;
/** A job that is to be cancelled ends all the same. */
const IS_ACTIVE = `(${clockRuns()} or phase = 'CANCELLING')`;
const IS_LOOSE = `worker is null and phase in ${sqlStates(LEASABLE)} and run_at <= (select clock_timestamp()) and ${IS_ACTIVE}`;
/** The same of a job that is found by its key. */
const IS_STILL_LOOSE = `worker is null and ${sqlStatesByKey('phase', ...LEASABLE)} and run_at <= (select clock_timestamp())`;
const IS_LATE = `phase in ${sqlStates(TIMED)} and deadline_at < (select clock_timestamp()) and ${clockRuns()}`;
const IS_CANCELLED_BY_NOBODY = `phase = 'CANCELLING' and cancel_requested_at < (select clock_timestamp()) - ${CANCEL_GRACE}`;
const ROWS = { table: 'jobs', loose: IS_LOOSE, held: 'worker is not null' };

const take = (worker: string): string =>
  `worker = ${worker}, epoch = epoch + 1, lease_until = clock_timestamp() + ${LEASE}, heartbeat_at = clock_timestamp(),
   taken_at = clock_timestamp()`;
const RETURNED = `${JOB_COLUMNS}, (extract(epoch from j.deadline_at - clock_timestamp()) * 1000)::float8 as remaining_ms, j.takeovers > 0 as is_suspect`;

/**
 * How workers claim jobs and renew their leases. All times are the database's.
 * Hot path: SQL on `pg`, prepared by name where every claim takes it.
 */
@Injectable()
export class JobClaimsRepository implements Claims<RenewedJob> {
  /**
   * The most urgent jobs of one Space under its limit, first come among equals. Running jobs are counted from the rows,
   * under the lock of the Space.
   */
  readonly queue: QueueSql = {
    table: 'jobs',
    queued: `phase in ${sqlStates(QUEUED)}`,
    claimable: (space, limit, freeSlots) => `
      select id, bytes from jobs where space_id = ${space} and phase in ${sqlStates(QUEUED)} and run_at <= (select clock_timestamp()) and ${clockRuns()} order by priority desc, id
      limit greatest(0, least(${freeSlots}, ${limit} - (select count(*)::int from jobs where space_id = ${space} and phase in ${sqlStates(BUSY)})))`,
  };

  readonly anyLoose: Read = { name: 'any-loose', params: [], sql: `select 1 from jobs where ${IS_LOOSE} limit 1` };

  readonly anyLeased: Read = {
    name: 'any-held',
    params: [],
    sql: `select 1 where exists (select 1 from jobs where worker is not null)
            or exists (select 1 from jobs where ${IS_LATE}) or exists (select 1 from jobs where ${IS_CANCELLED_BY_NOBODY})`,
  };

  claimQueued(worker: string, chosen: string): Read {
    return {
      name: 'claim-queued',
      params: [worker],
      sql: `with chosen as (${chosen})
       update jobs j set phase = 'RUNNING', ${take('$6')}, attempt = next_attempt, turns = turns + 1, turn_id = null, looks = 0, error = null,
         progress = greatest(progress, 5), progress_message = 'Running', started_at = coalesce(started_at, clock_timestamp()),
         deadline_at = coalesce(deadline_at, clock_timestamp() + make_interval(secs => timeout_seconds))
       from chosen where j.space_id = chosen.space_id and j.id = chosen.id and ${sqlStatesByKey('j.phase', ...QUEUED)} returning ${RETURNED}, j.bytes`,
    };
  }

  /** Claims jobs without a lease: those whose worker died, and waiting ones that are due for a check. */
  claimLoose(worker: string, freeSlots: UnassignedCapacity): Read {
    return {
      name: 'claim-loose',
      params: [...unassignedParams(freeSlots), worker],
      sql: `with ${withSuspectSql(ROWS, (loose) => unassignedSql('jobs', loose), '$9')},
       loose as (
         select j.space_id, j.id from allowed join jobs j on j.space_id = allowed.space_id and j.id = allowed.id
         where ${IS_STILL_LOOSE} order by allowed.place, allowed.due_at limit $1 for update of j skip locked)
       update jobs j set ${take('$9')} from loose where j.space_id = loose.space_id and j.id = loose.id returning ${RETURNED}, j.bytes`,
    };
  }

  /** Makes jobs due that wait for these turns. */
  makeDue(turns: readonly NamedTurn[]): Read {
    return {
      name: 'make-due',
      params: [turns.map(({ spaceId }) => spaceId), turns.map(({ turnId }) => turnId)],
      sql: `update jobs j set run_at = clock_timestamp() from unnest($1::uuid[], $2::uuid[]) as settled (space_id, turn_id)
       where j.space_id = settled.space_id and j.turn_id = settled.turn_id and j.worker is null
         and j.phase in ${sqlStates(LEASABLE)} and j.run_at > (select clock_timestamp())`,
    };
  }

  readonly noFresh = noFreshWork(ROWS);

  /** Renews the leases; returns the renewed jobs and their phase. */
  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<RenewedJob[]> {
    return tx.query(
      `update jobs j set lease_until = clock_timestamp() + ${LEASE}, heartbeat_at = clock_timestamp()
       from unnest($2::uuid[], $3::uuid[], $4::int[]) as held (space_id, id, epoch)
       where j.space_id = held.space_id and j.id = held.id and j.epoch = held.epoch and ${isLeasedBy('$1')} returning j.id, j.epoch, j.phase`,
      [worker, holds.map((hold) => hold.spaceId), holds.map((hold) => hold.id), holds.map((hold) => hold.epoch)],
    );
  }

  async workersHolding(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ worker: string }>('select distinct worker from jobs where worker is not null');
    return rows.map((row) => row.worker);
  }

  /** Sets jobs free whose worker has ended. */
  releaseLapsed(tx: Tx, workers: EndedWorkers): Promise<number> {
    return tx.count(
      releaseExpiredSql('jobs', 'worker is not null', { shorter: 'callbacks' }),
      endedWorkersParams(workers),
    );
  }

  async release(tx: Tx, hold: Hold): Promise<void> {
    await tx.run(
      `update jobs set worker = null, lease_until = null, run_at = clock_timestamp()
       where space_id = $1 and id = $2 and epoch = $3 and ${isLeasedBy('$4')} and finished_at is null`,
      [hold.spaceId, hold.id, hold.epoch, hold.worker],
    );
  }

  /** Spaces with jobs that are over their time. */
  readonly late: Read = {
    name: 'spaces-with-late-jobs',
    params: [],
    sql: `select distinct space_id from jobs where ${IS_LATE} limit ${LATE_SPACES_AT_ONCE}`,
  };

  readonly overTime = ({ spaceId, id }: Hold): Read => ({
    name: 'job-over-time',
    params: [spaceId, id],
    sql: `select 1 from jobs where space_id = $1 and id = $2 and ${isOverTime}`,
  });

  /** Time that a job waits for an answer does not count anyway. */
  readonly moveTimes = [
    `update jobs j set deadline_at = j.deadline_at + started.pause from started
     where j.space_id = started.space_id and j.phase in ${sqlStates(TIMED)} and j.deadline_at is not null
       and j.started_at < started.until`,
    READY_AGAIN,
  ];

  /**
   * Ends jobs of these Spaces that are past their deadline, that have ended two workers, and cancellations without a
   * worker.
   */
  endHopeless(tx: Tx, spaces: readonly string[]): Promise<JobRow[]> {
    const end = (phase: string, error: string, which: string): string =>
      `update jobs j set phase = '${phase}', error = ${error}, result = null, interaction = null, epoch = epoch + 1, worker = null, lease_until = null,
         finished_at = clock_timestamp() where ${which} returning ${JOB_COLUMNS}`;
    return tx.query<JobRow>(
      `with late as (${end(
        'TIMED_OUT',
        `'{"code":"TIMEOUT","message":"The job took longer than its timeoutSeconds."}'::jsonb`,
        `${IS_LATE} and space_id = any($1::uuid[])`,
      )}),
       lost as (${end(
         'FAILED',
         `'${GIVEN_UP}'::jsonb`,
         `phase in ('RUNNING', 'WAITING_INPUT') and worker is null and takeovers >= ${LOSSES_MAX} and lost_at is not null and (${IS_LATE}) is not true`,
       )}),
       dropped as (${end('CANCELLED', 'null', IS_CANCELLED_BY_NOBODY)})
       select * from late union all select * from lost union all select * from dropped`,
      [spaces],
    );
  }

  /** Of the Spaces with most in the queue; a longer queue than it looks at is full of them. */
  topQueued(tx: Tx): Promise<QueuedOfSpace[]> {
    return tx.query<QueuedOfSpace>(
      `select space_id, count(*)::int as queued from (select space_id from jobs where phase in ${sqlStates(QUEUED)} limit ${QUEUED_LOOKED_AT}) waiting
       group by space_id order by queued desc limit 10`,
    );
  }

  async backlog(tx: Tx): Promise<{ phase: string; jobs: number; oldestSeconds: number }[]> {
    return tx.query(
      `select phase, count(*)::int as jobs, extract(epoch from clock_timestamp() - min(run_at))::float8 as oldest_seconds
       from jobs where finished_at is null group by phase`,
    );
  }
}
