import { Field, f } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export class ExecuteTaskBody {
  @Field(f.record(), { optional: true, description: "Laid over the task's own defaults." }) inputs?: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true, description: 'In place of the Idempotency-Key header.' })
  idempotencyKey?: string;
}

export class RerunExecutionBody {
  @Field(f.record(), { optional: true, description: "Laid over the task's own defaults; without it, the old inputs." })
  inputs?: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true, description: 'In place of the Idempotency-Key header.' })
  idempotencyKey?: string;
}
