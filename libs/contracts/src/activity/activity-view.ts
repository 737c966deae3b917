import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ACTIVITY_KINDS, ACTIVITY_STATUSES, type ActivityKind } from './activity-kinds';

/** A turn, an execution, a job or an emission, as its owning service records it. */
export class ActivityRecord {
  @Field(f.oneOf(ACTIVITY_KINDS), { description: 'Kind of the record.' }) kind!: ActivityKind;
  @Field(f.id()) id!: string;
  @Field(f.text(), { nullable: true, description: "The session's title, the task's, agent's or event's name." })
  name!: string | null;
  @Field(f.oneOf(ACTIVITY_STATUSES), { description: 'Status of the record, in the words of its kind.' })
  status!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the agent that ran; null if none did.' }) agentId!:
    | string
    | null;
  @Field(f.id(), { nullable: true, description: 'Id of the task that ran; null if none did.' }) taskId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the session of a turn; null for the other kinds.' }) sessionId!:
    | string
    | null;
  @Field(f.id(), { nullable: true, description: 'Id of the user on whose behalf it ran; null if none is known.' })
  userId!: string | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id(), { nullable: true }) correlationId!: string | null;
  @Field(f.time(), { description: 'When it was recorded: the list is ordered by this, and `from` and `to` mean it.' })
  createdAt!: string;
  @Field(f.time(), { nullable: true }) startedAt!: string | null;
  @Field(f.time(), { nullable: true }) finishedAt!: string | null;
}

@Described('A turn, execution, job or emission, with the cost of its model calls.')
export class ActivityRow extends ActivityRecord {
  @Field(f.int({ min: 0 }), { nullable: true, description: 'Charged for its model calls so far; null for emissions.' })
  tokens!: number | null;
  @Field(f.number({ min: 0 }), { nullable: true, description: 'Cost of the model calls; null if it is not known yet.' })
  cost!: number | null;
}

/** As sent from the services to the gateway. */
export class ActivityEntry extends ActivityRecord {
  @Field(f.id(), { description: 'Its key in its service.' }) key!: string;
  @Field(f.text(), { description: 'When it was recorded, in microseconds: its place in the list.' }) at!: string;
  @Field(f.list(f.id()), { description: 'The turns that were run for it.' }) turnIds!: string[];
  @Field(f.id(), { optional: true, nullable: true, description: 'Only this user and ADMIN and up may see it.' })
  audience?: string | null;
}

@Described('Number of records of one kind with one status.')
export class ActivityCount {
  @Field(f.oneOf(ACTIVITY_KINDS), { description: 'Kind of the records.' }) kind!: ActivityKind;
  @Field(f.oneOf(ACTIVITY_STATUSES), { description: 'Status of the records.' }) status!: string;
  @Field(f.int({ min: 0 }), { description: 'Number of records of this kind with this status.' }) count!: number;
}
