import { Injectable } from '@nestjs/common';
import {
  apiKeyOf,
  type Cause,
  type Ctx,
  type ExecutionView,
  type RerunExecution,
  requireSpace,
  SIZES,
  isOverBytes,
  overBytes,
} from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError, type JsonObject, invalid } from '@switchyard/kernel';
import { type ExecutionRow, ExecutionsRepository } from '../db/executions.repository';
import { depthOf } from '../domain/execution-state';
import { TasksService } from '../tasks/tasks.service';
import { ExecutionStarter, type Start } from './execution-starter';
import { ExecutionReading } from './execution-reading.service';
import { triggerOf } from './execution-view';

/** Runs a task again, as it is now, with the inputs of an earlier execution or with others. */
@Injectable()
export class RerunService {
  constructor(
    private readonly database: Database,
    private readonly executions: ExecutionsRepository,
    private readonly tasks: TasksService,
    private readonly starter: ExecutionStarter,
    private readonly records: ExecutionReading,
  ) {}

  async rerun(ctx: Ctx, { executionId, inputs }: RerunExecution): Promise<ExecutionView> {
    if (inputs && Object.hasOwn(inputs, 'trigger'))
      throw invalid('inputs.trigger', "must not be given; a rerun keeps the trigger of an event's run");
    return this.database.once(ctx, async (tx) => {
      const before = await this.executions.find(tx, requireSpace(ctx), executionId);
      if (!before) throw new AppError('NOT_FOUND', 'Execution not found');
      const task = await this.tasks.need(tx, ctx, before.taskId);
      const row = await this.starter.start(tx, task, {
        ...inheritedFrom(ctx, before, inputs && { ...task.inputs, ...inputs }),
        requestedBy: ctx.userId,
        keyId: apiKeyOf(ctx),
      });
      if (!row) throw new AppError('SERVICE_UNAVAILABLE', 'The execution was not recorded. Try again.');
      return this.records.ofNew(tx, row);
    });
  }
}

/** Inputs, trigger and cause of an execution that begins with those of an earlier one, or with other inputs. */
export function inheritedFrom(
  ctx: Ctx,
  before: ExecutionRow,
  inputs?: JsonObject,
): Pick<Start, 'kind' | 'inputs' | 'cause' | 'rerunOf'> {
  const trigger = triggerOf(before);
  if (!inputs) checkOldInputs(before.inputs);
  const given = inputs ?? before.inputs;
  return {
    kind: trigger ? 'EVENT' : 'MANUAL',
    inputs: trigger ? { ...given, trigger } : given,
    cause: causeOf(ctx, before, trigger !== null),
    rerunOf: before.id,
  };
}

/** Inputs and the task's defaults beside them; the trigger, which comes from an event, has the limit of its payload. */
const OLD_INPUTS_MAX_BYTES = SIZES.inputs + SIZES.defaultInputs;

/** Inputs stored before there was a limit are not copied. */
function checkOldInputs({ trigger: _, ...inputs }: JsonObject): void {
  if (isOverBytes(inputs, OLD_INPUTS_MAX_BYTES)) throw invalid('inputs', overBytes(SIZES.inputs));
}

/** Descendants of an event's rerun count for that event, as those of the first run. */
const causeOf = (ctx: Ctx, before: ExecutionRow, isEvent: boolean): Cause =>
  isEvent
    ? { causationId: before.causationId, correlationId: before.correlationId, depth: before.depth }
    : { causationId: ctx.causationId, correlationId: ctx.correlationId, depth: depthOf(ctx) };
