import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Logger, Metrics, Workers, isWorkerGone } from '@switchyard/service';
import { JobClaimsRepository } from '../db/job-claims.repository';
import { JobConfig } from '../job.config';
import { JobEnding } from '../jobs/job-ending';
import { JobRunner } from './job-runner';
import { SpaceLimits } from './space-limits';
import { TurnPort } from './turn-port';

const POLL_MS = 1_000;
const SWEEP_MS = 5_000;
/** A wait that ends this soon gets an alarm of its own; the poll finds the others. */
const ALARM_MS = 60_000;

/** Brings jobs to this process: the most urgent of each Space in turn, and what others lost. */
@Injectable()
export class JobClaimer implements OnModuleInit {
  private rouse: () => void = () => undefined;
  private turn = 0;

  constructor(
    private readonly database: Database,
    private readonly claims: JobClaimsRepository,
    private readonly runner: JobRunner,
    private readonly limits: SpaceLimits,
    private readonly ending: JobEnding,
    private readonly turns: TurnPort,
    private readonly workers: Workers,
    private readonly config: JobConfig,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.rouse = this.workers.poll('claim jobs', POLL_MS, (signal) => this.round(signal));
    this.workers.every('sweep jobs', SWEEP_MS, () => this.sweep());
    this.runner.onLetGo((afterMs) => {
      if (afterMs <= 0) this.wake();
      else if (afterMs < ALARM_MS)
        setTimeout(() => {
          this.wake();
        }, afterMs + 5).unref();
    });
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
    this.rouse();
  }

  private async round(signal: AbortSignal): Promise<boolean> {
    const room = (): number => this.config.JOB_WORKERS - this.runner.size;
    if (room() <= 0) return false;
    const { worker } = this.runner;
    const loose = await this.database.system('take loose jobs', (tx) => this.claims.claimLoose(tx, worker, room()));
    for (const job of loose) this.runner.start(job);
    let taken = loose.length;
    for (const spaceId of await this.spaces()) {
      if (room() <= 0 || signal.aborted) break;
      const space = await this.limits.of(spaceId);
      const claimed = await this.database.system('claim jobs', (tx) =>
        this.claims.claimQueued(tx, spaceId, worker, { space, room: room() }),
      );
      for (const job of claimed) this.runner.start(job);
      taken += claimed.length;
    }
    return taken > 0 && room() > 0;
  }

  /** Another Space comes first each time, so that a busy one cannot keep the others waiting. */
  private async spaces(): Promise<string[]> {
    const all = await this.database.system('look for work', (tx) => this.claims.spacesWaiting(tx));
    if (all.length === 0) return all;
    this.turn = (this.turn + 1) % all.length;
    return [...all.slice(this.turn), ...all.slice(0, this.turn)];
  }

  private async sweep(): Promise<void> {
    const lost = await this.database.system('free lost jobs', async (tx) =>
      this.claims.releaseLost(tx, (await this.claims.workersHolding(tx)).filter(isWorkerGone)),
    );
    if (lost > 0) {
      this.metrics.counter('switchyard_leases_lost', 'Jobs whose worker was not heard of any more.').inc(lost);
      this.logger.warn({ jobs: lost }, 'jobs were taken from a worker that is gone');
      this.wake();
    }
    const ended = await this.database.system('end hopeless jobs', async (tx) => {
      const rows = await this.claims.endHopeless(tx);
      for (const row of rows) await this.ending.of(tx, row);
      return rows;
    });
    for (const job of ended) void this.turns.stop(job);
    if (ended.length > 0) this.wake();
  }
}
