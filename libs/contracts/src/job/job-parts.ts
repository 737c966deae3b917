import type { JsonObject } from '@switchyard/kernel';
import { ContentItem } from '../session/content';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SIZES } from '../sizes';

export const JOB_TYPES = ['AGENT_INVOKE'] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_PHASES = [
  'QUEUED',
  'RUNNING',
  'RETRYING',
  'WAITING_INPUT',
  'CANCELLING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const;
export type JobPhase = (typeof JOB_PHASES)[number];

/** Contents as in a chat, or inputs as in an execute, with the matching `settings`. */
export class JobInput {
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true },
  )
  contents?: ContentItem[];
  @Field(f.record(SIZES.inputs), { optional: true }) inputs?: JsonObject;
  @Field(f.id(), { optional: true, description: 'The conversation that the run belongs to.' }) session_id?: string;
  @Field(f.record(SIZES.settings), { optional: true }) settings?: JsonObject;
}

export class JobError {
  @Field(f.text()) code!: string;
  @Field(f.text()) message!: string;
}
