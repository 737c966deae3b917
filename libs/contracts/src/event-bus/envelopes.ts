import type { JsonObject } from '@switchyard/kernel';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { EMISSION_SOURCES, EMISSION_STATUSES, type EmissionSource, type EmissionStatus } from './emissions';

/**
 * Of a task: PENDING until the task service has replied; SKIPPED if the task was inactive by then. Of an endpoint:
 * PENDING until the last attempt.
 */
export const DELIVERY_STATUSES = ['PENDING', 'TRIGGERED', 'SKIPPED', 'FAILED', 'DELIVERED', 'DISCARDED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const DELIVERY_KINDS = ['TASK', 'ENDPOINT'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
/** Why a delivery to an endpoint failed without a further attempt. */
export const DELIVERY_ERRORS = [
  'ENDPOINT_DISABLED',
  'ENDPOINT_BACKLOG',
  'PAYLOAD_TOO_LARGE',
  'RUNTIME_UNAVAILABLE',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

@Described('Why an emission failed.')
export class EnvelopeError {
  @Field(f.text(), { description: 'Error code.' }) code!: string;
  @Field(f.text(), { description: 'Message for people.' }) message!: string;
}

@Described('The record of one emission.')
export class EnvelopeView {
  @Field(f.id()) id!: string;
  @Field(f.id()) spaceId!: string;
  @Field(f.text()) appIdentifier!: string;
  @Field(f.text(), { description: 'Name of the event.' }) event!: string;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'Payload of the event.' }) payload!: JsonObject;
  @Field(f.oneOf(EMISSION_SOURCES), {
    description: '`datasource`: a write to a dataset. `app`: an application. `system`: the platform. `user`: a person.',
  })
  source!: EmissionSource;
  @Field(f.oneOf(EMISSION_STATUSES), { description: 'Status of the emission.' }) status!: EmissionStatus;
  @Field(f.int({ min: 0 }), { description: 'Number of matched subscriptions.' }) matchedSubscriptions!: number;
  @Field(f.text(), { nullable: true, description: 'Idempotency key of the emission; null if it has none.' })
  idempotencyKey!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the user who caused the emission; null if none did.' })
  actorUserId!: string | null;
  @Field(f.id(), { nullable: true }) causationId!: string | null;
  @Field(f.id()) correlationId!: string;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of dispatch attempts.' }) attempts!: number;
  @Field(f.object(() => EnvelopeError), { nullable: true }) error!: EnvelopeError | null;
  @Field(f.time(), { description: 'Time of the emission.' }) emittedAt!: string;
  @Field(f.time(), { nullable: true, description: 'Time of the dispatch; null before it.' }) dispatchedAt!:
    | string
    | null;
}

@Described('Why an attempt failed.')
export class AttemptError {
  @Field(f.text(), { description: 'Code of the failure.' }) code!: string;
  @Field(f.text(), { description: 'Message for people, at most 200 characters.' }) message!: string;
}

@Described('An attempt to deliver an event to an endpoint.')
export class DeliveryAttempt {
  @Field(f.time(), { description: 'Start of the attempt.' }) at!: string;
  @Field(f.int(), { nullable: true, description: 'Status of the answer; null without one.' }) status!: number | null;
  @Field(f.int({ min: 0 }), { description: 'Duration of the attempt.' }) durationMs!: number;
  @Field(f.object(() => AttemptError), { nullable: true, description: 'Why the attempt failed; null for a success.' })
  error!: AttemptError | null;
}

@Described('A matched subscription, and what became of the event there: an execution, or a request to an endpoint.')
export class DeliveryView {
  @Field(f.oneOf(DELIVERY_KINDS), { description: '`TASK`: an execution was started. `ENDPOINT`: the event was sent.' })
  kind!: DeliveryKind;
  @Field(f.id(), {
    nullable: true,
    description: 'Id of the subscription; null for a replay to an endpoint without one.',
  })
  subscriptionId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the task; null for an endpoint.' }) taskId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the endpoint; null for a task.' }) endpointId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the execution that was started; null if none was.' })
  executionId!: string | null;
  @Field(f.oneOf(DELIVERY_STATUSES), { description: 'Outcome for this subscription.' }) status!: DeliveryStatus;
  @Field(f.int({ min: 0 }), { description: '0 for the emission itself, then 1, 2, ... for each replay.' })
  replay!: number;
  @Field(f.list(f.object(() => DeliveryAttempt)), {
    description: 'Attempts to deliver to the endpoint, the last ten. Empty for a task.',
  })
  attempts!: DeliveryAttempt[];
  @Field(f.int({ min: 0 }), { description: 'Number of all attempts.' }) attemptCount!: number;
  @Field(f.oneOf(DELIVERY_ERRORS), {
    nullable: true,
    description: 'Why the delivery ended without a further attempt; null if it did not.',
  })
  error!: DeliveryError | null;
}

@Described('An envelope with the subscriptions that it matched.')
export class EnvelopeDetails extends EnvelopeView {
  @Field(f.list(f.object(() => DeliveryView)), {
    description: 'Matched subscriptions and the executions that they started.',
  })
  deliveries!: DeliveryView[];
}

export class ListEnvelopes extends PageRequest {
  @Field(f.oneOf(EMISSION_STATUSES), { optional: true, description: 'Only emissions with this status.' })
  status?: EmissionStatus;
  @Field(f.text({ min: 1, max: 128 }), { optional: true, description: 'Only emissions of this event.' }) event?: string;
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Only emissions of this application.' })
  appIdentifier?: string;
  @Field(f.oneOf(EMISSION_SOURCES), { optional: true, description: 'Only emissions from this source.' })
  source?: EmissionSource;
  @Field(f.time(), { optional: true, description: 'Emitted at this time or later.' }) from?: string;
  @Field(f.time(), { optional: true, description: 'Emitted before this time.' }) to?: string;
  @Field(f.id(), { optional: true, description: 'All that one root emission led to.' }) correlationId?: string;
}

@Described('Where to replay an envelope.')
export class ReplayEnvelopeBody {
  @Field(f.id(), {
    optional: true,
    description:
      'Only to this endpoint: no task is started. Needs the role ADMIN. Default: all matching subscriptions.',
  })
  endpointId?: string;
}

export class ReplayEnvelope extends ReplayEnvelopeBody {
  @Field(f.id()) id!: string;
}

@Described('Outcome of a replay.')
export class Replayed {
  @Field(f.id()) envelopeId!: string;
  @Field(f.int({ min: 1 }), { description: 'Number of the replay, from 1.' }) replay!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of matched subscriptions.' }) matchedSubscriptions!: number;
}
