import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const EMISSION_STATUSES = ['PENDING', 'DISPATCHED', 'SKIPPED', 'FAILED'] as const;
export type EmissionStatus = (typeof EMISSION_STATUSES)[number];

/** `datasource`: a data write; `app`: an application's key; `system`: a task or an agent; `user`: a person. */
export const EMISSION_SOURCES = ['datasource', 'app', 'system', 'user'] as const;
export type EmissionSource = (typeof EMISSION_SOURCES)[number];

@Described('An emission by a person, on behalf of the application that declares the event.')
export class EmitByHandBody {
  @Field(f.record(SIZES.body), { description: 'Payload of the event. It must match the schema of the event.' })
  payload!: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'A retry with the same key and payload emits nothing new.',
  })
  idempotencyKey?: string;
}

export class EmitByHand extends EmitByHandBody {
  @Field(f.id(), { description: 'The registered event.' }) id!: string;
}

@Described('An emission.')
export class EmitEvent {
  @Field(f.text({ min: 1, max: 63 }), { example: 'shop', description: 'Identifier of the application that emits.' })
  appIdentifier!: string;
  @Field(f.text({ min: 1, max: 128 }), { example: 'order.created', description: 'Name of the event.' }) event!: string;
  @Field(f.record(SIZES.body), { description: 'Payload of the event. It must match the schema of the event.' })
  payload!: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'An order number, for instance: a retry with the same key and payload emits nothing new.',
  })
  idempotencyKey?: string;
}

@Described('The recorded emission.')
export class Emitted {
  @Field(f.id()) envelopeId!: string;
  @Field(f.oneOf(EMISSION_STATUSES), { description: 'Status of the emission.' }) status!: EmissionStatus;
  @Field(f.bool(), { description: 'Whether an emission with this idempotency key existed.' }) duplicate!: boolean;
}
