import { PageRequest } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ACTIVITY_KINDS, ACTIVITY_STATUSES, type ActivityKind } from './activity-kinds';
import { ActivityEntry } from './activity-view';

export class ActivityFilter extends PageRequest {
  @Field(f.list(f.oneOf(ACTIVITY_KINDS), { max: 10 }), { optional: true, description: 'May be repeated.' })
  kind?: ActivityKind[];
  @Field(f.list(f.oneOf(ACTIVITY_STATUSES), { max: 40 }), { optional: true, description: 'May be repeated.' })
  status?: string[];
  @Field(f.id(), { optional: true, description: 'Rows of this user.' }) userId?: string;
  @Field(f.time(), { optional: true, description: 'Recorded at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Recorded before this time.' }) to?: string;
}

/** Filter of the activity stream: the list's, without times. */
export class ActivityStreamFilter {
  @Field(f.list(f.oneOf(ACTIVITY_KINDS), { max: 10 }), { optional: true, description: 'May be repeated.' })
  kind?: ActivityKind[];
  @Field(f.list(f.oneOf(ACTIVITY_STATUSES), { max: 40 }), { optional: true, description: 'May be repeated.' })
  status?: string[];
  @Field(f.id(), { optional: true, description: 'Rows of this user.' }) userId?: string;
}

export class ActivityRange {
  @Field(f.time(), { optional: true, description: 'The hour of this time is counted whole.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Hours that begin before this time are counted whole.' }) to?: string;
}

/** The next rows of one service's kind. */
export class ActivitySlice {
  @Field(f.list(f.text({ max: 32 }), { min: 1, max: 100 })) statuses!: string[];
  @Field(f.int({ min: 1, max: 101 })) limit!: number;
  @Field(f.id(), { optional: true }) userId?: string;
  @Field(f.time(), { optional: true }) from?: string;
  @Field(f.time(), { optional: true }) to?: string;
  /** Position of the last row that the reader has. */
  @Field(f.text({ max: 40 }), { optional: true }) beforeAt?: string;
  @Field(f.id(), { optional: true }) beforeKey?: string;
}

export class StatusCount {
  @Field(f.text()) status!: string;
  @Field(f.int({ min: 0 })) count!: number;
}

/** Spaces whose activity is being watched. Repeated while it is. */
export class WatchedSpaces {
  @Field(f.list(f.id(), { max: 1000 })) spaceIds!: string[];
}

export class ChangedEntry {
  @Field(f.id()) spaceId!: string;
  @Field(f.object(() => ActivityEntry)) entry!: ActivityEntry;
}

/** Rows that changed since the last signal, each once, in its current state. */
export class ChangedActivity {
  @Field(
    f.list(
      f.object(() => ChangedEntry),
      { max: 500 },
    ),
  )
  changes!: ChangedEntry[];
  @Field(f.list(f.id(), { max: 1000 }), {
    optional: true,
    description: 'Watched Spaces with changes that are not in any signal.',
  })
  missed?: string[];
}
