import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { JOB_PHASES, JOB_TYPES, JobError, JobInput, type JobPhase, type JobType } from './job-field-types';

@Described("A job's input, or its size if it is too long to be shown.")
export class ShownJobInput extends JobInput {
  @Field(f.bool(), { optional: true, description: 'It is longer than it is shown here.' }) truncated?: boolean;
  @Field(f.int({ min: 0 }), { optional: true, description: 'Of the JSON of what is not shown.' }) bytes?: number;
  @Field(f.text({ max: 200 }), { optional: true, description: 'In a single record: the path that has all of it.' })
  content?: string;
}

@Described('A job in a list, without its metadata.')
export class JobSummary {
  @Field(f.id()) id!: string;
  @Field(f.oneOf(JOB_TYPES), { description: 'Always `AGENT_INVOKE`.' }) type!: JobType;
  @Field(f.id()) agentId!: string;
  @Field(f.oneOf(JOB_PHASES), { description: 'Phase of the job.' }) phase!: JobPhase;
  @Field(f.number({ min: 0, max: 100 }), { description: 'Never goes back.' }) progress!: number;
  @Field(f.text(), { nullable: true, description: 'Progress for people; null before there is any.' }) progressMessage!:
    | string
    | null;
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true, description: 'The result of the execution.' })
  result!: JsonObject | null;
  @Field(f.object(() => JobError), { nullable: true }) error!: JobError | null;
  @Field(f.int({ min: 0 }), { description: 'Number of the current attempt; 0 before the first.' }) attempt!: number;
  @Field(f.int({ min: 1 }), { description: 'Most attempts.' }) maxAttempts!: number;
  @Field(f.int({ min: 0, max: 9 }), { description: 'Priority, 0 to 9. Higher values run first.' }) priority!: number;
  @Field(f.int({ min: 1 }), { description: 'Time limit of the job in seconds.' }) timeoutSeconds!: number;
  @Field(f.text(), { nullable: true, description: 'URL that is called at the end; null for none.' }) callbackUrl!:
    | string
    | null;
  @Field(f.object(() => ShownJobInput), { description: 'Input of the job.' }) input!: ShownJobInput;
  @Field(f.record(PLATFORM_WRITTEN), { nullable: true, description: 'The open question of a job that waits for one.' })
  interaction!: JsonObject | null;
  @Field(f.id(), {
    nullable: true,
    description: 'The turn of the current attempt: what an answer to a question names.',
  })
  turnId!: string | null;
  @Field(f.id(), { nullable: true }) createdBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'Time of the last sign of life; null before the start.' })
  heartbeatAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'Time at which it was asked to stop; null if it was not.' })
  cancelRequestedAt!: string | null;
}

@Described('A job with its metadata.')
export class JobView extends JobSummary {
  @Field(f.record(PLATFORM_WRITTEN)) metadata!: JsonObject;
}

export const CALLBACK_STATUSES = ['WAITING', 'PENDING', 'DELIVERED', 'GIVEN_UP'] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

@Described('Outcome of the POST to the callback of a job.')
export class JobCallbackView {
  @Field(f.text(), { description: 'URL that the callback is sent to.' }) url!: string;
  @Field(f.oneOf(CALLBACK_STATUSES), {
    description: 'WAITING: the job has not ended. PENDING: it is sent, or sent again.',
  })
  status!: CallbackStatus;
  @Field(f.int({ min: 0 }), { description: 'Number of attempts.' }) attempts!: number;
  @Field(f.text(), {
    nullable: true,
    description: 'The HTTP status of the last answer, or the code of the error where there was none.',
  })
  lastResult!: string | null;
  @Field(f.time(), { nullable: true, description: 'Of a callback that is PENDING.' }) nextAttemptAt!: string | null;
  @Field(f.time(), { nullable: true, description: 'When it was delivered or given up.' }) finishedAt!: string | null;
}
