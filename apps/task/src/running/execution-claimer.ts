import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Logger, Metrics, Workers, isWorkerGone } from '@switchyard/service';
import { ClaimsRepository } from '../db/claims.repository';
import { StepsRepository } from '../db/steps.repository';
import { TaskConfig } from '../task.config';
import { ExecutionRunner } from './execution-runner';
import { SpaceLimits } from './space-limits';

const POLL_MS = 1_000;
const SWEEP_MS = 5_000;
/** A wait that ends this soon gets an alarm of its own; the poll finds the others. */
const ALARM_MS = 60_000;

/** Brings executions to this process: what is due in the queues, what waited, and what others lost. */
@Injectable()
export class ExecutionClaimer implements OnModuleInit {
  private rouse: () => void = () => undefined;
  private turn = 0;

  constructor(
    private readonly database: Database,
    private readonly claims: ClaimsRepository,
    private readonly steps: StepsRepository,
    private readonly runner: ExecutionRunner,
    private readonly limits: SpaceLimits,
    private readonly workers: Workers,
    private readonly config: TaskConfig,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.rouse = this.workers.poll('claim executions', POLL_MS, (signal) => this.round(signal));
    this.workers.every('sweep executions', SWEEP_MS, () => this.sweep());
    this.runner.onLetGo((afterMs) => {
      if (afterMs <= 0) this.wake();
      else if (afterMs < ALARM_MS)
        setTimeout(() => {
          this.wake();
        }, afterMs + 5).unref();
    });
    const oldest = this.metrics.gauge(
      'switchyard_executions_oldest_seconds',
      'How long the oldest queued execution has waited.',
    );
    this.metrics.gauge('switchyard_executions', 'Executions by status.', ['status'], async (gauge) => {
      const backlog = await this.database
        .system('measure the executions', (tx) => this.claims.backlog(tx))
        .catch(() => null);
      if (!backlog) return;
      gauge.set({ status: 'QUEUED' }, backlog.queued);
      gauge.set({ status: 'RUNNING' }, backlog.running);
      oldest.set(backlog.oldestSeconds);
    });
  }

  wake(): void {
    this.rouse();
  }

  /** Whether something was taken: then there may be more. */
  private async round(signal: AbortSignal): Promise<boolean> {
    let taken = 0;
    const room = (): number => this.config.TASK_WORKERS - this.runner.size;
    if (room() <= 0) return false;
    const { worker } = this.runner;
    for (const execution of await this.database.system('take loose executions', (tx) =>
      this.claims.claimLoose(tx, worker, room()),
    )) {
      this.runner.start(execution);
      taken += 1;
    }
    for (const spaceId of await this.spaces()) {
      if (room() <= 0 || signal.aborted) break;
      const space = await this.limits.of(spaceId);
      const claimed = await this.database.system('claim executions', (tx) =>
        this.claims.claimQueued(tx, spaceId, worker, { space, room: room() }),
      );
      for (const execution of claimed) this.runner.start(execution);
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
    const lost = await this.database.system('free lost executions', async (tx) =>
      this.claims.releaseLost(tx, (await this.claims.workersHolding(tx)).filter(isWorkerGone)),
    );
    if (lost > 0) {
      this.metrics.counter('switchyard_leases_lost', 'Executions whose worker was not heard of any more.').inc(lost);
      this.logger.warn({ executions: lost }, 'executions were taken from a worker that is gone');
      this.wake();
    }
    const ended = await this.database.system('end hopeless executions', async (tx) => {
      const rows = await this.claims.endHopeless(tx);
      for (const { spaceId, id } of rows) await this.steps.cancelRunning(tx, spaceId, [id]);
      return rows;
    });
    for (const { id } of ended) this.runner.stop(id);
    if (ended.length > 0) this.wake();
  }
}
