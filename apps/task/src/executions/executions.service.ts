import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  apiKeyOf,
  type Ctx,
  type ExecuteTask,
  type ExecutionView,
  type RunView,
  requireSpace,
} from '@switchyard/contracts';
import { Database, type LostWorkRow, type RetryOutcome, type Tx } from '@switchyard/database';
import { AppError, invalid } from '@switchyard/kernel';
import { PoisonedWork } from '@switchyard/service';
import { type ExecutionRow, ExecutionsRepository } from '../db/executions.repository';
import { StepsRepository } from '../db/steps.repository';
import { depthOf, hasEnded } from '../domain/execution-state';
import { toRunAgain } from '../domain/next-step';
import { ExecutionClaimer } from '../running/execution-claimer';
import { ExecutionCancellation } from '../running/execution-cancellation';
import { TasksService } from '../tasks/tasks.service';
import { ExecutionStarter } from './execution-starter';
import { ExecutionReading } from './execution-reading.service';
import { runView } from './execution-view';

const ENDED_TWICE =
  'The execution was given up: the process that ran it ended twice. An operator can have it tried again; a rerun with other inputs is a new execution.';
const UNREADABLE =
  'The steps of this execution are too large to be read: it would fail each time that it is tried. A rerun takes the steps that its task has now.';

/** Whether it was given up because it ended its process twice: the other reason is the size of its steps. */
const endedItsProcess = ({ status, error }: ExecutionRow): boolean =>
  status === 'FAILED' && error?.code === 'RUNTIME_UNAVAILABLE';

@Injectable()
export class ExecutionsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionsRepository,
    private readonly steps: StepsRepository,
    private readonly records: ExecutionReading,
    private readonly tasks: TasksService,
    private readonly starter: ExecutionStarter,
    private readonly claimer: ExecutionClaimer,
    private readonly stops: ExecutionCancellation,
    private readonly poisoned: PoisonedWork,
  ) {}

  onModuleInit(): void {
    this.poisoned.add({ kind: 'execution', retry: (tx, row) => this.retryGivenUp(tx, row) });
  }

  async execute(ctx: Ctx, { taskId, inputs = {} }: ExecuteTask): Promise<ExecutionView> {
    if (Object.hasOwn(inputs, 'trigger'))
      throw invalid('inputs.trigger', 'is set by the platform for runs that an event starts');
    return this.database.once(ctx, async (tx) => {
      const task = await this.tasks.need(tx, ctx, taskId);
      const row = await this.starter.start(tx, task, {
        kind: 'MANUAL',
        inputs: { ...task.inputs, ...inputs },
        requestedBy: ctx.userId,
        keyId: apiKeyOf(ctx),
        cause: { causationId: ctx.causationId, correlationId: ctx.correlationId, depth: depthOf(ctx) },
        lineage: ctx.lineage,
      });
      if (!row) throw new AppError('SERVICE_UNAVAILABLE', 'The execution was not recorded. Try again.');
      return this.records.ofNew(tx, row);
    });
  }

  /** One picture: an execution that grows between its sizes and its fields would be longer than a record may be. */
  get(ctx: Ctx, executionId: string): Promise<ExecutionView> {
    return this.database.snapshot(ctx, (tx) => this.records.get(tx, requireSpace(ctx), executionId));
  }

  getRun(ctx: Ctx, executionId: string): Promise<RunView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.need(tx, ctx, executionId);
      return runView(row, await this.steps.findByExecutions(tx, row.spaceId, [row.id]));
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
      this.stops.afterCommit(tx, ctx, [row.id]);
      return this.records.get(tx, row.spaceId, row.id);
    });
  }

  retry(ctx: Ctx, executionId: string): Promise<ExecutionView> {
    return this.database.transaction(ctx, async (tx) => {
      const before = await this.need(tx, ctx, executionId, { locked: true });
      await this.tasks.need(tx, ctx, before.taskId);
      if (await this.poisoned.lost.isGivenUp(tx, 'execution', before.id))
        throw new AppError('CONFLICT', endedItsProcess(before) ? ENDED_TWICE : UNREADABLE);
      const row = await this.executions.startAgain(tx, before.spaceId, before.id, apiKeyOf(ctx));
      if (!row)
        throw new AppError(
          'CONFLICT',
          `Only FAILED, TIMED_OUT and CANCELLED executions are retried; this one is ${before.status}.`,
        );
      await this.runAgain(tx, row);
      return this.records.get(tx, row.spaceId, row.id);
    });
  }

  /** By an operator, of an execution that had ended its process twice. */
  private async retryGivenUp(tx: Tx, { spaceId, id }: LostWorkRow): Promise<RetryOutcome> {
    const before = spaceId === null ? null : await this.executions.findLocked(tx, spaceId, id);
    if (!before) return 'absent';
    // Steps that are too large to be read would fail again, and an execution that ended in another way was not given
    // up.
    if (!endedItsProcess(before)) return 'refused';
    const row = await this.executions.startAgain(tx, before.spaceId, before.id, before.keyId);
    if (row) await this.runAgain(tx, row);
    return row ? 'again' : 'refused';
  }

  private async runAgain(tx: Tx, row: ExecutionRow): Promise<void> {
    const steps = await this.steps.findByExecutions(tx, row.spaceId, [row.id]);
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
  }

  private async need(tx: Tx, ctx: Ctx, executionId: string, how: { locked?: boolean } = {}): Promise<ExecutionRow> {
    const row = await (how.locked
      ? this.executions.findLocked(tx, requireSpace(ctx), executionId)
      : this.executions.find(tx, requireSpace(ctx), executionId));
    if (!row) throw new AppError('NOT_FOUND', 'Execution not found');
    return row;
  }
}
