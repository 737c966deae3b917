import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export const LATENCY_INTERVALS = ['hour', 'day'] as const;
export type LatencyInterval = (typeof LATENCY_INTERVALS)[number];

export class LatencyQuery {
  @Field(f.time(), {
    optional: true,
    description: 'Its hour is counted whole. Default: 24 hours before `to`, 30 days with the interval `day`.',
  })
  from?: string;
  @Field(f.time(), { optional: true, description: 'Hours that begin before it are counted whole. Default: now.' })
  to?: string;
  @Field(f.oneOf(LATENCY_INTERVALS), { optional: true, description: 'Default: `hour`. Days are those of UTC.' })
  interval?: LatencyInterval;
}

export class LatencyOfAgent extends LatencyQuery {
  @Field(f.id()) agentId!: string;
}

@Described('Null if no turn has ended.')
export class LatencyNumbers {
  @Field(f.int({ min: 0 }), { description: 'Turns that came to their end, well or not. Cancelled ones are left out.' })
  count!: number;
  @Field(f.int({ min: 0 }), { description: 'Those of them that failed.' }) failed!: number;
  @Field(f.int({ min: 0 }), { nullable: true, description: 'Half of them took no longer; within 5%.' })
  p50Ms!: number | null;
  @Field(f.int({ min: 0 }), { nullable: true, description: '95 of 100 took no longer; within 5%.' })
  p95Ms!: number | null;
  @Field(f.int({ min: 0 }), { nullable: true, description: 'Duration of the slowest one.' }) longestMs!: number | null;
}

@Described('Latency in one interval.')
export class LatencyAt extends LatencyNumbers {
  @Field(f.time(), { description: 'When the hour or the day begins in which these turns were started.' }) at!: string;
}

@Described("Latency of an agent's turns over a period.")
export class AgentLatency {
  @Field(f.time(), { description: 'Start of the period.' }) from!: string;
  @Field(f.time(), { description: 'End of the period.' }) to!: string;
  @Field(f.oneOf(LATENCY_INTERVALS), { description: 'Length of the intervals in `overTime`.' })
  interval!: LatencyInterval;
  @Field(f.object(() => LatencyNumbers), { description: 'Of the whole time.' }) total!: LatencyNumbers;
  @Field(f.list(f.object(() => LatencyAt)), { description: 'Oldest first; without those in which no turn has ended.' })
  overTime!: LatencyAt[];
}
