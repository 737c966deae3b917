import { Injectable } from '@nestjs/common';
import type { ExecutionError, ExecutionStatus } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type Hold, LostHold } from '@switchyard/service';
import type { StepRow } from './steps.repository';

export type StepWrite = Omit<StepRow, 'executionId' | 'startedAt' | 'finishedAt'>;

const guard = (hold: Hold): unknown[] => [hold.spaceId, hold.id, hold.epoch, hold.worker];
const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

/** Writes of the worker that runs an execution, all behind the fence of its epoch. */
@Injectable()
export class HeldExecutionRepository {
  /** The result of a step, or its start: one row, written by the one who holds the execution. */
  async saveStep(tx: Tx, hold: Hold, step: StepWrite): Promise<void> {
    const done = step.status !== 'RUNNING' && step.status !== 'PENDING';
    const rows = await tx.prepared(
      'save-step',
      `with held as (
         select space_id, id from executions where space_id = $1 and id = $2 and epoch = $3 and worker = $4 and status = 'RUNNING' for no key update)
       insert into execution_steps (space_id, execution_id, step_id, status, attempt, tries, outages, input, output, error, started_at, finished_at)
       select space_id, id, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp(), case when $13 then clock_timestamp() end from held
       on conflict (space_id, execution_id, step_id) do update set status = excluded.status, attempt = excluded.attempt, tries = excluded.tries,
         outages = excluded.outages, input = excluded.input, output = excluded.output, error = excluded.error,
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
      ],
    );
    if (rows.length === 0) throw new LostHold();
  }

  async end(
    tx: Tx,
    hold: Hold,
    end: { status: ExecutionStatus; output: unknown; error: ExecutionError | null },
  ): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `status = $5, output = $6, error = $7, finished_at = clock_timestamp(), worker = null, lease_until = null`,
      [end.status, json(end.output), json(end.error)],
    );
  }

  /** Lets go of a running execution until a time: nobody is busy with it while it waits. */
  async park(tx: Tx, hold: Hold, delayMs: number): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `worker = null, lease_until = null, run_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)`,
      [delayMs],
    );
  }

  /** The task's own retry: back to the queue, where the limits count it again. */
  async tryAgain(tx: Tx, hold: Hold, delayMs: number, error: ExecutionError): Promise<void> {
    await this.fenced(
      tx,
      hold,
      `status = 'QUEUED', attempt = attempt + 1, error = $6, worker = null, lease_until = null, run_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)`,
      [delayMs, json(error)],
    );
  }

  private async fenced(tx: Tx, hold: Hold, set: string, params: unknown[]): Promise<void> {
    const touched = await tx.count(
      `update executions set ${set} where space_id = $1 and id = $2 and epoch = $3 and worker = $4 and status = 'RUNNING'`,
      [...guard(hold), ...params],
    );
    if (touched === 0) throw new LostHold();
  }
}
