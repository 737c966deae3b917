import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { RetryRule, TASK_TYPES, TaskConcurrency, TaskSchedule, TaskStep, type TaskType } from './task-field-types';

@Described('A task in a list, without its steps, inputs and metadata.')
export class TaskSummary {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(TASK_TYPES), { description: 'Trigger of the task: an API call, a schedule, or events.' })
  type!: TaskType;
  @Field(f.bool(), { description: 'Whether schedules and events start the task.' }) active!: boolean;
  @Field(f.id(), { nullable: true, description: 'Every execution acts as this person.' }) ownerId!: string | null;
  @Field(f.object(() => TaskSchedule), { nullable: true, description: 'Schedule; null for the other types.' })
  schedule!: TaskSchedule | null;
  @Field(f.time(), { nullable: true, description: 'Time of the next run; null if none is planned.' }) nextRunAt!:
    | string
    | null;
  @Field(f.object(() => TaskConcurrency), { description: 'Limit of executions that run at the same time.' })
  concurrency!: TaskConcurrency;
  @Field(f.object(() => RetryRule), { description: 'Retries of the whole execution.' }) retry!: RetryRule;
  @Field(f.int(), { description: 'Time limit of an execution in seconds.' }) timeoutSeconds!: number;
  @Field(f.int(), { description: 'Number of the current version, from 1.' }) version!: number;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

@Described('A task with its steps.')
export class TaskView extends TaskSummary {
  @Field(f.list(f.object(() => TaskStep)), { description: 'Steps of the task, run in order.' }) steps!: TaskStep[];
  @Field(f.record(PLATFORM_WRITTEN), { description: 'Default inputs of an execution.' }) inputs!: JsonObject;
  @Field(f.record(PLATFORM_WRITTEN)) metadata!: JsonObject;
}
