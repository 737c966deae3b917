import { ContentItem, Field, JOB_TYPES, type JobType, f } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export class JobInputBody {
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true, description: 'As in a chat.' },
  )
  contents?: ContentItem[];
  @Field(f.record(), { optional: true, description: 'As in an execute.' }) inputs?: JsonObject;
  @Field(f.id(), { optional: true, description: 'The conversation that the run belongs to.' }) session_id?: string;
  @Field(f.record(), { optional: true, description: "With contents a chat's settings, else an execute's." })
  settings?: JsonObject;
}

export class SubmitJobBody {
  @Field(f.oneOf(JOB_TYPES)) type!: JobType;
  @Field(f.id()) agentId!: string;
  @Field(f.object(() => JobInputBody)) input!: JobInputBody;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'In place of the Idempotency-Key header; kept for 30 days.',
  })
  idempotencyKey?: string;
  @Field(f.int({ min: 0, max: 9 }), { optional: true, default: 5, description: '9 runs first.' }) priority?: number;
  @Field(f.int({ min: 1, max: 10 }), { optional: true, default: 3 }) maxAttempts?: number;
  @Field(f.int({ min: 1, max: 86_400 }), { optional: true, default: 900, description: 'For all attempts together.' })
  timeoutSeconds?: number;
  @Field(f.text({ min: 1, max: 2048 }), {
    optional: true,
    description: 'Gets one signed POST (Standard Webhooks) when the job has ended.',
  })
  callbackUrl?: string;
  @Field(f.record(), { optional: true }) metadata?: JsonObject;
}

/** The settings of a job with contents. */
export class JobChatSettings {
  @Field(f.number({ min: 0, max: 2 }), { optional: true }) temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true }) max_tokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) top_p?: number;
  @Field(f.number(), { optional: true }) frequency_penalty?: number;
  @Field(f.number(), { optional: true }) presence_penalty?: number;
  @Field(f.oneOf(['ask', 'agent'] as const), { optional: true }) chat_mode?: 'ask' | 'agent';
  @Field(f.bool(), { optional: true }) disable_web_search?: boolean;
}

/** The settings of a job with inputs. */
export class JobExecuteSettings {
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true }) maxTokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) top_p?: number;
  @Field(f.number(), { optional: true }) frequency_penalty?: number;
  @Field(f.number(), { optional: true }) presence_penalty?: number;
}
