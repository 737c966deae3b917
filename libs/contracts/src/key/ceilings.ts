import { AppError } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

const COUNT = f.int({ min: 0 });

@Described('Upper limits of a Space, set by an operator. Null: the configured default.')
export class Ceilings {
  @Field(COUNT, { nullable: true, description: 'Tokens of a day (UTC).' }) dailyTokens!: number | null;
  @Field(COUNT, { nullable: true, description: 'Tokens of a calendar month (UTC).' }) monthlyTokens!: number | null;
  @Field(COUNT, { nullable: true, description: 'Requests a minute of all its credentials together.' })
  requestsPerMinute!: number | null;
  @Field(COUNT, { nullable: true, description: 'Task executions side by side.' }) taskConcurrency!: number | null;
  @Field(COUNT, { nullable: true, description: 'Agent jobs side by side.' }) jobConcurrency!: number | null;
  @Field(COUNT, { nullable: true, description: 'Members and open invitations.' }) members!: number | null;
  @Field(COUNT, { nullable: true, description: 'Agents; system agents do not count.' }) agents!: number | null;
  @Field(COUNT, { nullable: true, description: 'Most tasks.' }) tasks!: number | null;
  @Field(COUNT, { nullable: true, description: 'Most datasets.' }) datasets!: number | null;
  @Field(COUNT, { nullable: true, description: 'Records of all datasets together.' }) records!: number | null;
  @Field(COUNT, { nullable: true, description: 'Bytes of all datasets together.' }) bytes!: number | null;
  @Field(COUNT, { nullable: true, description: 'Bytes of stored files.' }) fileBytes!: number | null;
  @Field(COUNT, { nullable: true, description: 'Active API keys.' }) keys!: number | null;
}

@Described('Current usage under each ceiling, at most a minute old; null if the counting service is unavailable.')
export class SpaceUsed {
  @Field(COUNT, { nullable: true, description: 'Tokens of this day (UTC).' }) dailyTokens!: number | null;
  @Field(COUNT, { nullable: true, description: 'Tokens of this month (UTC).' }) monthlyTokens!: number | null;
  @Field(COUNT, { description: 'Members and open invitations.' }) members!: number;
  @Field(COUNT, { nullable: true, description: 'Number of agents.' }) agents!: number | null;
  @Field(COUNT, { nullable: true, description: 'Number of tasks.' }) tasks!: number | null;
  @Field(COUNT, { nullable: true, description: 'Number of datasets.' }) datasets!: number | null;
  @Field(COUNT, { description: 'Number of records.' }) records!: number;
  @Field(COUNT, { description: 'Bytes of records.' }) bytes!: number;
  @Field(COUNT, { description: 'Bytes of stored files.' }) fileBytes!: number;
  @Field(COUNT, { description: 'Active ones.' }) keys!: number;
}

@Described('Given ceilings are set, null resets one to the default, others stay.')
export class ChangeCeilings {
  @Field(COUNT, { optional: true, nullable: true, description: 'Most tokens per day.' }) dailyTokens?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most tokens per month.' }) monthlyTokens?:
    | number
    | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most requests per minute.' }) requestsPerMinute?:
    | number
    | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most executions that run at the same time.' })
  taskConcurrency?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most jobs that run at the same time.' })
  jobConcurrency?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most members.' }) members?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most agents.' }) agents?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most tasks.' }) tasks?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most datasets.' }) datasets?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most records in all datasets together.' }) records?:
    | number
    | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most bytes of records in all datasets together.' })
  bytes?: number | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most bytes of stored files.' }) fileBytes?:
    | number
    | null;
  @Field(COUNT, { optional: true, nullable: true, description: 'Most API keys.' }) keys?: number | null;
}

export const CEILING_NAMES = [
  'dailyTokens',
  'monthlyTokens',
  'requestsPerMinute',
  'taskConcurrency',
  'jobConcurrency',
  'members',
  'agents',
  'tasks',
  'datasets',
  'records',
  'bytes',
  'fileBytes',
  'keys',
] as const;

export type CeilingName = (typeof CEILING_NAMES)[number];

export const NO_CEILINGS: Readonly<Ceilings> = Object.freeze({
  dailyTokens: null,
  monthlyTokens: null,
  requestsPerMinute: null,
  taskConcurrency: null,
  jobConcurrency: null,
  members: null,
  agents: null,
  tasks: null,
  datasets: null,
  records: null,
  bytes: null,
  fileBytes: null,
  keys: null,
});

export const PAYER_KINDS = ['space', 'user'] as const;

@Described('The account whose share of workers, turns, connections, bytes and tokens a Space uses.')
export class Payer {
  @Field(f.oneOf(PAYER_KINDS), { description: 'Kind of the payer.' }) kind!: (typeof PAYER_KINDS)[number];
  @Field(f.id(), { description: 'Id of the payer.' }) id!: string;
}

export const SPACE_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export type SpaceStatus = (typeof SPACE_STATUSES)[number];

export const spaceSuspended = (reason: string): AppError =>
  new AppError('SPACE_SUSPENDED', `An operator of the platform has suspended this Space: ${reason}`);
