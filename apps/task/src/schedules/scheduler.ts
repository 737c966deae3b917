import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Tx } from '@switchyard/database';
import { type Polled } from '@switchyard/concurrency';
import { runInSlices, newId, poisonPoint } from '@switchyard/kernel';
import { Logger, Metrics, PoisonedWork, SpaceConcurrencyLimits, Workers } from '@switchyard/service';
import type { TaskRow } from '../db/task-columns';
import { TasksRepository } from '../db/tasks.repository';
import { firing } from '../domain/missed-schedule-policy';
import { ExecutionStarter } from '../executions/execution-starter';
import { dueTimes } from '../cron/next-run-time';
import { ScheduleChanges } from '../cron/schedule-change-signal';

const TICK_MS = 1_000;
/** A due time that is at most this late counts as on time. */
const MISFIRE_GRACE_MS = 60_000;
/** Longer than the time from one look of a lookout to the answer of the next. */
const LOOKAHEAD_SECONDS = 12;
const BATCH = 50;
/** Steps and inputs of schedules that are fired in one transaction. */
const BATCH_BYTES = 2 * 1024 * 1024;
const SLOT = 'schedules';
const POSTPONE_SECONDS = 30;
/** How soon after it was resumed a Space's schedules are looked at. */
const SUSPENDED_LOOK_SECONDS = 10;

const GIVEN_UP = {
  code: 'RUNTIME_UNAVAILABLE',
  message:
    'The schedule was stopped: the process that started its run ended twice. Save the task anew, or an operator can have it tried again.',
};

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
    private readonly limits: SpaceConcurrencyLimits,
    private readonly poisoned: PoisonedWork,
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.missed = metrics.counter(
      'switchyard_schedules_missed_total',
      'Scheduled times that passed without a run; at most 1,000 are counted per schedule at a time.',
    );
  }

  onModuleInit(): void {
    this.poisoned.add({
      kind: 'schedule',
      runAlone: (id) => this.runAlone(id),
      giveUp: (tx, id) => this.tasks.stopSchedule(tx, id, newId(), GIVEN_UP),
      retry: async (tx, { spaceId, id }) =>
        spaceId === null ? 'absent' : this.tasks.startScheduleAgain(tx, spaceId, id),
    });
    const poller = this.database.idlePoller.for(this.tasks.anyDueWithin(LOOKAHEAD_SECONDS));
    this.changes.onChange(this.workers.poll('fire schedules', TICK_MS, () => this.tick(), poller));
  }

  /** Every second while a schedule is due soon. Else the lookout says when, or who makes one that is due earlier. */
  private async tick(): Promise<Polled> {
    for (;;) {
      const fired = await this.poisoned.marks.fresh(() => this.fireSome());
      if (fired > 0) continue;
      const isSoon = await this.database.system('look for schedules', (tx) =>
        this.tasks.isAnyDueWithin(tx, LOOKAHEAD_SECONDS),
      );
      return isSoon && 'soon';
    }
  }

  /** Small ones together, each read by itself. */
  private async fireSome(): Promise<number> {
    const { marks } = this.poisoned;
    const request = { limit: BATCH, bytes: BATCH_BYTES, worker: marks.worker, slot: SLOT };
    marks.hold(SLOT);
    let due: Record<string, unknown>[] = [];
    try {
      [due = []] = await this.database.systemWrite('take due schedules', [this.tasks.takeDue(request)]);
      marks.hold(SLOT, { kind: 'schedule', ids: due.map(({ id }) => id as string) });
    } finally {
      if (due.length === 0) marks.drop(SLOT);
    }
    if (due.length === 0) return 0;
    try {
      const suspended = await this.suspendedOf(due.map(({ spaceId }) => spaceId as string));
      await this.database.system('fire schedules', async (tx) => {
        // In the order of their Spaces: each start locks the row that says that its Space has work, and two replicas
        // could deadlock.
        for (const row of due) {
          const schedule = { spaceId: row.spaceId as string, id: row.id as string };
          await (suspended.has(schedule.spaceId)
            ? this.tasks.postponeRun(tx, schedule, SUSPENDED_LOOK_SECONDS)
            : this.fireAlone(tx, schedule));
        }
        await marks.end(tx, SLOT);
      });
    } finally {
      await marks.release(SLOT);
    }
    return due.length;
  }

  /** `misfire` applies to missed runs when the Space is resumed: the due time is unchanged. */
  private async suspendedOf(spaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const spaces = [...new Set(spaceIds)];
    const mayRun = await Promise.all(spaces.map((spaceId) => this.limits.mayRun(spaceId)));
    return new Set(spaces.filter((_, index) => mayRun[index] === false));
  }

  /** One that was lost once. */
  private async runAlone(id: string): Promise<'ended' | 'later'> {
    const spaceId = await this.database.system('find a lost schedule', (tx) => this.tasks.spaceOfSchedule(tx, id));
    if (spaceId === null) return 'ended';
    if ((await this.suspendedOf([spaceId])).size > 0) return 'later';
    await this.database.system('fire a lost schedule', (tx) => this.fireAlone(tx, { spaceId, id }));
    return 'ended';
  }

  /** One schedule that cannot be fired must not hold up the others: it is tried again a little later. */
  private async fireAlone(tx: Tx, schedule: { spaceId: string; id: string }): Promise<void> {
    await tx.run('savepoint schedule');
    try {
      const task = await this.tasks.findDue(tx, schedule.spaceId, schedule.id);
      if (task) await this.fire(tx, task);
    } catch (error) {
      await tx.run('rollback to savepoint schedule');
      this.logger.error({ err: error, taskId: schedule.id }, 'failed to fire a schedule');
      await this.tasks.postponeRun(tx, schedule, POSTPONE_SECONDS);
    }
  }

  private async fire(tx: Tx, task: TaskRow & { now: string }): Promise<void> {
    const { schedule, nextRunAt } = task;
    poisonPoint('task.firing', task.inputs);
    if (!schedule || !nextRunAt || !task.active || task.type !== 'SCHEDULE')
      return this.tasks.setNextRun(tx, task, null);
    const slices = firing(
      { slot: new Date(nextRunAt), misfire: schedule.misfire },
      new Date(task.now),
      MISFIRE_GRACE_MS,
      dueTimes(schedule),
    );
    const { run, nextRunAt: next, missed } = await runInSlices(slices);
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
