import { ContentItem, Described, Field, JOB_TYPES, type JobType, f, SIZES } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

const URI_MAX = 16 * 1024 * 1024;

@Described('Input of a job: `contents` for a chat, `inputs` for an execute.')
export class JobInputBody {
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true, description: 'As in a chat.' },
  )
  contents?: ContentItem[];
  @Field(f.record(SIZES.inputs), { optional: true, description: 'As in an execute.' }) inputs?: JsonObject;
  @Field(f.id(), { optional: true, description: 'The conversation that the run belongs to.' }) session_id?: string;
  @Field(f.record(SIZES.settings), {
    optional: true,
    description: "With contents a chat's settings, else an execute's.",
  })
  settings?: JsonObject;
}

@Described('A new job.')
export class SubmitJobBody {
  @Field(f.oneOf(JOB_TYPES), { description: 'Always `AGENT_INVOKE`.' }) type!: JobType;
  @Field(f.id()) agentId!: string;
  @Field(f.object(() => JobInputBody), { description: 'Input of the agent.' }) input!: JobInputBody;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'In place of the Idempotency-Key header; kept for 30 days.',
  })
  idempotencyKey?: string;
  @Field(f.int({ min: 0, max: 9 }), { optional: true, default: 5, description: '9 runs first.' }) priority?: number;
  @Field(f.int({ min: 1, max: 10 }), { optional: true, default: 3, description: 'Most attempts.' })
  maxAttempts?: number;
  @Field(f.int({ min: 1, max: 86_400 }), {
    optional: true,
    default: 900,
    description: 'For all attempts together; the time that a person takes to answer does not count.',
  })
  timeoutSeconds?: number;
  @Field(f.text({ min: 1, max: 2048 }), {
    optional: true,
    description: 'Gets one signed POST (Standard Webhooks) when the job has ended.',
  })
  callbackUrl?: string;
  @Field(f.record(SIZES.metadata), { optional: true }) metadata?: JsonObject;
}

/** The inputs that every execute knows; others are variables of the prompt. */
export class KnownInputs {
  @Field(f.text(), { optional: true }) query?: string;
  @Field(f.id(), { optional: true }) session_id?: string;
  @Field(f.bool(), { optional: true }) memory?: boolean;
  @Field(f.bool(), { optional: true }) context?: boolean;
  @Field(f.bool(), { optional: true }) internet?: boolean;
  @Field(f.list(f.text({ min: 1, max: URI_MAX }), { max: 64 }), { optional: true }) images?: string[];
  @Field(f.list(f.text({ min: 1, max: URI_MAX }), { max: 64 }), { optional: true }) audios?: string[];
}
