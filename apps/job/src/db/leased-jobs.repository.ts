import { Injectable } from '@nestjs/common';
import type { JobError, JobPhase } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { type JsonObject, sqlStatesByKey } from '@switchyard/kernel';
import { type Hold, LeaseLost } from '@switchyard/service';
import { BUSY, LEASABLE, leasableBefore } from '../domain/job-phase';
import { JOB_COLUMNS, type JobRow, isLeasedBy } from './jobs.repository';

const FREE = 'worker = null, lease_until = null';
/** Poll interval, with backoff, in case the signal of the turn's end is lost. */
const nextPollSql = (mostSeconds: number): string =>
  `looks = looks + 1, run_at = least(clock_timestamp() + make_interval(secs => least(${mostSeconds}, 5 * power(2, least(looks, 10)))),
     case when phase = 'RUNNING' then coalesce(deadline_at, 'infinity') else 'infinity' end)`;
const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

/** Writes of the worker that runs a job, all behind the fence of its epoch. */
@Injectable()
export class LeasedJobsRepository {
  begin(tx: Tx, hold: Hold, turnId: string): Promise<JobRow> {
    return this.fenced(tx, hold, LEASABLE, 'turn_id = $5', [turnId]);
  }

  progress(tx: Tx, hold: Hold, progress: number): Promise<JobRow> {
    return this.fenced(tx, hold, BUSY, 'progress = greatest(progress, $5::float8)', [progress]);
  }

  /** Releases the lease while the turn runs; no worker is occupied until it ends. */
  awaitTurn(tx: Tx, hold: Hold, progress: number): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      ['RUNNING'],
      `progress = greatest(progress, $5::float8), ${nextPollSql(60)}, ${FREE}`,
      [progress],
    );
  }

  /** While a person thinks, no time is counted and no place is taken. */
  wait(tx: Tx, hold: Hold, interaction: JsonObject | null): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      leasableBefore('WAITING_INPUT'),
      `phase = 'WAITING_INPUT', interaction = $5, waiting_since = coalesce(waiting_since, clock_timestamp()), progress_message = 'Waiting for an answer',
       ${nextPollSql(600)}, ${FREE}`,
      [json(interaction)],
    );
  }

  goOn(tx: Tx, hold: Hold): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      ['WAITING_INPUT'],
      `phase = 'RUNNING', interaction = null, looks = 0, progress_message = 'Running', deadline_at = deadline_at + (clock_timestamp() - waiting_since), waiting_since = null`,
      [],
    );
  }

  tryAgain(
    tx: Tx,
    hold: Hold,
    again: { nextAttempt: number; delayMs: number; error: JobError; message: string },
  ): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      leasableBefore('RETRYING'),
      `phase = 'RETRYING', next_attempt = $5, run_at = clock_timestamp() + make_interval(secs => $6::float8 / 1000), error = $7, progress_message = $8, ${FREE}`,
      [again.nextAttempt, again.delayMs, json(again.error), again.message],
    );
  }

  /** Releases a RUNNING job for a while. */
  async rest(tx: Tx, hold: Hold, delayMs: number): Promise<void> {
    await this.fenced(
      tx,
      hold,
      LEASABLE,
      `run_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000), ${FREE}`,
      [delayMs],
    );
  }

  succeed(tx: Tx, hold: Hold, result: JsonObject): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      leasableBefore('SUCCEEDED'),
      `phase = 'SUCCEEDED', result = $5, error = null, interaction = null, progress = 100, progress_message = 'Done', finished_at = clock_timestamp(), ${FREE}`,
      [json(result)],
    );
  }

  end(tx: Tx, hold: Hold, phase: 'FAILED' | 'TIMED_OUT' | 'CANCELLED', error: JobError | null): Promise<JobRow> {
    return this.fenced(
      tx,
      hold,
      leasableBefore(phase),
      `phase = $5, error = $6, result = null, interaction = null, progress_message = $7, finished_at = clock_timestamp(), ${FREE}`,
      [phase, json(error), phase === 'FAILED' ? 'Failed' : phase === 'TIMED_OUT' ? 'Timed out' : 'Cancelled'],
    );
  }

  private async fenced(tx: Tx, hold: Hold, from: readonly JobPhase[], set: string, params: unknown[]): Promise<JobRow> {
    const row = await tx.one<JobRow>(
      `update jobs j set ${set} where j.space_id = $1 and j.id = $2 and j.epoch = $3 and ${isLeasedBy('$4')} and ${sqlStatesByKey('j.phase', ...from)} returning ${JOB_COLUMNS}`,
      [hold.spaceId, hold.id, hold.epoch, hold.worker, ...params],
    );
    if (!row) throw new LeaseLost();
    return row;
  }
}
