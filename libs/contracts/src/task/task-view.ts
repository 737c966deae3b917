import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
import { Oversized } from '../oversized';
import { RetryRule, TASK_TYPES, TaskConcurrency, TaskSchedule, TaskStep, type TaskType } from './task-parts';

/** A task in a list, without its steps, inputs and metadata. */
export class TaskSummary {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.oneOf(TASK_TYPES)) type!: TaskType;
  @Field(f.bool()) active!: boolean;
  @Field(f.id(), { nullable: true, description: 'Every execution acts as this person.' }) ownerId!: string | null;
  @Field(f.object(() => TaskSchedule), { nullable: true }) schedule!: TaskSchedule | null;
  @Field(f.time(), { nullable: true }) nextRunAt!: string | null;
  @Field(f.object(() => TaskConcurrency)) concurrency!: TaskConcurrency;
  @Field(f.object(() => RetryRule)) retry!: RetryRule;
  @Field(f.int()) timeoutSeconds!: number;
  @Field(f.int()) version!: number;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class TaskView extends TaskSummary {
  @Field(f.list(f.object(() => TaskStep))) steps!: TaskStep[];
  @Field(f.record(OURS)) inputs!: JsonObject;
  @Field(f.record(OURS)) metadata!: JsonObject;
}
