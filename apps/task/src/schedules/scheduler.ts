import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Tx } from '@switchyard/database';
import { type Polled, inTurns } from '@switchyard/kernel';
import { Logger, Metrics, SpaceLimits, Workers } from '@switchyard/service';
import { type TaskRow, TasksRepository } from '../db/tasks.repository';
import { firing } from '../domain/misfire';
import { ExecutionStarter } from '../executions/execution-starter';
import { TaskConfig } from '../task.config';
import { dueTimes } from '../cron/next-due';
import { ScheduleChanges } from '../cron/schedule-changes';

const TICK_MS = 1_000;
/** Longer than the time from one look of a lookout to the answer of the next. */
const AHEAD_SECONDS = 12;
const BATCH = 50;
const POSTPONE_SECONDS = 30;
/** How soon after it was resumed a Space's schedules are looked at. */
const SUSPENDED_LOOK_SECONDS = 10;

/**
 * Starts what is due. Any replica may: each row goes to one of them, and the unique due time of an execution holds
 * even if two should come to the same one.
 */
@Injectable()
export class Scheduler implements OnModuleInit {
  private readonly missed: { inc(by: number): void };

  constructor(
    private readonly database: Database,
    private readonly tasks: TasksRepository,
    private readonly starter: ExecutionStarter,
    private readonly changes: ScheduleChanges,
    private readonly workers: Workers,
    private readonly config: TaskConfig,
    private readonly limits: SpaceLimits,
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.missed = metrics.counter(
      'switchyard_schedules_missed_total',
      'Due times that passed without a run, at most 1,000 of a schedule at a time.',
    );
  }

  onModuleInit(): void {
    const lookout = this.database.lookouts.for(this.tasks.anyDueWithin(AHEAD_SECONDS));
    this.changes.onChange(this.workers.poll('fire schedules', TICK_MS, () => this.tick(), lookout));
  }

  /** Every second while a schedule is due soon. Else the lookout says when, or who makes one that is due earlier. */
  private async tick(): Promise<Polled> {
    for (;;) {
      const suspended = await this.suspendedOfDue();
      const { fired, isSoon } = await this.database.system('fire schedules', async (tx) => {
        const due = await this.tasks.claimDue(tx, BATCH);
        // Each start locks the row that says that its Space has work: in one order, or two replicas could deadlock.
        due.sort((one, other) => (one.spaceId < other.spaceId ? -1 : Number(one.spaceId > other.spaceId)));
        for (const task of due)
          await (suspended.has(task.spaceId)
            ? this.tasks.postponeRun(tx, task, SUSPENDED_LOOK_SECONDS)
            : this.fireAlone(tx, task));
        return { fired: due.length, isSoon: await this.tasks.isAnyDueWithin(tx, AHEAD_SECONDS) };
      });
      if (fired < BATCH) return isSoon && 'soon';
    }
  }

  /** What a suspended Space misses is judged by `misfire` when it is resumed: its due time stays what it was. */
  private async suspendedOfDue(): Promise<ReadonlySet<string>> {
    const spaces = await this.database.system('look for due schedules', (tx) => this.tasks.dueSpaces(tx, BATCH));
    const are = await Promise.all(spaces.map((spaceId) => this.limits.isSuspended(spaceId)));
    return new Set(spaces.filter((_, place) => are[place]));
  }

  /** One schedule that cannot be fired must not hold up the others: it is tried again a little later. */
  private async fireAlone(tx: Tx, task: TaskRow & { now: string }): Promise<void> {
    await tx.run('savepoint schedule');
    try {
      await this.fire(tx, task);
    } catch (error) {
      await tx.run('rollback to savepoint schedule');
      this.logger.error({ err: error, taskId: task.id }, 'a schedule could not be fired');
      await this.tasks.postponeRun(tx, task, POSTPONE_SECONDS);
    }
  }

  private async fire(tx: Tx, task: TaskRow & { now: string }): Promise<void> {
    const { schedule, nextRunAt } = task;
    if (!schedule || !nextRunAt || !task.active || task.type !== 'SCHEDULE')
      return this.tasks.setNextRun(tx, task, null);
    const slices = firing(
      { slot: new Date(nextRunAt), misfire: schedule.misfire },
      new Date(task.now),
      this.config.TASK_MISFIRE_GRACE_SECONDS * 1000,
      dueTimes(schedule),
    );
    const { run, nextRunAt: next, missed } = await inTurns(slices);
    if (run) {
      await this.starter.start(tx, task, {
        kind: 'SCHEDULE',
        inputs: { ...task.inputs },
        requestedBy: null,
        keyId: task.keyId,
        cause: { causationId: null, correlationId: null, depth: 0 },
        slot: run,
      });
    }
    if (missed > 0) {
      this.missed.inc(missed);
      this.logger.warn({ taskId: task.id, missed }, 'a schedule missed due times');
    }
    await this.tasks.setNextRun(tx, task, next);
  }
}
