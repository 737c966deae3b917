import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import { type Hold, LeaseHolder, Logger } from '@switchyard/service';
import { type ClaimedJob, JobClaimsRepository, type KeptJob } from '../db/job-claims.repository';
import { JobAttempt } from './job-attempt';
import { turnIdOf } from './job-identity';
import { TurnPort } from './turn-port';

const HAND_OVER_MS = 3_000;
const STOP_AGAIN_MS = 200;

/** The jobs that this process works on. */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  readonly leases: LeaseHolder<ClaimedJob, KeptJob>;
  private readonly stopping = new Set<Hold>();

  constructor(
    database: Database,
    claims: JobClaimsRepository,
    private readonly attempts: JobAttempt,
    private readonly turns: TurnPort,
    logger: Logger,
  ) {
    this.leases = new LeaseHolder(database, claims, logger, {
      what: 'job',
      work: (job, hold, signal) => this.run(job, hold, signal),
      // A job that waits for a person has no deadline while it waits.
      remainingMs: ({ phase, remainingMs }) => (phase === 'RUNNING' ? remainingMs : null),
      timeOut: (job, hold) => this.attempts.timeOut(job, hold),
      // The signal that a job is to be cancelled may have been missed.
      onKept: (kept) => {
        for (const { id, phase } of kept) if (phase === 'CANCELLING') this.cancel(id);
      },
      handOverMs: HAND_OVER_MS,
    });
  }

  /** The turns go on by themselves; the next process asks after them. */
  onModuleDestroy(): Promise<void> {
    return this.leases.end();
  }

  /** Whoever holds the job stops its turn; the end of the turn is the end of the job. */
  cancel(jobId: string): void {
    const held = this.leases.find(jobId);
    if (held && !this.stopping.has(held.hold)) void this.stopTurn(held.claimed, held.hold);
  }

  /** A turn that is just about to begin cannot be told yet, so it is told until it has heard. */
  private async stopTurn(claimed: ClaimedJob, hold: Hold): Promise<void> {
    this.stopping.add(hold);
    const job = { ...claimed, turnId: turnIdOf(claimed) };
    while (this.leases.holds(hold) && !(await this.turns.stop(job))) await sleep(STOP_AGAIN_MS);
    this.stopping.delete(hold);
  }

  /** The question for the end of a turn takes its time to come back; nobody waits for it once the job is not held any more. */
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
