import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { JOB_PHASES, JOB_TYPES, JobInput, type JobPhase, type JobType } from './job-field-types';

export class SubmitJob {
  @Field(f.oneOf(JOB_TYPES)) type!: JobType;
  @Field(f.id()) agentId!: string;
  @Field(f.object(() => JobInput)) input!: JobInput;
  @Field(f.int({ min: 0, max: 9 }), { optional: true, default: 5, description: '9 runs first.' }) priority?: number;
  @Field(f.int({ min: 1, max: 10 }), { optional: true, default: 3 }) maxAttempts?: number;
  @Field(f.int({ min: 1, max: 86_400 }), {
    optional: true,
    default: 900,
    description: 'For all attempts together; the time that a person takes to answer does not count.',
  })
  timeoutSeconds?: number;
  @Field(f.text({ min: 1, max: 2048 }), {
    optional: true,
    nullable: true,
    description: 'Gets a signed POST when the job has ended.',
  })
  callbackUrl?: string | null;
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

export class JobById {
  @Field(f.id()) jobId!: string;
}

export const JOB_CONTENT_FIELDS = ['input', 'result', 'metadata'] as const;
export type JobContentField = (typeof JOB_CONTENT_FIELDS)[number];

export class JobContentQuery {
  @Field(f.oneOf(JOB_CONTENT_FIELDS), { description: 'Field to read.' }) field!: JobContentField;
}

export class JobContent extends JobContentQuery {
  @Field(f.id()) jobId!: string;
}

export class ListJobs extends PageRequest {
  @Field(f.oneOf(JOB_PHASES), { optional: true, description: 'Only jobs in this phase.' }) phase?: JobPhase;
  @Field(f.id(), { optional: true, description: 'Only jobs of this agent.' }) agentId?: string;
}

/** Sent to every replica; the one that runs the job stops it. */
export class StopJob {
  @Field(f.id()) jobId!: string;
}
