import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SIZES } from '../sizes';
import {
  RetryRuleInput,
  TASK_TYPES,
  TaskConcurrencyInput,
  TaskScheduleInput,
  TaskStep,
  type TaskType,
} from './task-parts';

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const STEPS = f.list(
  f.object(() => TaskStep),
  { min: 1, max: 100, bytes: SIZES.steps },
);

class TaskFields {
  @Field(f.text({ max: 2000 }), { optional: true, nullable: true }) description?: string | null;
  @Field(f.oneOf(TASK_TYPES), { optional: true, default: 'MANUAL' }) type?: TaskType;
  @Field(f.bool(), { optional: true, default: true }) active?: boolean;
  @Field(f.record(SIZES.defaultInputs), { optional: true, description: 'Defaults of the inputs of every execution.' })
  inputs?: JsonObject;
  @Field(f.object(() => TaskScheduleInput), { optional: true, nullable: true }) schedule?: TaskScheduleInput | null;
  @Field(f.object(() => TaskConcurrencyInput), { optional: true }) concurrency?: TaskConcurrencyInput;
  @Field(f.object(() => RetryRuleInput), { optional: true }) retry?: RetryRuleInput;
  @Field(f.int({ min: 1, max: 86_400 }), { optional: true, default: 3600 }) timeoutSeconds?: number;
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

export class CreateTask extends TaskFields {
  @Field(NAME, { example: 'Nightly report' }) name!: string;
  @Field(STEPS) steps!: TaskStep[];
}

/** Body of an update: given fields are replaced. */
export class TaskChanges extends TaskFields {
  @Field(NAME, { optional: true }) name?: string;
  @Field(STEPS, { optional: true }) steps?: TaskStep[];
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
  @Field(f.oneOf(TASK_TYPES), { optional: true }) type?: TaskType;
  @Field(f.queryBool(), { optional: true }) active?: boolean;
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'Part of the name.' }) q?: string;
}
