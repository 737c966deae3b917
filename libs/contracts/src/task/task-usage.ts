import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class TaskUsageQuery {
  @Field(f.time(), { optional: true, description: 'Runs created at this time or later. Default: 30 days before `to`.' })
  from?: string;
  @Field(f.time(), { optional: true, description: 'Runs created before this time. Default: now.' }) to?: string;
}

export class UsageOfTask extends TaskUsageQuery {
  @Field(f.id()) taskId!: string;
}

@Described('Runs, failures and cost of a task over a period.')
export class TaskUsage {
  @Field(f.time(), { description: 'Start of the period.' }) from!: string;
  @Field(f.time(), { description: 'End of the period.' }) to!: string;
  @Field(f.int({ min: 0 }), { description: 'Runs created in the period in any status but SKIPPED.' })
  runs!: number;
  @Field(f.int({ min: 0 }), { description: 'Those of them that are FAILED or TIMED_OUT.' }) failed!: number;
  @Field(f.bool(), {
    description: 'True: at least one status has more than 10,000 runs, so `runs` and `failed` are minimums.',
  })
  atLeast!: boolean;
  @Field(f.time(), { nullable: true, description: 'When the newest run was created, also before the period.' })
  lastRunAt!: string | null;
  @Field(f.int({ min: 0 }), { description: 'Tokens that the agent steps of `costOf` runs used.' }) tokens!: number;
  @Field(f.number(), { description: 'Cost of the agent steps of `costOf` runs.' }) cost!: number;
  @Field(f.int({ min: 0 }), {
    description: 'The number of runs that `tokens` and `cost` are of: the newest of the period, at most 500.',
  })
  costOf!: number;
}
