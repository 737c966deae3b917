import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Tx } from '@switchyard/database';
import { LeaseClaimer, Logger, Metrics, SpaceLimits, Workers } from '@switchyard/service';
import { JobClaimsRepository } from '../db/job-claims.repository';
import type { JobRow } from '../db/jobs.repository';
import { JobConfig } from '../job.config';
import { JobEnding } from '../jobs/job-ending';
import { JobRunner } from './job-runner';
import { TurnPort } from './turn-port';

/** Brings jobs to this process. */
@Injectable()
export class JobClaimer implements OnModuleInit {
  private readonly claimer;

  constructor(
    private readonly database: Database,
    private readonly claims: JobClaimsRepository,
    { leases }: JobRunner,
    limits: SpaceLimits,
    private readonly ending: JobEnding,
    turns: TurnPort,
    workers: Workers,
    config: JobConfig,
    private readonly metrics: Metrics,
    logger: Logger,
  ) {
    this.claimer = new LeaseClaimer({ database, limits, workers, metrics, logger }, claims, leases, {
      what: 'jobs',
      capacity: config.JOB_WORKERS,
      endHopeless: (tx) => this.endHopeless(tx),
      onEnded: (job) => void turns.stop(job),
    });
  }

  onModuleInit(): void {
    this.claimer.begin();
    const oldest = this.metrics.gauge('switchyard_jobs_oldest_seconds', 'How long the oldest queued job has waited.');
    this.metrics.gauge('switchyard_jobs', 'Unfinished jobs by phase.', ['phase'], async (gauge) => {
      const backlog = await this.database.system('measure the jobs', (tx) => this.claims.backlog(tx)).catch(() => []);
      gauge.reset();
      oldest.set(0);
      for (const { phase, jobs, oldestSeconds } of backlog) {
        gauge.set({ phase }, jobs);
        if (phase === 'QUEUED') oldest.set(oldestSeconds);
      }
    });
  }

  wake(): void {
    this.claimer.wake();
  }

  private async endHopeless(tx: Tx): Promise<JobRow[]> {
    const rows = await this.claims.endHopeless(tx);
    for (const row of rows) await this.ending.of(tx, row);
    return rows;
  }
}
