import { Inject, Injectable } from '@nestjs/common';
import {
  type Count,
  type CreateTask,
  type Ctx,
  type EventTask,
  type ListTasks,
  type Page,
  type Scope,
  type SecretUsers,
  TaskEvents,
  type TaskStep,
  type TaskSummary,
  type TaskView,
  type UpdateTask,
  actAs,
  apiKeyOf,
  requireSpace,
  requireReplaced,
  requireUser,
  serviceCtx,
} from '@switchyard/contracts';
import { Database, type Tx, listById, onceAfter, requireBelowCeiling } from '@switchyard/database';
import { AppError, type Clock, newId } from '@switchyard/kernel';
import { CLOCK, Egress, SpacePolicyCache } from '@switchyard/service';
import { ExecutionsRepository } from '../db/executions.repository';
import { StepsRepository } from '../db/steps.repository';
import { columnsOfFields, fieldsOfRow, type NewTask, type TaskRow } from '../db/task-columns';
import { TasksRepository } from '../db/tasks.repository';
import { type TaskFields, changeTask } from '../domain/task-fields';
import { checkScopes, scopesOfSteps } from '../domain/task-scopes';
import { checkStep, literalUrls } from '../domain/check-steps';
import { checkSchedule, nextDue } from '../cron/next-run-time';
import { ScheduleChanges } from '../cron/schedule-change-signal';
import { ExecutionCancellation } from '../running/execution-cancellation';
import { TaskConfig } from '../task.config';
import { TaskReferences } from './task-references';
import { taskSummary, taskView } from './task-view';

const LIST = listById('tasks');

export const taskNotFound = (): AppError => new AppError('NOT_FOUND', 'Task not found in this Space.');

@Injectable()
export class TasksService {
  constructor(
    private readonly database: Database,
    private readonly tasks: TasksRepository,
    private readonly executions: ExecutionsRepository,
    private readonly steps: StepsRepository,
    private readonly references: TaskReferences,
    private readonly schedules: ScheduleChanges,
    private readonly stops: ExecutionCancellation,
    private readonly egress: Egress,
    private readonly config: TaskConfig,
    readonly policies: SpacePolicyCache,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(ctx: Ctx, request: CreateTask): Promise<TaskView> {
    const spaceId = requireSpace(ctx);
    const ownerId = requireUser(ctx);
    const task = this.changed(null, request);
    const [id, keyId] = [newId(), apiKeyOf(ctx)];
    const ceiling = await this.policies.ceilingOf(spaceId, 'tasks');
    const add = async (tx: Tx, scopes: Scope[]): Promise<TaskView> => {
      await this.requireCapacity(tx, spaceId, ceiling);
      const made = { spaceId, id, ownerId, scopes, keyId, applicationId: null, defaultRevision: null };
      return taskView(ctx, await this.tasks.add(tx, this.record(made, task, null)));
    };
    return onceAfter(this.database, ctx, () => this.checkReach(ctx, task.steps), add);
  }

  requireCapacity(tx: Tx, spaceId: string, ceiling: number | null): Promise<void> {
    return requireBelowCeiling(tx, { spaceId, name: 'tasks', ceiling, count: () => this.tasks.count(tx, spaceId) });
  }

  async count(spaceId: string): Promise<Count> {
    return { count: await this.database.inSpace(spaceId, (tx) => this.tasks.count(tx, spaceId)) };
  }

  async list(ctx: Ctx, filter: ListTasks): Promise<Page<TaskSummary>> {
    const window = LIST.windowOf(filter);
    const rows = await this.database.transaction(ctx, (tx) => this.tasks.list(tx, requireSpace(ctx), filter, window));
    return LIST.pageOf(rows, window, taskSummary);
  }

  get(ctx: Ctx, taskId: string): Promise<TaskView> {
    return this.database.transaction(ctx, async (tx) => taskView(ctx, await this.need(tx, ctx, taskId)));
  }

  async update(ctx: Ctx, request: UpdateTask): Promise<TaskView> {
    const { changes, taskId } = request;
    if (changes.steps) checkScopes(ctx, changes.steps);
    const seen = await this.database.transaction(ctx, (tx) => this.need(tx, ctx, taskId));
    requireReplaced(seen.oversized, changes);
    const scopes = changes.steps
      ? await this.checkReach(ctx, changes.steps)
      : await this.checkAuthority(ctx, seen.steps, { mustExist: false });
    return (await this.save(ctx, request, { seen, scopes })) ?? this.update(ctx, request);
  }

  /** Null when the steps that were judged are not those of the task any more. */
  private save(
    ctx: Ctx,
    { changes, taskId, ifVersion }: UpdateTask,
    { seen, scopes }: { seen: TaskRow; scopes: Scope[] },
  ): Promise<TaskView | null> {
    return this.database.transaction(ctx, async (tx) => {
      const old = await this.tasks.findLocked(tx, requireSpace(ctx), taskId);
      if (!old) throw taskNotFound();
      if (!changes.steps && old.version !== seen.version) return null;
      if (ifVersion !== undefined && ifVersion !== old.version) {
        throw new AppError(
          'PRECONDITION_FAILED',
          `The task is at version ${old.version} now. Read it again before you change it.`,
        );
      }
      requireReplaced(old.oversized, changes);
      const task = this.changed(fieldsOfRow(old), changes);
      // A task runs as its owner: the person who changes its steps becomes the owner.
      const ownerId = changes.steps || changes.inputs ? requireUser(ctx) : old.ownerId;
      const existing = { ...old, ownerId, scopes, keyId: apiKeyOf(ctx), applicationId: null };
      const saved = await this.tasks.save(tx, this.record(existing, task, old));
      if (old.active && !task.active) await this.stopQueued(tx, old);
      if (old.applicationId !== null) await tx.announce(TaskEvents.defaultTaken, ctx, { taskId });
      return taskView(ctx, saved);
    });
  }

  async remove(ctx: Ctx, taskId: string): Promise<void> {
    const spaceId = requireSpace(ctx);
    await this.database.transaction(ctx, async (tx) => {
      if (!(await this.removeIn(tx, spaceId, taskId))) throw taskNotFound();
    });
  }

  async removeIn(tx: Tx, spaceId: string, taskId: string): Promise<boolean> {
    if ((await this.tasks.remove(tx, spaceId, taskId)) === 0) return false;
    const ended = await this.executions.cancelAllOf(tx, spaceId, taskId);
    await this.steps.cancelRunning(
      tx,
      spaceId,
      ended.map(({ id }) => id),
    );
    const ctx = actAs(serviceCtx('task'), { spaceId });
    const leased = ended.filter(({ isLeased }) => isLeased);
    this.stops.afterCommit(
      tx,
      ctx,
      leased.map(({ id }) => id),
    );
    await tx.announce(TaskEvents.removed, ctx, { taskId });
    return true;
  }

  /** The tasks whose steps name a secret. */
  async secretUsers(ctx: Ctx, name: string): Promise<SecretUsers> {
    return { users: await this.database.transaction(ctx, (tx) => this.tasks.naming(tx, requireSpace(ctx), name)) };
  }

  async describe(spaceId: string, taskIds: string[]): Promise<EventTask[]> {
    const [rows = []] = await this.database.writeInSpace(spaceId, [this.tasks.describe(spaceId, taskIds)]);
    return rows as unknown as EventTask[];
  }

  /**
   * Steps do what the caller's credential may do, with what is there for the caller. Gives the scopes of their runs.
   */
  async checkReach(ctx: Ctx, steps: readonly TaskStep[]): Promise<Scope[]> {
    checkScopes(ctx, steps);
    const tools = await this.references.check(ctx, steps);
    checkScopes(ctx, steps, tools);
    return scopesOfSteps(steps, tools);
  }

  /** Every change of a task needs the scopes of all its steps, because its runs get them. */
  private async checkAuthority(ctx: Ctx, steps: readonly TaskStep[], how: { mustExist: boolean }): Promise<Scope[]> {
    checkScopes(ctx, steps);
    const tools = await this.references.toolScopes(ctx, steps, how);
    checkScopes(ctx, steps, tools);
    return scopesOfSteps(steps, tools);
  }

  async need(tx: Tx, ctx: Ctx, taskId: string): Promise<TaskRow> {
    const row = await this.tasks.find(tx, requireSpace(ctx), taskId);
    if (!row) throw taskNotFound();
    return row;
  }

  /** Checks a step that is not saved, as it would be checked when it is. */
  checkStep(step: TaskStep, path: string): void {
    checkStep(step, path);
    for (const literal of literalUrls([step], () => path)) this.egress.policy.checkUrl(literal.url, literal.path);
  }

  /** Checks a whole task, its schedule and the addresses that it names included. */
  changed(before: TaskFields | null, changes: UpdateTask['changes']): TaskFields {
    const defaults = { concurrency: this.config.TASK_CONCURRENCY, timeoutSeconds: this.config.TASK_TIMEOUT_SECONDS };
    const task = changeTask(before, changes, defaults);
    if (task.schedule) checkSchedule(task.schedule, this.clock.now());
    if (changes.steps) for (const { url, path } of literalUrls(task.steps)) this.egress.policy.checkUrl(url, path);
    return task;
  }

  record(
    existing: Pick<NewTask, 'spaceId' | 'id' | 'ownerId' | 'scopes' | 'keyId' | 'applicationId' | 'defaultRevision'>,
    task: TaskFields,
    old: TaskRow | null,
  ): NewTask {
    const nextRunAt = this.nextRunAt(task, old);
    // The scheduler looks every second for a while then, and so also when this is committed.
    if (nextRunAt !== null) this.schedules.say();
    return {
      spaceId: existing.spaceId,
      id: existing.id,
      ownerId: existing.ownerId,
      scopes: existing.scopes,
      keyId: existing.keyId,
      applicationId: existing.applicationId,
      defaultRevision: existing.defaultRevision,
      ...columnsOfFields(task),
      nextRunAt,
    };
  }

  /** A change of anything else leaves the next due time where it is, also when that is now. */
  private nextRunAt(task: TaskFields, old: TaskRow | null): string | null {
    if (task.type !== 'SCHEDULE' || !task.active || !task.schedule) return null;
    const { cron, timezone } = task.schedule;
    const unchanged = old?.nextRunAt && old.schedule?.cron === cron && old.schedule.timezone === timezone;
    return unchanged ? old.nextRunAt : (nextDue(task.schedule, this.clock.now())?.toISOString() ?? null);
  }

  private async stopQueued(tx: Tx, task: TaskRow): Promise<void> {
    await this.executions.skipQueued(tx, task.spaceId, task.id, {
      code: 'CONFLICT',
      message: 'The task was switched off before it ran.',
    });
  }
}
