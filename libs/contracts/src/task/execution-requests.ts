import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { EXECUTION_STATUSES, type ExecutionStatus } from './execution-view';
import { TASK_TYPES, TaskStep, type TaskType } from './task-field-types';

export class ExecuteTask {
  @Field(f.id()) taskId!: string;
  @Field(f.record(SIZES.inputs), { optional: true, description: "Override the task's default inputs." })
  inputs?: JsonObject;
}

@Described('Inputs of a manual execution.')
export class ExecuteTaskBody {
  @Field(f.record(SIZES.inputs), { optional: true, description: "Override the task's default inputs." })
  inputs?: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true, description: 'In place of the Idempotency-Key header.' })
  idempotencyKey?: string;
}

export class ExecutionById {
  @Field(f.id()) executionId!: string;
}

export class ExecutionContentQuery {
  @Field(
    f.text({
      max: 80,
      pattern: '^(inputs|output|steps\\.[A-Za-z_][A-Za-z0-9_-]{0,63}\\.(input|output))$',
      allows: 'must be inputs, output, steps.<id>.input or steps.<id>.output',
    }),
    {
      description: '`inputs`, `output`, or the `input` or `output` of a step.',
      example: 'steps.fetch.output',
    },
  )
  field!: string;
}

export class ExecutionContent extends ExecutionContentQuery {
  @Field(f.id()) executionId!: string;
}

export class ListExecutionsQuery extends PageRequest {
  @Field(f.oneOf(EXECUTION_STATUSES), { optional: true, description: 'Only executions with this status.' })
  status?: ExecutionStatus;
  @Field(f.time(), { optional: true, description: 'Created at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Created before this time.' }) to?: string;
}

export class ListExecutions extends ListExecutionsQuery {
  @Field(f.id()) taskId!: string;
}

export class SearchExecutions extends ListExecutionsQuery {
  @Field(f.id(), { optional: true, description: 'Only executions of this task.' }) taskId?: string;
  @Field(f.oneOf(TASK_TYPES), {
    optional: true,
    description: 'Start of the execution: by a person (`MANUAL`), a schedule or an event.',
  })
  trigger?: TaskType;
}

export class RerunExecution {
  @Field(f.id()) executionId!: string;
  @Field(f.record(SIZES.inputs), {
    optional: true,
    description: "Override the task's default inputs. If omitted, the inputs of the old execution.",
  })
  inputs?: JsonObject;
}

@Described('Inputs of the new execution. Missing: the inputs of the first one.')
export class RerunExecutionBody {
  @Field(f.record(SIZES.inputs), {
    optional: true,
    description: "Override the task's default inputs. If omitted, the inputs of the old execution.",
  })
  inputs?: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true, description: 'In place of the Idempotency-Key header.' })
  idempotencyKey?: string;
}

class StepToTry {
  @Field(f.text({ min: 1, max: 64 }), { optional: true, description: 'Id of a step of the task, run as it is saved.' })
  stepId?: string;
  @Field(f.object(() => TaskStep, { bytes: SIZES.steps }), {
    optional: true,
    description:
      'In place of `stepId`: a step that is not saved. It needs the scopes `tasks:write` and `tasks:read`, and runs as the caller.',
  })
  step?: TaskStep;
}

export class TryStep extends StepToTry {
  @Field(f.id()) executionId!: string;
}

@Described('The step to try: `stepId` or `step`.')
export class TryStepBody extends StepToTry {
  @Field(f.text({ min: 1, max: 255 }), { optional: true, description: 'In place of the Idempotency-Key header.' })
  idempotencyKey?: string;
}

/** Sent to every replica; the one that runs the execution stops it. */
export class StopExecution {
  @Field(f.id()) executionId!: string;
}
