import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { CallbacksRepository } from '../db/callbacks.repository';
import type { JobRow } from '../db/jobs.repository';
import { CallbackSender } from './callback-sender';
import { jobView } from '../records/job-view';

/** Effects of a job's end (event, callback, counters), written in the transaction that ends it. */
@Injectable()
export class JobEndEffects {
  constructor(
    private readonly callbacks: CallbacksRepository,
    private readonly sender: CallbackSender,
  ) {}

  async of(tx: Tx, job: JobRow): Promise<void> {
    if (job.callbackUrl === null) return;
    const body = { type: `agent_job.${job.phase.toLowerCase()}`, timestamp: job.finishedAt, data: jobView(job) };
    await this.callbacks.add(tx, job, job.callbackUrl, JSON.stringify(body));
    tx.afterCommit(() => {
      this.sender.wake(job.spaceId);
    });
  }
}
