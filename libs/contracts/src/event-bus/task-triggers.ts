import type { JsonObject } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { EMISSION_SOURCES, type EmissionSource } from './emissions';

/** Most deliveries in one message. */
export const MAX_DELIVERIES = 1000;

/** `execution.inputs.trigger` of a run. `id` is the envelope's. */
export class Trigger {
  @Field(f.text()) event!: string;
  @Field(f.record(PLATFORM_WRITTEN)) payload!: JsonObject;
  @Field(f.oneOf(EMISSION_SOURCES)) source!: EmissionSource;
  @Field(f.id()) id!: string;
  @Field(f.time()) emittedAt!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.id(), { nullable: true }) actorUserId!: string | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id()) correlationId!: string;
  @Field(f.int({ min: 0 })) depth!: number;
}

/**
 * One delivery of an envelope to a subscription. It may arrive more than once with the same `deliveryId`, after a
 * failure under another message id. The receiver creates one execution per `deliveryId` and replies to every arrival
 * with `TaskEvents.triggered`.
 */
export class TriggerTask {
  @Field(f.id()) deliveryId!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) envelopeId!: string;
  @Field(f.id()) subscriptionId!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.int({ min: 0 })) replay!: number;
  @Field(f.object(() => Trigger)) trigger!: Trigger;
}

/** A delivery of an emission in the same message. */
export class MatchedDelivery {
  @Field(f.id()) deliveryId!: string;
  @Field(f.id()) subscriptionId!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.int({ min: 0 })) replay!: number;
}

/** An emission with all its deliveries: the payload is sent once, however many subscriptions match. */
export class MatchedEmission {
  @Field(f.object(() => Trigger)) trigger!: Trigger;
  @Field(
    f.list(
      f.object(() => MatchedDelivery),
      { min: 1, max: MAX_DELIVERIES },
    ),
  )
  deliveries!: MatchedDelivery[];
}

/** Emissions of one event, oldest first: under load several are sent together, in order. */
export class MatchedEmissions {
  @Field(
    f.list(
      f.object(() => MatchedEmission),
      { min: 1, max: MAX_DELIVERIES },
    ),
  )
  emissions!: MatchedEmission[];
}
