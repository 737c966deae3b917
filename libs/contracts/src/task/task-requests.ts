import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import {
  RetryRuleInput,
  TASK_TYPES,
  TaskConcurrencyInput,
  TaskScheduleInput,
  TaskStep,
  type TaskType,
} from './task-field-types';

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const STEPS = f.list(
  f.object(() => TaskStep),
  { min: 1, max: 100, bytes: SIZES.steps },
);

@Described('Fields of a task.')
class TaskFields {
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.oneOf(TASK_TYPES), {
    optional: true,
    default: 'MANUAL',
    description: 'Trigger of the task: an API call, a schedule, or events.',
  })
  type?: TaskType;
  @Field(f.bool(), { optional: true, default: true, description: 'Whether schedules and events start the task.' })
  active?: boolean;
  @Field(f.record(SIZES.defaultInputs), { optional: true, description: 'Defaults of the inputs of every execution.' })
  inputs?: JsonObject;
  @Field(f.object(() => TaskScheduleInput), {
    optional: true,
    nullable: true,
    description: 'Schedule of a task of type `SCHEDULE`.',
  })
  schedule?: TaskScheduleInput | null;
  @Field(f.object(() => TaskConcurrencyInput), {
    optional: true,
    description: 'Limit of executions that run at the same time.',
  })
  concurrency?: TaskConcurrencyInput;
  @Field(f.object(() => RetryRuleInput), { optional: true, description: 'Retries of the whole execution.' })
  retry?: RetryRuleInput;
  @Field(f.int({ min: 1, max: 86_400 }), {
    optional: true,
    default: 3600,
    description: 'Time limit of an execution in seconds.',
  })
  timeoutSeconds?: number;
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

@Described('A new task.')
export class CreateTask extends TaskFields {
  @Field(NAME, { example: 'Nightly report', description: 'Name of the task.' }) name!: string;
  @Field(STEPS, { description: 'Steps of the task, run in order.' }) steps!: TaskStep[];
}

@Described('Changes of a task. Given fields are replaced, the others stay.')
export class TaskChanges extends TaskFields {
  @Field(NAME, { optional: true, description: 'New name.' }) name?: string;
  @Field(STEPS, { optional: true, description: 'Steps of the task, run in order.' }) steps?: TaskStep[];
}

export class UpdateTask {
  @Field(f.id()) taskId!: string;
  @Field(f.int(), { optional: true, description: 'The version the caller saw; another one now is refused.' })
  ifVersion?: number;
  @Field(f.object(() => TaskChanges)) changes!: TaskChanges;
}

export class TaskById {
  @Field(f.id()) taskId!: string;
}

export class ListTasks extends PageRequest {
  @Field(f.oneOf(TASK_TYPES), { optional: true, description: 'Only tasks of this type.' }) type?: TaskType;
  @Field(f.queryBool(), { optional: true, description: 'Only active, or only inactive tasks.' }) active?: boolean;
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'Part of the name.' }) q?: string;
}
