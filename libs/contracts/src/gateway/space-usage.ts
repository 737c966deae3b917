import { defineSignal } from '../define/define-contracts';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

/** Counted as they happen. Processes report `connections` every few seconds; `queue` is measured on request. */
export const COUNTED_USES = ['turns', 'runs', 'emissions', 'bytes', 'tokens', 'frames'] as const;
export type CountedUse = (typeof COUNTED_USES)[number];

const REPORTED_USES = [...COUNTED_USES, 'connections'] as const;
export type ReportedUse = (typeof REPORTED_USES)[number];

export const SPACE_USES = ['turns', 'runs', 'emissions', 'bytes', 'connections', 'tokens', 'queue', 'frames'] as const;
export type SpaceUse = (typeof SPACE_USES)[number];

export class TopSpacesQuery {
  @Field(f.oneOf(SPACE_USES), {
    optional: true,
    description:
      'Turns, task runs and jobs that started, emissions, gateway bytes, tokens and frames cover the last minutes. Connections and queue lengths are current.',
  })
  by?: SpaceUse;
  @Field(f.int({ min: 1, max: 60 }), { optional: true, description: '5 unless said.' }) minutes?: number;
}

@Described('A Space and how much it uses.')
export class TopSpace {
  @Field(f.id()) spaceId!: string;
  @Field(f.text(), { nullable: true, description: 'Null if the Space was deleted.' }) name!: string | null;
  @Field(f.number(), { description: 'Value of the measure.' }) value!: number;
}

export class SpaceAmount {
  @Field(f.oneOf(REPORTED_USES)) use!: ReportedUse;
  @Field(f.id()) spaceId!: string;
  @Field(f.number()) amount!: number;
}

const SPACES_PER_USE_MAX = 50;
export const REPORTED_SPACES_MAX = SPACES_PER_USE_MAX;

/** The largest Spaces of one process since its last report. */
export class SpaceUseReport {
  @Field(f.text({ min: 1, max: 100 }), { description: 'The process.' }) instance!: string;
  @Field(
    f.list(
      f.object(() => SpaceAmount),
      { max: SPACES_PER_USE_MAX * REPORTED_USES.length },
    ),
  )
  amounts!: SpaceAmount[];
}

export const SpaceUseSignals = {
  /** A missed report only lowers the operators' numbers. */
  reported: defineSignal({
    name: 'gateway.space-use',
    senders: ['gateway', 'agent', 'relay', 'task', 'job', 'event-bus'],
    hearers: ['gateway'],
    data: SpaceUseReport,
  }),
};

/** Queue length of a Space in one service. */
export class QueuedOfSpace {
  @Field(f.id()) spaceId!: string;
  @Field(f.int({ min: 0 })) queued!: number;
}
