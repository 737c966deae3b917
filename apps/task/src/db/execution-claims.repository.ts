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
import { sqlStatesByKey } from '@switchyard/kernel';
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
import { type ExecutionRow, executionColumns, hasReadableSteps } from './executions.repository';

export type Claimed = ExecutionRow & {
  remainingMs: number;
  bytes: number;
  /** False where the steps are too large to be read: then the row has none. */
  hasReadableSteps: boolean;
};

export interface EndedExecution {
  spaceId: string;
  id: string;
  status: 'TIMED_OUT' | 'FAILED';
  /** How often it had lost its worker. */
  losses: number;
}

export const LEASE_SECONDS = 30;
const QUEUED_LOOKED_AT = 100_000;
const GIVEN_UP = JSON.stringify({
  code: 'RUNTIME_UNAVAILABLE',
  message: 'The execution was given up: the process that ran it ended twice. An operator can have it tried again.',
});

const IS_LOOSE = `status = 'RUNNING' and worker is null and run_at <= (select clock_timestamp()) and ${clockRuns()}`;
/** The same of an execution that is found by its key. */
const IS_STILL_LOOSE = `${sqlStatesByKey('status', 'RUNNING')} and worker is null and run_at <= (select clock_timestamp())`;
const IS_LEASED = `status = 'RUNNING' and worker is not null`;
const IS_LATE = `deadline_at < (select clock_timestamp()) and ${clockRuns()}`;
const ROWS = { table: 'executions', loose: IS_LOOSE, held: IS_LEASED };

const take = (worker: string): string =>
  `worker = ${worker}, epoch = epoch + 1, lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds',
   taken_at = clock_timestamp()`;
const RETURNED = `${executionColumns('e.')}, ${hasReadableSteps('e.')} as has_readable_steps,
  (extract(epoch from e.deadline_at - clock_timestamp()) * 1000)::float8 as remaining_ms`;

/**
 * How workers come to executions, and keep them. All times are the database's.
 * Hot path: SQL on `pg`, prepared by name where every claim takes it.
 */
@Injectable()
export class ExecutionClaimsRepository implements Claims {
  /**
   * Queued executions of one Space under its limit and the limits of their tasks. Running ones are counted from the
   * rows, under the lock of the Space: no counter can drift.
   */
  readonly queue: QueueSql = {
    table: 'executions',
    queued: `status = 'QUEUED'`,
    claimable: (space, limit, capacity) => `
      with recursive waiting as (
        (select task_id from executions where space_id = ${space} and status = 'QUEUED' order by task_id limit 1)
        union all
        select (select task_id from executions where space_id = ${space} and status = 'QUEUED' and task_id > waiting.task_id order by task_id limit 1)
        from waiting where waiting.task_id is not null),
      busy as (
        select task_id, count(*)::int as n from (
          select task_id from executions where space_id = ${space} and status = 'RUNNING' order by task_id) running group by task_id)
      select e.id, e.bytes from waiting join tasks t on t.space_id = ${space} and t.id = waiting.task_id left join busy on busy.task_id = t.id
      cross join lateral (
        select id, run_at, bytes from executions where space_id = ${space} and task_id = t.id and status = 'QUEUED' and run_at <= (select clock_timestamp()) and ${clockRuns()}
        order by run_at, id limit greatest(0, t.concurrency_limit - coalesce(busy.n, 0))) e
      order by e.run_at, e.id
      limit greatest(0, least(${capacity}, ${limit} - coalesce((select sum(n) from busy), 0)::int))`,
  };

  readonly anyLoose: Read = {
    name: 'any-loose',
    params: [],
    sql: `select 1 from executions where ${IS_LOOSE} limit 1`,
  };

  readonly anyLeased: Read = {
    name: 'any-held',
    params: [],
    sql: `select 1 where exists (select 1 from executions where ${IS_LEASED})
            or exists (select 1 from executions where status = 'RUNNING' and ${IS_LATE})`,
  };

  claimQueued(worker: string, chosen: string): Read {
    return {
      name: 'claim-queued',
      params: [worker],
      sql: `with chosen as (${chosen})
       update executions e set status = 'RUNNING', ${take('$6')}, started_at = coalesce(started_at, clock_timestamp()),
         deadline_at = coalesce(deadline_at, clock_timestamp() + make_interval(secs => timeout_seconds))
       from chosen where e.space_id = chosen.space_id and e.id = chosen.id and ${sqlStatesByKey('e.status', 'QUEUED')} returning ${RETURNED}, e.bytes`,
    };
  }

  /** Claims running executions without a lease: those that waited, and those whose worker died. */
  claimLoose(worker: string, capacity: UnassignedCapacity): Read {
    return {
      name: 'claim-loose',
      params: [...unassignedParams(capacity), worker],
      sql: `with ${withSuspectSql(ROWS, (loose) => unassignedSql('executions', loose), '$9')},
       loose as (
         select e.space_id, e.id from allowed join executions e on e.space_id = allowed.space_id and e.id = allowed.id
         where ${IS_STILL_LOOSE} order by allowed.place, allowed.due_at limit $1 for update of e skip locked)
       update executions e set ${take('$9')} from loose where e.space_id = loose.space_id and e.id = loose.id returning ${RETURNED}, e.bytes`,
    };
  }

  /** Executions that wait for these turns want to be looked at now. */
  makeDue(turns: readonly NamedTurn[]): Read {
    return {
      name: 'make-due',
      params: [turns.map(({ spaceId }) => spaceId), turns.map(({ turnId }) => turnId)],
      sql: `update executions e set run_at = clock_timestamp() from unnest($1::uuid[], $2::uuid[]) as settled (space_id, turn_id)
       where e.space_id = settled.space_id and e.waiting_turn = settled.turn_id and e.worker is null and ${sqlStatesByKey('e.status', 'RUNNING')}
         and e.run_at > (select clock_timestamp())`,
    };
  }

  readonly noFresh = noFreshWork(ROWS);

  /** Keeps what is still held, and says which. */
  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<{ id: string; epoch: number }[]> {
    return tx.query(
      `update executions e set lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
       from unnest($2::uuid[], $3::uuid[], $4::int[]) as held (space_id, id, epoch)
       where e.space_id = held.space_id and e.id = held.id and e.epoch = held.epoch and e.worker = $1 and ${sqlStatesByKey('e.status', 'RUNNING')}
       returning e.id, e.epoch`,
      [worker, holds.map((hold) => hold.spaceId), holds.map((hold) => hold.id), holds.map((hold) => hold.epoch)],
    );
  }

  async workersHolding(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ worker: string }>(`select distinct worker from executions where ${IS_LEASED}`);
    return rows.map((row) => row.worker);
  }

  /** Sets executions free whose worker has ended. */
  releaseLapsed(tx: Tx, workers: EndedWorkers): Promise<number> {
    return tx.count(releaseExpiredSql('executions', IS_LEASED), endedWorkersParams(workers));
  }

  /** Spaces with executions that are over their time. */
  readonly late: Read = {
    name: 'spaces-with-late-executions',
    params: [],
    sql: `select distinct space_id from executions where status = 'RUNNING' and ${IS_LATE} limit ${LATE_SPACES_AT_ONCE}`,
  };

  readonly overTime = ({ spaceId, id }: Hold): Read => ({
    name: 'execution-over-time',
    params: [spaceId, id],
    sql: `select 1 from executions where space_id = $1 and id = $2 and ${isOverTime}`,
  });

  readonly moveTimes = [
    `update executions e set deadline_at = e.deadline_at + started.pause from started
     where e.space_id = started.space_id and e.status in ('QUEUED', 'RUNNING') and e.deadline_at is not null
       and e.started_at < started.until`,
    READY_AGAIN,
  ];

  /** Ends what is over its time in these Spaces, and what no worker has survived in any. */
  endHopeless(tx: Tx, spaces: readonly string[]): Promise<EndedExecution[]> {
    const late = `(${IS_LATE} and space_id = any($1::uuid[]))`;
    return tx.query(
      `update executions set status = case when ${late} then 'TIMED_OUT' else 'FAILED' end,
         error = case when ${late} then '{"code":"TIMEOUT","message":"The execution took longer than its task allows."}'::jsonb
           else '${GIVEN_UP}'::jsonb end,
         epoch = epoch + 1, worker = null, lease_until = null, finished_at = clock_timestamp()
       where status = 'RUNNING' and (${late} or (worker is null and takeovers >= ${LOSSES_MAX} and lost_at is not null)) returning space_id, id, status, takeovers as losses`,
      [spaces],
    );
  }

  async release(tx: Tx, hold: Hold): Promise<void> {
    await tx.run(
      `update executions set worker = null, lease_until = null, run_at = clock_timestamp()
       where space_id = $1 and id = $2 and epoch = $3 and worker = $4 and ${sqlStatesByKey('status', 'RUNNING')}`,
      [hold.spaceId, hold.id, hold.epoch, hold.worker],
    );
  }

  /** Of the Spaces with most in the queue; a longer queue than it looks at is full of them. */
  topQueued(tx: Tx): Promise<QueuedOfSpace[]> {
    return tx.query<QueuedOfSpace>(
      `select space_id, count(*)::int as queued from (select space_id from executions where status = 'QUEUED' limit ${QUEUED_LOOKED_AT}) waiting
       group by space_id order by queued desc limit 10`,
    );
  }

  async backlog(tx: Tx): Promise<{ queued: number; running: number; oldestSeconds: number }> {
    const row = await tx.one<{ queued: number; running: number; oldestSeconds: number }>(
      `select count(*) filter (where status = 'QUEUED')::int as queued, count(*) filter (where status = 'RUNNING')::int as running,
         coalesce(extract(epoch from clock_timestamp() - min(run_at) filter (where status = 'QUEUED')), 0)::float8 as oldest_seconds
       from executions where status in ('QUEUED', 'RUNNING')`,
    );
    return row ?? { queued: 0, running: 0, oldestSeconds: 0 };
  }
}
