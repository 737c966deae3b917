import { Injectable } from '@nestjs/common';
import type { ExecutionError, ExecutionStatus } from '@switchyard/contracts';
import type { Database, Tx } from '@switchyard/database';
import { sqlStatesByKey } from '@switchyard/kernel';
import { type Hold, LeaseLost } from '@switchyard/service';
import type { StepRow } from './steps.repository';

export type StepWrite = Omit<StepRow, 'executionId' | 'startedAt' | 'finishedAt'>;

export interface Ending {
  status: ExecutionStatus;
  output: unknown;
  error: ExecutionError | null;
}

export interface Finished {
  hold: Hold;
  steps: readonly StepWrite[];
  ending: Ending;
}

/** For how long it is let go of, and what it takes in memory when it is taken up again. */
interface Pause {
  delayMs: number;
  bytes: number;
}

const LET_GO = 'worker = null, lease_until = null, bytes = $6';
const IN_A_WHILE = 'clock_timestamp() + make_interval(secs => $5::float8 / 1000)';

/** Of an execution that is found by its key. */
const RUNS = sqlStatesByKey('e.status', 'RUNNING');

/** Its place in the lists of parameters. A join with `unnest` would be a nested loop, which compares each with each. */
const POSITION = 'array_position($3::uuid[], e.id)';

const FINISH = `with ended as (
  update executions e set status = ($5::text[])[${POSITION}], output = ($6::jsonb[])[${POSITION}], error = ($7::jsonb[])[${POSITION}],
    finished_at = clock_timestamp(), worker = null, lease_until = null, waiting_turn = null
  where e.space_id = $1 and e.id = any($3::uuid[]) and e.epoch = ($4::int[])[${POSITION}] and e.worker = $2 and ${RUNS}
  returning e.id, e.finished_at),
lists as (select array_agg(id) as ids, array_agg(finished_at) as times from ended),
saved as (
  insert into execution_steps (space_id, execution_id, step_id, status, attempt, tries, outages, input, output, error, bytes, started_at, finished_at)
  select $1, s.execution_id, s.step_id, s.status, s.attempt, s.tries, s.outages, s.input, s.output, s.error, s.bytes, ended.finished_at, ended.finished_at
  from unnest($8::uuid[], $9::text[], $10::text[], $11::int[], $12::int[], $13::int[], $14::jsonb[], $15::jsonb[], $16::jsonb[], $17::int[])
    as s (execution_id, step_id, status, attempt, tries, outages, input, output, error, bytes)
  cross join lists cross join lateral (select lists.times[array_position(lists.ids, s.execution_id)] as finished_at) ended
  where s.execution_id = any(lists.ids)
  on conflict (space_id, execution_id, step_id) do update set status = excluded.status, attempt = excluded.attempt, tries = excluded.tries,
    outages = excluded.outages, input = excluded.input, output = excluded.output, error = excluded.error, bytes = excluded.bytes,
    started_at = coalesce(execution_steps.started_at, excluded.started_at), finished_at = excluded.finished_at)
select id from ended`;

const guard = (hold: Hold): unknown[] => [hold.spaceId, hold.id, hold.epoch, hold.worker];
const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

/**
 * Writes of the worker that runs an execution, all behind the fence of its epoch.
 * Hot path: SQL on `pg`, prepared by name where every step takes it.
 */
@Injectable()
export class LeasedExecutionsRepository {
  /** The result of a step, or its start: one row, written by the one who holds the execution. */
  async saveStep(tx: Tx, hold: Hold, step: StepWrite): Promise<void> {
    const done = step.status !== 'RUNNING' && step.status !== 'PENDING';
    const rows = await tx.prepared(
      'save-step',
      `with held as (
         select space_id, id from executions e where space_id = $1 and id = $2 and epoch = $3 and worker = $4 and ${RUNS} for no key update)
       insert into execution_steps (space_id, execution_id, step_id, status, attempt, tries, outages, input, output, error, bytes, started_at, finished_at)
       select space_id, id, $5, $6, $7, $8, $9, $10, $11, $12, $14, clock_timestamp(), case when $13 then clock_timestamp() end from held
       on conflict (space_id, execution_id, step_id) do update set status = excluded.status, attempt = excluded.attempt, tries = excluded.tries,
         outages = excluded.outages, input = excluded.input, output = excluded.output, error = excluded.error, bytes = excluded.bytes,
         started_at = coalesce(execution_steps.started_at, excluded.started_at), finished_at = excluded.finished_at
       returning 1`,
      [
        ...guard(hold),
        step.stepId,
        step.status,
        step.attempt,
        step.tries,
        step.outages,
        json(step.input),
        json(step.output),
        json(step.error),
        done,
        step.bytes,
      ],
    );
    if (rows.length === 0) throw new LeaseLost();
  }

  async end(tx: Tx, hold: Hold, { status, output, error }: Ending): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `status = $5, output = $6, error = $7, finished_at = clock_timestamp(), worker = null, lease_until = null`,
      [status, json(output), json(error)],
    );
  }

  /**
   * The last steps and the ends of several executions of one Space, each once. Names those that this worker still held.
   */
  async finish(
    database: Database,
    spaceId: string,
    worker: string,
    finished: readonly Finished[],
  ): Promise<ReadonlySet<unknown>> {
    const steps = finished.flatMap(({ hold, steps }) => steps.map((step) => ({ executionId: hold.id, ...step })));
    const [written = []] = await database.writeInSpace(spaceId, [
      {
        name: 'finish-executions',
        sql: FINISH,
        hasOnePlan: true,
        params: [
          spaceId,
          worker,
          finished.map(({ hold }) => hold.id),
          finished.map(({ hold }) => hold.epoch),
          finished.map(({ ending }) => ending.status),
          finished.map(({ ending }) => json(ending.output)),
          finished.map(({ ending }) => json(ending.error)),
          steps.map(({ executionId }) => executionId),
          steps.map(({ stepId }) => stepId),
          steps.map(({ status }) => status),
          steps.map(({ attempt }) => attempt),
          steps.map(({ tries }) => tries),
          steps.map(({ outages }) => outages),
          steps.map(({ input }) => json(input)),
          steps.map(({ output }) => json(output)),
          steps.map(({ error }) => json(error)),
          steps.map(({ bytes }) => bytes),
        ],
      },
    ]);
    return new Set(written.map(({ id }) => id));
  }

  /** Releases a running execution until a time: it occupies no worker while it waits. */
  async park(tx: Tx, hold: Hold, { delayMs, bytes }: Pause): Promise<void> {
    await this.fenced(tx, hold, `${LET_GO}, waiting_turn = null, run_at = ${IN_A_WHILE}`, [delayMs, bytes]);
  }

  /** As `park`, where this process has no memory for more. A turn that it waits for stays known. */
  async yield(tx: Tx, hold: Hold, { delayMs, bytes }: Pause): Promise<void> {
    await this.fenced(tx, hold, `${LET_GO}, run_at = ${IN_A_WHILE}`, [delayMs, bytes]);
  }

  /**
   * Lets go of a running execution until a turn has settled. Should the news of it be lost, it is looked at again after
   * growing pauses, and once more when its time is over.
   */
  async awaitTurn(tx: Tx, hold: Hold, { turnId, bytes }: { turnId: string; bytes: number }): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `${LET_GO}, looks = case when waiting_turn = $5 then looks + 1 else 0 end, waiting_turn = $5,
       run_at = least(deadline_at, clock_timestamp() + make_interval(secs => least(60, 5 * power(2, case when waiting_turn = $5 then least(looks, 10) else 0 end))))`,
      [turnId, bytes],
    );
  }

  /** The task's own retry: back to the queue, where the limits count it again. */
  async tryAgain(tx: Tx, hold: Hold, { delayMs, bytes }: Pause, error: ExecutionError): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `${LET_GO}, status = 'QUEUED', attempt = attempt + 1, error = $7, waiting_turn = null, run_at = ${IN_A_WHILE}`,
      [delayMs, bytes, json(error)],
    );
  }

  private async fenced(tx: Tx, hold: Hold, set: string, params: unknown[]): Promise<void> {
    const touched = await tx.count(
      `update executions e set ${set} where space_id = $1 and id = $2 and epoch = $3 and worker = $4 and ${RUNS}`,
      [...guard(hold), ...params],
    );
    if (touched === 0) throw new LeaseLost();
  }
}
