import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { STEP_TYPES, type StepType } from './step-types';

export const EXECUTION_STATUSES = [
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
  'SKIPPED',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const STEP_STATUSES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

@Described('Why an execution or a step failed.')
export class ExecutionError {
  @Field(f.text(), { description: 'Error code.' }) code!: string;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
  @Field(f.bool(), {
    optional: true,
    description: 'False: the same would fail again, and is not tried again by itself.',
  })
  retryable?: boolean;
}

@Described('A step of an execution.')
export class StepView {
  @Field(f.text(), { description: 'Id of the step, unique in the task.' }) id!: string;
  @Field(f.oneOf(STEP_TYPES), { description: 'Type of the step.' }) type!: StepType;
  @Field(f.oneOf(STEP_STATUSES), {
    description: 'SKIPPED: its `if` said no, or the execution has ended before it was reached.',
  })
  status!: StepStatus;
  @Field(f.int({ min: 0 }), { description: 'Number of the attempt; 0 before the first.' }) attempt!: number;
  @Field(f.json(PLATFORM_WRITTEN), { description: '`with` after its templates were filled in.' }) input!: unknown;
  @Field(f.json(PLATFORM_WRITTEN), { description: 'Output of the step; null before its end.' }) output!: unknown;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
}

@Described('An execution with its steps.')
export class ExecutionView {
  @Field(f.id()) id!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.int(), { description: 'Version of the task that runs.' }) taskVersion!: number;
  @Field(f.oneOf(EXECUTION_STATUSES), { description: 'Status of the execution.' }) status!: ExecutionStatus;
  @Field(f.record(PLATFORM_WRITTEN), {
    nullable: true,
    description: 'The event that started it; null by hand and on schedule.',
  })
  trigger!: JsonObject | null;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'Inputs of the execution.' }) inputs!: JsonObject;
  @Field(f.list(f.object(() => StepView)), { description: 'Steps with their status, input and output.' })
  steps!: StepView[];
  @Field(f.json(PLATFORM_WRITTEN), { description: 'The output of the last step that ran.' }) output!: unknown;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
  @Field(f.int({ min: 1 }), { description: 'Number of the attempt, from 1.' }) attempt!: number;
  @Field(f.id(), {
    nullable: true,
    description: 'Id of the user who started it manually; null if an event or a schedule did.',
  })
  requestedBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'The due time of the schedule that it stands for.' }) scheduledFor!:
    | string
    | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id(), { nullable: true }) correlationId!: string | null;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.id(), {
    nullable: true,
    description: 'The execution that this one repeats, or whose results its step reads.',
  })
  rerunOf!: string | null;
  @Field(f.text(), {
    nullable: true,
    description: 'Id of the step that was tried alone; null if the execution runs the whole task.',
  })
  triedStep!: string | null;
}

@Described('Finished steps of all.')
export class RunProgress {
  @Field(f.int({ min: 0 }), { description: 'Number of finished steps.' }) done!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of steps.' }) total!: number;
}

@Described('The short status, for polling.')
export class RunView {
  @Field(f.id()) id!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.oneOf(EXECUTION_STATUSES), { description: 'Status of the execution.' }) status!: ExecutionStatus;
  @Field(f.object(() => RunProgress), { description: 'Finished steps of all.' }) progress!: RunProgress;
  @Field(f.text(), { nullable: true, description: 'The id of the step that is running.' }) currentStep!: string | null;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
}
