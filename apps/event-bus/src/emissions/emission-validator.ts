import { Injectable } from '@nestjs/common';
import type { EmissionSource } from '@switchyard/contracts';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { FoundRegistration } from '../db/registrations.repository';
import { admit, refusePayload, refuseSize } from '../domain/emission-admission';
import type { EmissionCause } from '../domain/emission-cause';
import { shardOf } from '../domain/event-shard';
import { tooDeep } from '../domain/loop-guard';
import { EventBusConfig } from '../event-bus.config';
import { PayloadSchemas } from '../schemas/payload-schemas';
import type { CheckedEmission } from '../domain/new-emission';

/** An emission request, before look-ups. */
export interface EmissionRequest {
  id: string;
  cause: EmissionCause;
  appIdentifier: string;
  event: string;
  payload: JsonObject;
  bytes: number;
  fingerprint: string;
  idempotencyKey: string | null;
  source: EmissionSource;
  actorUserId: string | null;
  keyOf: string | null;
  /** By a NATS account, whose limits name the application. */
  byAccount?: boolean;
  emittedAt: string;
  traceparent?: string;
}

/** Decides what becomes of a request: an emission to record, or the refusal that its caller gets. */
@Injectable()
export class EmissionValidator {
  constructor(
    private readonly schemas: PayloadSchemas,
    private readonly config: EventBusConfig,
  ) {}

  async admit(
    spaceId: string,
    request: EmissionRequest,
    found: FoundRegistration | undefined,
    schemaOf: (eventId: string) => Promise<JsonObject>,
  ): Promise<CheckedEmission | AppError> {
    const { appIdentifier, event, keyOf, cause } = request;
    try {
      const registration = { applicationId: found?.applicationId ?? null, eventId: found?.eventId ?? null };
      const eventId = admit({
        appIdentifier,
        event,
        keyOf,
        needsKey: request.source === 'app' && request.byAccount !== true,
        registration,
      });
      refuseSize(request.bytes, this.config.EVENT_PAYLOAD_MAX_BYTES);
      const check = await this.schemas.checkOf(found?.schemaFingerprint ?? '', () => schemaOf(eventId));
      refusePayload(check(request.payload));
      const error = tooDeep(cause.depth, this.config.EVENT_MAX_DEPTH);
      return {
        id: request.id,
        spaceId,
        eventId,
        applicationId: registration.applicationId,
        schemaFingerprint: found?.schemaFingerprint ?? '',
        subscriptionsRevision: null,
        appIdentifier,
        event,
        payload: request.payload,
        bytes: request.bytes,
        source: request.source,
        status: error ? 'SKIPPED' : 'PENDING',
        error,
        idempotencyKey: request.idempotencyKey,
        fingerprint: request.idempotencyKey === null ? null : request.fingerprint,
        actorUserId: request.actorUserId,
        causationId: cause.causationId,
        correlationId: cause.correlationId,
        depth: cause.depth,
        parent: cause.parent,
        root: cause.root,
        lane: shardOf(eventId),
        emittedAt: request.emittedAt,
        traceparent: request.traceparent,
      };
    } catch (error) {
      if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE') return error;
      throw error;
    }
  }
}
