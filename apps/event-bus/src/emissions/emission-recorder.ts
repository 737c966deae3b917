import { Injectable } from '@nestjs/common';
import type { EmissionSource, Emitted } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, GroupCommit, type JsonObject, failpoint } from '@switchyard/kernel';
import { EmissionsRepository, type RecordedEmission } from '../db/emissions.repository';
import { type FoundRegistration, RegistrationsRepository } from '../db/registrations.repository';
import { Dispatcher } from '../dispatch/dispatcher';
import { admit, refusePayload, refuseSize } from '../domain/admission';
import type { EmissionCause } from '../domain/cause';
import { laneOf } from '../domain/lane';
import { tooDeep } from '../domain/loop-guard';
import { Metrics } from '@switchyard/service';
import { EventBusConfig } from '../event-bus.config';
import { PayloadSchemas } from '../schemas/payload-schemas';
import type { NewEmission } from './new-emission';

/** What a caller asks to be emitted, before anything has been looked up. */
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
  emittedAt: string;
}

const GROUP_LIMITS = { items: 256, bytes: 4 * 1024 * 1024 };

/** Checks emissions and records them, several in one transaction when several wait. */
@Injectable()
export class EmissionRecorder {
  private readonly recorded;
  private readonly group = new GroupCommit<EmissionRequest, Emitted>(
    (spaceId, requests) => this.write(spaceId, requests),
    GROUP_LIMITS,
  );

  constructor(
    private readonly database: Database,
    private readonly registrations: RegistrationsRepository,
    private readonly emissions: EmissionsRepository,
    private readonly schemas: PayloadSchemas,
    private readonly dispatcher: Dispatcher,
    private readonly config: EventBusConfig,
    metrics: Metrics,
  ) {
    this.recorded = metrics.counter(
      'switchyard_emissions_recorded_total',
      'Emissions that were recorded, by the status they began with.',
      ['status'],
    );
  }

  record(spaceId: string, request: EmissionRequest): Promise<Emitted> {
    return this.group.add(spaceId, request, request.bytes);
  }

  private async write(spaceId: string, requests: EmissionRequest[]): Promise<(Emitted | AppError)[]> {
    const answers = await this.database.inSpace(spaceId, async (tx) => {
      const found = await this.registrations.find(tx, spaceId, distinctNames(requests));
      const byName = new Map(found.map((registration) => [nameOf(registration), registration]));
      const admitted: (NewEmission | AppError)[] = [];
      for (const request of requests)
        admitted.push(await this.admit(tx, spaceId, request, byName.get(nameOf(request))));
      return this.store(tx, spaceId, admitted);
    });
    await failpoint('event-bus.recorded');
    return answers;
  }

  private async admit(
    tx: Tx,
    spaceId: string,
    request: EmissionRequest,
    found: FoundRegistration | undefined,
  ): Promise<NewEmission | AppError> {
    const { appIdentifier, event, keyOf, cause } = request;
    try {
      const registration = { applicationId: found?.applicationId ?? null, eventId: found?.eventId ?? null };
      const eventId = admit({ appIdentifier, event, keyOf, fromRun: request.source !== 'app', registration });
      refuseSize(request.bytes, this.config.EVENT_PAYLOAD_MAX_BYTES);
      const check = await this.schemas.checkOf(found?.schemaFingerprint ?? '', () =>
        this.registrations.schemaOf(tx, spaceId, eventId),
      );
      refusePayload(check(request.payload));
      const error = tooDeep(cause.depth, this.config.EVENT_MAX_DEPTH);
      return {
        id: request.id,
        spaceId,
        eventId,
        appIdentifier,
        event,
        payload: request.payload,
        source: request.source,
        status: error ? 'SKIPPED' : 'PENDING',
        error,
        idempotencyKey: request.idempotencyKey,
        fingerprint: request.idempotencyKey === null ? null : request.fingerprint,
        actorUserId: request.actorUserId,
        causationId: cause.causationId,
        correlationId: cause.correlationId,
        depth: cause.depth,
        lane: laneOf(eventId),
        emittedAt: request.emittedAt,
      };
    } catch (error) {
      if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE') return error;
      throw error;
    }
  }

  private async store(tx: Tx, spaceId: string, admitted: (NewEmission | AppError)[]): Promise<(Emitted | AppError)[]> {
    const emissions = admitted.filter((item): item is NewEmission => !(item instanceof AppError));
    if (emissions.length === 0) return admitted as AppError[];
    // Two groups with the same keys in another order would wait for each other for good.
    const sorted = [...emissions].sort((a, b) => compare(keyOf(a), keyOf(b)));
    const recorded = await this.emissions.record(tx, sorted);
    const repeats = sorted.filter((emission) => !recorded.has(emission.id));
    const holders = repeats.length === 0 ? [] : await this.emissions.holding(tx, spaceId, repeats);
    const byKey = new Map(holders.map((holder) => [keyOf(holder), holder]));
    const lanes = emissions
      .filter((emission) => emission.status === 'PENDING' && recorded.has(emission.id))
      .map(({ lane }) => lane);
    tx.afterCommit(() => {
      for (const { id, status } of emissions) if (recorded.has(id)) this.recorded.inc({ status });
      this.dispatcher.wake(lanes);
    });
    return admitted.map((item) => {
      if (item instanceof AppError) return item;
      if (recorded.has(item.id)) return { envelopeId: item.id, status: item.status, duplicate: false };
      return duplicateOf(item, byKey.get(keyOf(item)));
    });
  }
}

function duplicateOf(emission: NewEmission, first: RecordedEmission | undefined): Emitted | AppError {
  if (!first)
    return new AppError('SERVICE_UNAVAILABLE', 'The emission was not recorded. Try again.', { retryAfterSeconds: 1 });
  if (first.fingerprint !== emission.fingerprint) {
    return new AppError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another payload. Use a new key.');
  }
  return { envelopeId: first.id, status: first.status, duplicate: true };
}

const nameOf = ({ appIdentifier, event }: { appIdentifier: string; event: string }): string =>
  `${appIdentifier}\n${event}`;

const keyOf = (emission: { appIdentifier: string; event: string; idempotencyKey: string | null }): string =>
  `${nameOf(emission)}\n${emission.idempotencyKey ?? ''}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const distinctNames = (requests: readonly EmissionRequest[]): EmissionRequest[] => [
  ...new Map(requests.map((request) => [nameOf(request), request])).values(),
];
