import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueuedOfSpace } from '@switchyard/contracts';
import { Database, LOSSES_MAX, type Tx } from '@switchyard/database';
import {
  LeaseClaimer,
  Logger,
  Metrics,
  PayerCache,
  PoisonedWork,
  WakeOnTurnEnd,
  SpaceClocks,
  SpaceConcurrencyLimits,
  SpaceUseCounter,
  Workers,
} from '@switchyard/service';
import { JobClaimsRepository } from '../db/job-claims.repository';
import type { JobRow } from '../db/jobs.repository';
import { JobConfig } from '../job.config';
import { JobEndEffects } from '../callbacks/job-end-effects';
import { JobRunner } from './job-runner';
import { TurnClient } from './turn-client';

/** Brings jobs to this process. */
@Injectable()
export class JobClaimer implements OnModuleInit {
  private readonly claimer;

  constructor(
    private readonly database: Database,
    private readonly claims: JobClaimsRepository,
    { leases }: JobRunner,
    limits: SpaceConcurrencyLimits,
    clocks: SpaceClocks,
    payerCache: PayerCache,
    use: SpaceUseCounter,
    private readonly ending: JobEndEffects,
    turns: TurnClient,
    private readonly settled: WakeOnTurnEnd,
    private readonly poisoned: PoisonedWork,
    workers: Workers,
    config: JobConfig,
    private readonly metrics: Metrics,
    logger: Logger,
  ) {
    this.claimer = new LeaseClaimer(
      { database, limits, clocks, payers: payerCache, use, workers, poisoned, metrics, logger },
      claims,
      leases,
      {
        what: 'jobs',
        capacity: config.JOB_WORKERS,
        maxBytes: config.JOB_CLAIMED_MAX_BYTES,
        endHopeless: (tx, spaces) => this.endHopeless(tx, spaces),
        onEnded: (job) => void turns.stop(job),
      },
    );
  }

  onModuleInit(): void {
    this.claimer.begin();
    this.settled.onDue(() => {
      this.wake();
    });
    this.metrics.gauge('switchyard_jobs', 'Unfinished jobs by phase.', ['phase'], async (gauge) => {
      const backlog = await this.backlog();
      if (!backlog) return;
      gauge.reset();
      for (const { phase, jobs } of backlog) gauge.set({ phase }, jobs);
    });
    // Of its own: a gauge that another one sets tells the scrape before this one.
    this.metrics.gauge(
      'switchyard_jobs_oldest_seconds',
      'How long the oldest queued job has waited.',
      [],
      async (gauge) => {
        const backlog = await this.backlog();
        if (backlog) gauge.set(backlog.find(({ phase }) => phase === 'QUEUED')?.oldestSeconds ?? 0);
      },
    );
  }

  wake(): void {
    this.claimer.wake();
  }

  /** The Spaces of which most waits. */
  topQueued(): Promise<QueuedOfSpace[]> {
    return this.database.system('find the longest queues', (tx) => this.claims.topQueued(tx));
  }

  private backlog(): Promise<{ phase: string; jobs: number; oldestSeconds: number }[] | null> {
    return this.database.system('measure the jobs', (tx) => this.claims.backlog(tx)).catch(() => null);
  }

  private async endHopeless(tx: Tx, spaces: readonly string[]): Promise<JobRow[]> {
    const rows = await this.claims.endHopeless(tx, spaces);
    for (const row of rows) await this.ending.of(tx, row);
    const givenUp = rows.filter(({ phase }) => phase === 'FAILED');
    await this.poisoned.note(
      tx,
      givenUp.map(({ spaceId, id }) => ({ kind: 'job', id, spaceId, losses: LOSSES_MAX })),
    );
    return rows;
  }
}
