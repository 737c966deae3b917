import type { JsonObject } from '@switchyard/kernel';
import { ContentItem } from '../session/content-items';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

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
    { optional: true, description: 'Content items, as in a chat.' },
  )
  contents?: ContentItem[];
  @Field(f.record(SIZES.inputs), { optional: true, description: 'Inputs, as in an execute.' }) inputs?: JsonObject;
  @Field(f.id(), { optional: true, description: 'The conversation that the run belongs to.' }) session_id?: string;
  @Field(f.record(SIZES.settings), { optional: true, description: 'Settings, as in a chat or an execute.' })
  settings?: JsonObject;
}

@Described('Why a job failed.')
export class JobError {
  @Field(f.text(), { description: 'Error code.' }) code!: string;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
}
