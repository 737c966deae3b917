import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';
import { STEP_TYPES, type StepType } from './step-types';

export const TASK_TYPES = ['MANUAL', 'SCHEDULE', 'EVENT'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const MISFIRE_POLICIES = ['SKIP', 'RUN_ONCE'] as const;
export type MisfirePolicy = (typeof MISFIRE_POLICIES)[number];

export const CONCURRENCY_POLICIES = ['QUEUE', 'SKIP'] as const;
export type ConcurrencyPolicy = (typeof CONCURRENCY_POLICIES)[number];

@Described('Attempts in total, including the first; the delay doubles each time.')
export class RetryRule {
  @Field(f.int({ min: 1, max: 10 }), { description: 'Most attempts, the first included.' }) maxAttempts!: number;
  @Field(f.number({ min: 0, max: 3600 }), {
    description: 'Delay before the first retry, in seconds. It doubles each time.',
  })
  backoffSeconds!: number;
}

@Described('Retries. Missing fields have their default.')
export class RetryRuleInput {
  @Field(f.int({ min: 1, max: 10 }), { optional: true, default: 1, description: 'Most attempts, the first included.' })
  maxAttempts?: number;
  @Field(f.number({ min: 0, max: 3600 }), {
    optional: true,
    default: 1,
    description: 'Delay before the first retry, in seconds. It doubles each time.',
  })
  backoffSeconds?: number;
}

@Described('Schedule of a task.')
export class TaskSchedule {
  @Field(f.text({ min: 9, max: 200 }), {
    description: 'Five fields: minute, hour, day of month, month, day of week.',
    example: '0 9 * * 1-5',
  })
  cron!: string;
  @Field(f.text({ min: 1, max: 64 }), { description: 'IANA name.', example: 'Europe/Berlin' }) timezone!: string;
  @Field(f.oneOf(MISFIRE_POLICIES), { description: 'Handling of due times that passed while nothing could run.' })
  misfire!: MisfirePolicy;
}

@Described('Schedule of a task. Missing fields have their default.')
export class TaskScheduleInput {
  @Field(f.text({ min: 1, max: 200 }), {
    example: '0 9 * * 1-5',
    description: 'Five fields: minute, hour, day of month, month, day of week.',
  })
  cron!: string;
  @Field(f.text({ min: 1, max: 64 }), { optional: true, default: 'UTC', description: 'IANA name of the time zone.' })
  timezone?: string;
  @Field(f.oneOf(MISFIRE_POLICIES), {
    optional: true,
    default: 'SKIP',
    description: 'Handling of due times that passed while nothing could run.',
  })
  misfire?: MisfirePolicy;
}

@Described('Limit of executions that run at the same time.')
export class TaskConcurrency {
  @Field(f.int({ min: 1, max: 1000 }), { description: 'Most executions that run at the same time.' }) limit!: number;
  @Field(f.oneOf(CONCURRENCY_POLICIES), { description: 'Over the limit: wait, or record the execution as SKIPPED.' })
  policy!: ConcurrencyPolicy;
}

@Described('Limit of executions that run at the same time. Missing fields have their default.')
export class TaskConcurrencyInput {
  @Field(f.int({ min: 1, max: 1000 }), {
    optional: true,
    default: 5,
    description: 'Most executions that run at the same time.',
  })
  limit?: number;
  @Field(f.oneOf(CONCURRENCY_POLICIES), {
    optional: true,
    default: 'QUEUE',
    description: 'Above the limit: queue the execution, or record it as `SKIPPED`.',
  })
  policy?: ConcurrencyPolicy;
}

@Described(
  'One step of a task. Strings in `with`, and `if`, are templates: `{{ path | filter }}` over `execution.inputs` and `steps.<id>.output`; nothing else is evaluated.',
)
export class TaskStep {
  @Field(
    f.text({
      pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
      allows: 'must be 1 to 64 letters, digits, _ and -, and begin with a letter or _',
      max: 64,
    }),
    {
      example: 'fetch',
      description: 'Id of the step, unique in the task. Later steps refer to it as `steps.<id>.output`.',
    },
  )
  id!: string;
  @Field(f.oneOf(STEP_TYPES), { description: 'Type of the step. It decides the fields of `with`.' }) type!: StepType;
  @Field(f.text({ min: 1, max: 4000 }), {
    optional: true,
    description: 'One template; the step runs when its value is truthy.',
  })
  if?: string;
  @Field(f.record(SIZES.steps), { description: 'Fields of the step, by its type.' })
  with!: JsonObject;
  @Field(f.object(() => RetryRuleInput), { optional: true, description: 'Retries of this step.' })
  retry?: RetryRuleInput;
  @Field(f.bool(), { optional: true, description: 'Whether the execution continues if this step fails.' })
  continueOnError?: boolean;
}
