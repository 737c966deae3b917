import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import { type Hold, LeaseHolder, Logger, PoisonedWork } from '@switchyard/service';
import { type ClaimedJob, JobClaimsRepository, type RenewedJob } from '../db/job-claims.repository';
import { JobAttempt } from './job-attempt';
import { turnIdOf } from './job-identity';
import { TurnClient } from './turn-client';

const HAND_OVER_MS = 3_000;
const STOP_AGAIN_MS = 200;

/** The jobs that this process works on. */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  readonly leases: LeaseHolder<ClaimedJob, RenewedJob>;
  private readonly stopping = new Set<Hold>();

  constructor(
    database: Database,
    claims: JobClaimsRepository,
    private readonly attempts: JobAttempt,
    private readonly turns: TurnClient,
    logger: Logger,
    poisoned: PoisonedWork,
  ) {
    this.leases = new LeaseHolder(database, claims, logger, poisoned.marks, {
      what: 'job',
      work: (job, hold, signal) => this.run(job, hold, signal),
      isSuspect: ({ isSuspect }) => isSuspect,
      // A job that waits for a person has no deadline while it waits.
      remainingMs: ({ phase, remainingMs }) => (phase === 'RUNNING' ? remainingMs : null),
      timeOut: (job, hold) => this.attempts.timeOut(job, hold),
      // The signal that a job is to be cancelled may have been missed.
      onKept: (renewed) => {
        for (const { id, phase } of renewed) if (phase === 'CANCELLING') this.cancel(id);
      },
      handOverMs: HAND_OVER_MS,
    });
  }

  /** Turns continue without this process; the next one checks on them. */
  onModuleDestroy(): Promise<void> {
    return this.leases.end();
  }

  /** The worker with the job's lease stops its turn, and the end of the turn ends the job. */
  cancel(jobId: string): void {
    const lease = this.leases.find(jobId);
    if (lease && !this.stopping.has(lease.hold)) void this.stopTurn(lease.claimed, lease.hold);
  }

  /** A turn that is still starting cannot be stopped yet, so the stop is repeated until it succeeds. */
  private async stopTurn(claimed: ClaimedJob, hold: Hold): Promise<void> {
    this.stopping.add(hold);
    const job = { ...claimed, turnId: turnIdOf(claimed) };
    while (this.leases.holds(hold) && !(await this.turns.stop(job))) await sleep(STOP_AGAIN_MS);
    this.stopping.delete(hold);
  }

  /** Waiting for the end of a turn is a long poll. It is abandoned when the lease is lost. */
  private run(job: ClaimedJob, hold: Hold, signal: AbortSignal): Promise<number> {
    if (job.phase === 'CANCELLING') void this.stopTurn(job, hold);
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    return Promise.race([this.attempts.run(job, hold, signal), stopped]);
  }
}
