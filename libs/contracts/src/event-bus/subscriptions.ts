import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { Oversized } from '../oversized';
import { SIZES } from '../sizes';

export const SUBSCRIPTION_ORIGINS = ['DEFAULT', 'USER'] as const;
export type SubscriptionOrigin = (typeof SUBSCRIPTION_ORIGINS)[number];

/** The event is given by id, or by application and name. */
export class CreateSubscription {
  @Field(f.id(), { optional: true }) eventId?: string;
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true }) event?: string;
  @Field(f.id()) taskId!: string;
  @Field(f.record(SIZES.filter), {
    optional: true,
    nullable: true,
    description: 'Without one, every occurrence matches.',
  })
  filter?: JsonObject | null;
  @Field(f.bool(), { optional: true }) active?: boolean;
}

export class ChangeSubscription {
  @Field(f.bool(), { optional: true }) active?: boolean;
  @Field(f.record(SIZES.filter), { optional: true, nullable: true }) filter?: JsonObject | null;
}

export class UpdateSubscription extends ChangeSubscription {
  @Field(f.id()) id!: string;
}

export class SubscriptionView {
  @Field(f.id()) id!: string;
  @Field(f.id()) eventId!: string;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text()) event!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.record(SIZES.filter), { nullable: true }) filter!: JsonObject | null;
  @Field(f.bool()) active!: boolean;
  @Field(f.oneOf(SUBSCRIPTION_ORIGINS)) origin!: SubscriptionOrigin;
  @Field(f.time()) createdAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

export class ListSubscriptions extends PageRequest {
  @Field(f.id(), { optional: true }) eventId?: string;
  @Field(f.id(), { optional: true }) taskId?: string;
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) appIdentifier?: string;
  @Field(f.text({ min: 1, max: 128 }), { optional: true }) event?: string;
  @Field(f.queryBool(), { optional: true }) active?: boolean;
}

export class TestFilterBody {
  @Field(f.record(SIZES.filter), { nullable: true, description: 'Null matches every payload.' })
  filter!: JsonObject | null;
}

export class TestFilter extends TestFilterBody {
  @Field(f.id(), { description: 'The registered event.' }) id!: string;
}

/** A filter test evaluates at most this many of the latest emissions. */
export const MOST_TESTED_EMISSIONS = 50;

export class TestedEmission {
  @Field(f.id(), { description: 'The envelope.' }) id!: string;
  @Field(f.time()) emittedAt!: string;
  @Field(f.bool(), { description: 'Whether a subscription with this filter would run its task.' }) matches!: boolean;
}
