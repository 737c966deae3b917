import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

export class EventStatsRequest {
  @Field(f.time(), { optional: true, description: 'Default: 24 hours ago (30 days with the interval `day`).' })
  from?: string;
  @Field(f.time(), { optional: true, description: 'End of the period; default: now.' }) to?: string;
  @Field(f.oneOf(STATS_INTERVALS), { optional: true, description: 'Length of the intervals in `overTime`.' })
  interval?: StatsInterval;
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Only events of this application.' })
  appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Only events with this name.' }) event?: string;
}

@Described('Emissions by status.')
export class StatusCounts {
  @Field(f.int(), { description: 'Emissions in total.' }) total!: number;
  @Field(f.int(), { description: 'Emissions that wait for dispatch.' }) PENDING!: number;
  @Field(f.int(), { description: 'Emissions that were dispatched.' }) DISPATCHED!: number;
  @Field(f.int(), { description: 'Emissions that were skipped, for instance by the depth guard.' }) SKIPPED!: number;
  @Field(f.int(), { description: 'Emissions that failed.' }) FAILED!: number;
}

@Described('Emissions of one event by status.')
export class EventCounts extends StatusCounts {
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text(), { description: 'Name of the event.' }) event!: string;
}

@Described('Emissions of one interval by status.')
export class IntervalCounts extends StatusCounts {
  @Field(f.time(), { description: 'Start of the interval.' }) at!: string;
}

@Described('Emissions over a period.')
export class EventStats {
  @Field(f.time(), { description: 'Start of the period.' }) from!: string;
  @Field(f.time(), { description: 'End of the period.' }) to!: string;
  @Field(f.oneOf(STATS_INTERVALS), { description: 'Length of the intervals in `overTime`.' }) interval!: StatsInterval;
  @Field(f.object(() => StatusCounts), { description: 'Emissions by status.' }) byStatus!: StatusCounts;
  @Field(f.list(f.object(() => EventCounts)), { description: 'Emissions by event and status.' })
  byEvent!: EventCounts[];
  @Field(f.list(f.object(() => IntervalCounts)), { description: 'Emissions by interval and status.' })
  overTime!: IntervalCounts[];
  @Field(f.time(), { nullable: true, description: 'Since when the oldest waiting emission waits.' })
  oldestPendingAt!: string | null;
}
