import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  DEFAULT_PAGE,
  type ExecuteTask,
  type ExecutionView,
  type ListExecutions,
  type Page,
  type RunView,
  TaskSignals,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, encodeCursor, invalid } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { EXECUTION_LIST, type ExecutionRow, ExecutionsRepository } from '../db/executions.repository';
import { type StepRow, StepsRepository } from '../db/steps.repository';
import { depthOf, hasEnded } from '../domain/execution-state';
import { toRunAgain } from '../domain/step-plan';
import { ExecutionClaimer } from '../running/execution-claimer';
import { TasksService } from '../tasks/tasks.service';
import { ExecutionStarter } from './execution-starter';
import { executionView, runView } from './execution-view';

/** A page of executions ends early rather than growing past what one answer may carry. */
const PAGE_CHARACTERS = 6 * 1024 * 1024;

@Injectable()
export class ExecutionsService {
  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionsRepository,
    private readonly steps: StepsRepository,
    private readonly tasks: TasksService,
    private readonly starter: ExecutionStarter,
    private readonly claimer: ExecutionClaimer,
    private readonly bus: Bus,
  ) {}

  async execute(ctx: Ctx, { taskId, inputs = {} }: ExecuteTask): Promise<ExecutionView> {
    if (Object.hasOwn(inputs, 'trigger'))
      throw invalid('inputs.trigger', 'is set by the platform for runs that an event starts');
    return this.database.once(ctx, async (tx) => {
      const task = await this.tasks.need(tx, ctx, taskId);
      const row = await this.starter.start(tx, task, {
        kind: 'MANUAL',
        inputs: { ...task.inputs, ...inputs },
        requestedBy: ctx.userId,
        cause: { causationId: ctx.causationId, correlationId: ctx.correlationId, depth: depthOf(ctx) },
      });
      if (!row) throw new AppError('SERVICE_UNAVAILABLE', 'The execution was not recorded. Try again.');
      return executionView(row, []);
    });
  }

  list(ctx: Ctx, filter: ListExecutions): Promise<Page<ExecutionView>> {
    const spaceId = requireSpace(ctx);
    const limit = filter.limit ?? DEFAULT_PAGE;
    return this.database.transaction(ctx, async (tx) => {
      await this.tasks.need(tx, ctx, filter.taskId);
      const rows = await this.executions.list(tx, spaceId, filter);
      const steps = await this.steps.of(
        tx,
        spaceId,
        rows.map((row) => row.id),
      );
      return this.page(rows, steps, limit);
    });
  }

  get(ctx: Ctx, executionId: string): Promise<ExecutionView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.need(tx, ctx, executionId);
      return executionView(row, await this.steps.of(tx, row.spaceId, [row.id]));
    });
  }

  getRun(ctx: Ctx, executionId: string): Promise<RunView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.need(tx, ctx, executionId);
      return runView(row, await this.steps.of(tx, row.spaceId, [row.id]));
    });
  }

  /** Done at once in the database; the worker that runs it is shut out by the epoch, and told to stop. */
  cancel(ctx: Ctx, executionId: string): Promise<ExecutionView> {
    return this.database.transaction(ctx, async (tx) => {
      const before = await this.need(tx, ctx, executionId, { locked: true });
      if (hasEnded(before.status) && before.status !== 'CANCELLED') {
        throw new AppError('CONFLICT', `The execution has ended already: it is ${before.status}.`);
      }
      const row = (await this.executions.cancel(tx, before.spaceId, before.id)) ?? before;
      await this.steps.cancelRunning(tx, row.spaceId, [row.id]);
      tx.afterCommit(() => {
        this.bus.signal(TaskSignals.stopExecution, ctx, { executionId });
        this.claimer.wake();
      });
      return executionView(row, await this.steps.of(tx, row.spaceId, [row.id]));
    });
  }

  retry(ctx: Ctx, executionId: string): Promise<ExecutionView> {
    return this.database.transaction(ctx, async (tx) => {
      const before = await this.need(tx, ctx, executionId, { locked: true });
      await this.tasks.need(tx, ctx, before.taskId);
      const row = await this.executions.startAgain(tx, before.spaceId, before.id);
      if (!row)
        throw new AppError(
          'CONFLICT',
          `Only FAILED, TIMED_OUT and CANCELLED executions are retried; this one is ${before.status}.`,
        );
      const steps = await this.steps.of(tx, row.spaceId, [row.id]);
      const stands = new Map(
        steps.map((step) => [
          step.stepId,
          { id: step.stepId, status: step.status, output: step.output, error: step.error },
        ]),
      );
      await this.steps.clear(tx, row.spaceId, row.id, toRunAgain(row.steps, stands));
      tx.afterCommit(() => {
        this.claimer.wake();
      });
      return executionView(row, await this.steps.of(tx, row.spaceId, [row.id]));
    });
  }

  private async need(tx: Tx, ctx: Ctx, executionId: string, how: { locked?: boolean } = {}): Promise<ExecutionRow> {
    const row = await (how.locked
      ? this.executions.findLocked(tx, requireSpace(ctx), executionId)
      : this.executions.find(tx, requireSpace(ctx), executionId));
    if (!row) throw new AppError('NOT_FOUND', 'There is no such execution in this Space.');
    return row;
  }

  private page(rows: ExecutionRow[], steps: StepRow[], limit: number): Page<ExecutionView> {
    const items: ExecutionView[] = [];
    let left = PAGE_CHARACTERS;
    for (const row of rows.slice(0, limit)) {
      const view = executionView(
        row,
        steps.filter((step) => step.executionId === row.id),
      );
      left -= JSON.stringify(view).length;
      if (left < 0 && items.length > 0) break;
      items.push(view);
    }
    const last = items.at(-1);
    return { items, nextCursor: items.length < rows.length && last ? encodeCursor(EXECUTION_LIST, [last.id]) : null };
  }
}
