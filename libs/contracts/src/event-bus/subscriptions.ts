import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { SIZES } from '../input-size-limits';

export const SUBSCRIPTION_ORIGINS = ['DEFAULT', 'USER'] as const;
export type SubscriptionOrigin = (typeof SUBSCRIPTION_ORIGINS)[number];

export const SUBSCRIPTION_KINDS = ['TASK', 'ENDPOINT'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

@Described(
  'A new subscription of a task or an endpoint. Name the event by `eventId`, or by `appIdentifier` and `event`.',
)
export class CreateSubscription {
  @Field(f.id(), { optional: true, description: 'Id of the registered event. Or give `appIdentifier` and `event`.' })
  eventId?: string;
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Identifier of the application, with `event`.' })
  appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Name of the event, with `appIdentifier`.' })
  event?: string;
  @Field(f.id(), {
    optional: true,
    description: 'Id of the task to start. It must be of type `EVENT`. Give exactly one of `taskId` and `endpointId`.',
  })
  taskId?: string;
  @Field(f.id(), {
    optional: true,
    description: 'Id of the endpoint to which the event is sent. Needs the role ADMIN.',
  })
  endpointId?: string;
  @Field(f.record(SIZES.filter), {
    optional: true,
    nullable: true,
    description: 'Without one, every occurrence matches.',
  })
  filter?: JsonObject | null;
  @Field(f.bool(), { optional: true, description: 'Whether the subscription starts executions.' }) active?: boolean;
}

@Described('Changes of a subscription. Given fields are replaced, the others stay.')
export class ChangeSubscription {
  @Field(f.bool(), { optional: true, description: 'Whether the subscription starts executions.' }) active?: boolean;
  @Field(f.record(SIZES.filter), { optional: true, nullable: true, description: 'New filter; null removes it.' })
  filter?: JsonObject | null;
}

export class UpdateSubscription extends ChangeSubscription {
  @Field(f.id()) id!: string;
}

@Described('A subscription of a task or an endpoint to an event.')
export class SubscriptionView {
  @Field(f.id()) id!: string;
  @Field(f.id()) eventId!: string;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text(), { description: 'Name of the event.' }) event!: string;
  @Field(f.id(), { nullable: true, description: 'Id of the task; null for an endpoint.' }) taskId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the endpoint; null for a task.' }) endpointId!: string | null;
  @Field(f.record(SIZES.filter), {
    nullable: true,
    description: 'Filter of the subscription; null for every emission.',
  })
  filter!: JsonObject | null;
  @Field(f.bool(), { description: 'Whether the subscription starts executions.' }) active!: boolean;
  @Field(f.oneOf(SUBSCRIPTION_ORIGINS), { description: 'Whether the application or a user created it.' })
  origin!: SubscriptionOrigin;
  @Field(f.time()) createdAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class ListSubscriptions extends PageRequest {
  @Field(f.id(), { optional: true, description: 'Only subscriptions to this event.' }) eventId?: string;
  @Field(f.id(), { optional: true, description: 'Only subscriptions of this task.' }) taskId?: string;
  @Field(f.id(), { optional: true, description: 'Only subscriptions of this endpoint.' }) endpointId?: string;
  @Field(f.oneOf(SUBSCRIPTION_KINDS), {
    optional: true,
    description: 'Subscriptions of tasks or of endpoints. Default: of tasks, unless `endpointId` is given.',
  })
  kind?: SubscriptionKind;
  @Field(f.text({ min: 1, max: 63 }), {
    optional: true,
    description: 'Only subscriptions to events of this application.',
  })
  appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Only subscriptions to events with this name.' })
  event?: string;
  @Field(f.queryBool(), { optional: true, description: 'Only active, or only inactive subscriptions.' })
  active?: boolean;
}

@Described('A filter to test against recent emissions.')
export class TestFilterBody {
  @Field(f.record(SIZES.filter), { nullable: true, description: 'Null matches every payload.' })
  filter!: JsonObject | null;
}

export class TestFilter extends TestFilterBody {
  @Field(f.id(), { description: 'The registered event.' }) id!: string;
}

/** A filter test evaluates at most this many of the latest emissions. */
export const MAX_TESTED_EMISSIONS = 50;

@Described('A recent emission that matches the filter.')
export class TestedEmission {
  @Field(f.id(), { description: 'The envelope.' }) id!: string;
  @Field(f.time(), { description: 'Time of the emission.' }) emittedAt!: string;
  @Field(f.bool(), { description: 'Whether a subscription with this filter would run its task.' }) matches!: boolean;
}
