import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
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

export class ExecutionError {
  @Field(f.text()) code!: string;
  @Field(f.text()) message!: string;
  @Field(f.bool(), {
    optional: true,
    description: 'False: the same would fail again, and is not tried again by itself.',
  })
  retryable?: boolean;
}

export class StepView {
  @Field(f.text()) id!: string;
  @Field(f.oneOf(STEP_TYPES)) type!: StepType;
  @Field(f.oneOf(STEP_STATUSES), {
    description: 'SKIPPED: its `if` said no, or the execution has ended before it was reached.',
  })
  status!: StepStatus;
  @Field(f.int({ min: 0 })) attempt!: number;
  @Field(f.json(OURS), { description: '`with` after its templates were filled in.' }) input!: unknown;
  @Field(f.json(OURS)) output!: unknown;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
}

export class ExecutionView {
  @Field(f.id()) id!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.int()) taskVersion!: number;
  @Field(f.oneOf(EXECUTION_STATUSES)) status!: ExecutionStatus;
  @Field(f.record(OURS), { nullable: true, description: 'The event that started it; null by hand and on schedule.' })
  trigger!: JsonObject | null;
  @Field(f.record(OURS)) inputs!: JsonObject;
  @Field(f.list(f.object(() => StepView))) steps!: StepView[];
  @Field(f.json(OURS), { description: 'The output of the last step that ran.' }) output!: unknown;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
  @Field(f.int({ min: 1 })) attempt!: number;
  @Field(f.id(), { nullable: true, description: 'Who started it by hand.' }) requestedBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'The due time of the schedule that it stands for.' }) scheduledFor!:
    | string
    | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id(), { nullable: true }) correlationId!: string | null;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.id(), { nullable: true, description: 'The execution that this one repeats.' }) rerunOf!: string | null;
}

export class RunProgress {
  @Field(f.int({ min: 0 })) done!: number;
  @Field(f.int({ min: 0 })) total!: number;
}

/** The short status, for polling. */
export class RunView {
  @Field(f.id()) id!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.oneOf(EXECUTION_STATUSES)) status!: ExecutionStatus;
  @Field(f.object(() => RunProgress)) progress!: RunProgress;
  @Field(f.text(), { nullable: true, description: 'The id of the step that is running.' }) currentStep!: string | null;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.object(() => ExecutionError), { nullable: true }) error!: ExecutionError | null;
}
