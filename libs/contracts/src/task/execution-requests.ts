import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { EXECUTION_STATUSES, type ExecutionStatus } from './execution-view';

export class ExecuteTask {
  @Field(f.id()) taskId!: string;
  @Field(f.record(), { optional: true, description: "Laid over the task's own defaults." }) inputs?: JsonObject;
}

export class ExecutionById {
  @Field(f.id()) executionId!: string;
}

export class ListExecutionsQuery extends PageRequest {
  @Field(f.oneOf(EXECUTION_STATUSES), { optional: true }) status?: ExecutionStatus;
  @Field(f.time(), { optional: true, description: 'Created at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Created before this time.' }) to?: string;
}

export class ListExecutions extends ListExecutionsQuery {
  @Field(f.id()) taskId!: string;
}

/** To every replica: whoever runs it stops. */
export class StopExecution {
  @Field(f.id()) executionId!: string;
}
