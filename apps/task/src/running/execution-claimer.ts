import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueuedOfSpace } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
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
import { ExecutionClaimsRepository, type EndedExecution } from '../db/execution-claims.repository';
import { StepsRepository } from '../db/steps.repository';
import { TaskConfig } from '../task.config';
import { ExecutionRunner } from './execution-runner';
import { TurnCancellation } from './turn-cancellation';

/** Brings executions to this process. */
@Injectable()
export class ExecutionClaimer implements OnModuleInit {
  private readonly claimer;

  constructor(
    private readonly database: Database,
    private readonly claims: ExecutionClaimsRepository,
    private readonly steps: StepsRepository,
    { leases }: ExecutionRunner,
    limits: SpaceConcurrencyLimits,
    clocks: SpaceClocks,
    payerCache: PayerCache,
    use: SpaceUseCounter,
    private readonly settled: WakeOnTurnEnd,
    private readonly stops: TurnCancellation,
    private readonly poisoned: PoisonedWork,
    workers: Workers,
    config: TaskConfig,
    private readonly metrics: Metrics,
    logger: Logger,
  ) {
    this.claimer = new LeaseClaimer(
      { database, limits, clocks, payers: payerCache, use, workers, poisoned, metrics, logger },
      claims,
      leases,
      {
        what: 'executions',
        capacity: config.TASK_WORKERS,
        maxBytes: config.TASK_CLAIMED_MAX_BYTES,
        endHopeless: (tx, spaces) => this.endHopeless(tx, spaces),
        onEnded: ({ id }) => {
          leases.stop(id);
          this.stops.wake();
        },
      },
    );
  }

  onModuleInit(): void {
    this.claimer.begin();
    this.settled.onDue(() => {
      this.wake();
    });
    this.metrics.gauge('switchyard_executions', 'Executions by status.', ['status'], async (gauge) => {
      const backlog = await this.backlog();
      if (!backlog) return;
      gauge.set({ status: 'QUEUED' }, backlog.queued);
      gauge.set({ status: 'RUNNING' }, backlog.running);
    });
    // Of its own: a gauge that another one sets tells the scrape before this one.
    this.metrics.gauge(
      'switchyard_executions_oldest_seconds',
      'How long the oldest queued execution has waited.',
      [],
      async (gauge) => {
        const backlog = await this.backlog();
        if (backlog) gauge.set(backlog.oldestSeconds);
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

  private backlog(): Promise<{ queued: number; running: number; oldestSeconds: number } | null> {
    return this.database.system('measure the executions', (tx) => this.claims.backlog(tx)).catch(() => null);
  }

  private async endHopeless(tx: Tx, spaces: readonly string[]): Promise<EndedExecution[]> {
    const rows = await this.claims.endHopeless(tx, spaces);
    for (const { spaceId, id } of rows) await this.steps.cancelRunning(tx, spaceId, [id]);
    const givenUp = rows.filter(({ status }) => status === 'FAILED');
    await this.poisoned.note(
      tx,
      givenUp.map(({ spaceId, id, losses }) => ({ kind: 'execution', id, spaceId, losses })),
    );
    return rows;
  }
}
