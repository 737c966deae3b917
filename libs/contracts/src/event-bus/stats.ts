import { Field } from '../fields/field';
import { f } from '../fields/spec';

export const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

export class EventStatsRequest {
  @Field(f.time(), { optional: true, description: 'Default: 24 hours ago (30 days with the interval `day`).' })
  from?: string;
  @Field(f.time(), { optional: true }) to?: string;
  @Field(f.oneOf(STATS_INTERVALS), { optional: true }) interval?: StatsInterval;
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true }) event?: string;
}

export class StatusCounts {
  @Field(f.int()) total!: number;
  @Field(f.int()) PENDING!: number;
  @Field(f.int()) DISPATCHED!: number;
  @Field(f.int()) SKIPPED!: number;
  @Field(f.int()) FAILED!: number;
}

export class EventCounts extends StatusCounts {
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text()) event!: string;
}

export class IntervalCounts extends StatusCounts {
  @Field(f.time()) at!: string;
}

export class EventStats {
  @Field(f.time()) from!: string;
  @Field(f.time()) to!: string;
  @Field(f.oneOf(STATS_INTERVALS)) interval!: StatsInterval;
  @Field(f.object(() => StatusCounts)) byStatus!: StatusCounts;
  @Field(f.list(f.object(() => EventCounts))) byEvent!: EventCounts[];
  @Field(f.list(f.object(() => IntervalCounts))) overTime!: IntervalCounts[];
  @Field(f.time(), { nullable: true, description: 'Since when the oldest waiting emission waits.' })
  oldestPendingAt!: string | null;
}
