import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { OURS } from '../fields/size';
import { f } from '../fields/spec';
import { EMISSION_SOURCES, EMISSION_STATUSES, type EmissionSource, type EmissionStatus } from './emissions';

/** PENDING until the task service has replied; SKIPPED if the task was inactive by then. */
export const DELIVERY_STATUSES = ['PENDING', 'TRIGGERED', 'SKIPPED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export class EnvelopeError {
  @Field(f.text()) code!: string;
  @Field(f.text()) message!: string;
}

export class EnvelopeView {
  @Field(f.id()) id!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text()) event!: string;
  @Field(f.record(OURS)) payload!: JsonObject;
  @Field(f.oneOf(EMISSION_SOURCES)) source!: EmissionSource;
  @Field(f.oneOf(EMISSION_STATUSES)) status!: EmissionStatus;
  @Field(f.int({ min: 0 })) matchedSubscriptions!: number;
  @Field(f.text(), { nullable: true }) idempotencyKey!: string | null;
  @Field(f.id(), { nullable: true }) actorUserId!: string | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id()) correlationId!: string;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.int({ min: 0 })) attempts!: number;
  @Field(f.object(() => EnvelopeError), { nullable: true }) error!: EnvelopeError | null;
  @Field(f.time()) emittedAt!: string;
  @Field(f.time(), { nullable: true }) dispatchedAt!: string | null;
}

export class DeliveryView {
  @Field(f.id()) subscriptionId!: string;
  @Field(f.id()) taskId!: string;
  @Field(f.id(), { nullable: true }) executionId!: string | null;
  @Field(f.oneOf(DELIVERY_STATUSES)) status!: DeliveryStatus;
  @Field(f.int({ min: 0 }), { description: '0 for the emission itself, then 1, 2, ... for each replay.' })
  replay!: number;
}

export class EnvelopeDetails extends EnvelopeView {
  @Field(f.list(f.object(() => DeliveryView))) deliveries!: DeliveryView[];
}

export class ListEnvelopes extends PageRequest {
  @Field(f.oneOf(EMISSION_STATUSES), { optional: true }) status?: EmissionStatus;
  @Field(f.text({ min: 1, max: 128 }), { optional: true }) event?: string;
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) appIdentifier?: string;
  @Field(f.oneOf(EMISSION_SOURCES), { optional: true }) source?: EmissionSource;
  @Field(f.time(), { optional: true, description: 'Emitted at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Emitted before this time.' }) to?: string;
  @Field(f.id(), { optional: true, description: 'All that one root emission led to.' }) correlationId?: string;
}

export class Replayed {
  @Field(f.id()) envelopeId!: string;
  @Field(f.int({ min: 1 })) replay!: number;
  @Field(f.int({ min: 0 })) matchedSubscriptions!: number;
}
