import { Injectable } from '@nestjs/common';
import {
  apiKeyOf,
  type Ctx,
  type ExecutionView,
  type Scope,
  type TaskStep,
  type TryStep,
  missingScopes,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, onceAfter } from '@switchyard/database';
import { AppError, invalid } from '@switchyard/kernel';
import { ExecutionsRepository } from '../db/executions.repository';
import { StepsRepository } from '../db/steps.repository';
import type { TaskRow } from '../db/task-columns';
import { stepsReadBy } from '../domain/steps-read-by';
import { TasksService } from '../tasks/tasks.service';
import { ExecutionStarter } from './execution-starter';
import { ExecutionReading } from './execution-reading.service';
import { inheritedFrom } from './rerun.service';

/** For a step that the caller writes, as for saving a task and reading its executions. */
const OF_AUTHORS: readonly Scope[] = ['tasks:write', 'tasks:read'];

/** Runs one step alone, for real, with the inputs and results of an earlier execution. */
@Injectable()
export class TryStepService {
  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionsRepository,
    private readonly steps: StepsRepository,
    private readonly tasks: TasksService,
    private readonly starter: ExecutionStarter,
    private readonly records: ExecutionReading,
  ) {}

  try(ctx: Ctx, { executionId, stepId, step }: TryStep): Promise<ExecutionView> {
    if ((stepId === undefined) === (step === undefined))
      throw invalid(step ? 'step' : 'stepId', 'must be given, or the other of stepId and step, and not both');
    const check = async (): Promise<Scope[]> => (step ? this.checkWritten(ctx, step) : []);
    return onceAfter(this.database, ctx, check, async (tx, scopes) => {
      const before = await this.executions.find(tx, requireSpace(ctx), executionId);
      if (!before) throw new AppError('NOT_FOUND', 'Execution not found');
      const saved = await this.tasks.need(tx, ctx, before.taskId);
      const tried = step ?? savedStep(saved, stepId);
      const task = {
        ...saved,
        // One attempt, whose error is shown.
        steps: [{ id: tried.id, type: tried.type, if: tried.if, with: tried.with }],
        retry: { ...saved.retry, maxAttempts: 1 },
        // It waits for its turn: a person looks at it.
        concurrencyPolicy: 'QUEUE' as const,
        ...(step ? { ownerId: requireUser(ctx), scopes } : {}),
      };
      const row = await this.starter.start(tx, task, {
        ...inheritedFrom(ctx, before),
        requestedBy: ctx.userId,
        keyId: apiKeyOf(ctx),
        triedStep: tried.id,
        readBytes: await this.steps.bytesOfResults(tx, before.spaceId, before.id, stepsReadBy(tried)),
      });
      if (!row) throw new AppError('SERVICE_UNAVAILABLE', 'The execution was not recorded. Try again.');
      return this.records.ofNew(tx, row);
    });
  }

  private checkWritten(ctx: Ctx, step: TaskStep): Promise<Scope[]> {
    const missing = missingScopes(ctx, OF_AUTHORS);
    if (missing.length > 0)
      throw new AppError(
        'FORBIDDEN',
        `Trying a step that is not saved needs the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}, which this credential does not have.`,
      );
    this.tasks.checkStep(step, 'step');
    return this.tasks.checkReach(ctx, [step]);
  }
}

function savedStep({ steps }: TaskRow, stepId: string | undefined): TaskStep {
  const step = steps.find(({ id }) => id === stepId);
  if (!step) throw invalid('stepId', 'is not the id of a step of the task');
  return step;
}
