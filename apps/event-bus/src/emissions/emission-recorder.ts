import { Injectable } from '@nestjs/common';
import type { Emitted } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { Batcher } from '@switchyard/concurrency';
import { AppError, failpoint, upToEntries } from '@switchyard/kernel';
import { Metrics, SpaceUseCounter } from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { EmissionsRepository, type RecordedEmission } from '../db/emissions.repository';
import { type FoundRegistration, RegistrationsRepository } from '../db/registrations.repository';
import { SpaceBacklogQuota } from '../dispatch/space-backlog-quota';
import { Dispatcher } from '../dispatch/dispatcher';
import { inOrder, keyOf, nameOf } from '../domain/emission-key';
import { EmissionValidator, type EmissionRequest } from './emission-validator';
import { FastPathRecorder } from './fast-path-recorder';
import type { CheckedEmission, NewEmission } from '../domain/new-emission';

type EmissionResult = Emitted | AppError;

/** About as long as a group waits for a lock. */
const SUSPECT_AFTER_MS = 100;
const BATCHES = { items: 256, bytes: 4 * 1024 * 1024, retriesOneByOne: true };

/**
 * Checks emissions and records them, several in one transaction when several wait. Emissions that match a cached
 * registration take the fast path (`FastPathRecorder`); the statement itself verifies the cache.
 */
@Injectable()
export class EmissionRecorder {
  private readonly recorded;
  private readonly registered = new LRUCache<string, FoundRegistration>(upToEntries(10_000));
  private readonly fastPath: FastPathRecorder;
  private readonly slowPath = new Batcher<EmissionRequest, Emitted>(
    (requests, spaceId) => this.write(spaceId, requests),
    BATCHES,
  );

  constructor(
    private readonly database: Database,
    private readonly registrations: RegistrationsRepository,
    private readonly emissions: EmissionsRepository,
    private readonly validator: EmissionValidator,
    private readonly dispatcher: Dispatcher,
    private readonly backlog: SpaceBacklogQuota,
    private readonly use: SpaceUseCounter,
    metrics: Metrics,
  ) {
    this.recorded = metrics.counter(
      'switchyard_emissions_recorded_total',
      'Emissions that were recorded, by their first status.',
      ['status'],
    );
    this.fastPath = new FastPathRecorder(database, emissions, async (recorded) => {
      this.after(distinct(recorded));
      await failpoint('event-bus.recorded');
    });
    // From the start: of a count that comes into being with its first event, no increase is seen.
    for (const status of ['PENDING', 'DISPATCHED', 'SKIPPED']) this.recorded.inc({ status }, 0);
  }

  record(spaceId: string, request: EmissionRequest): Promise<Emitted> {
    this.use.add('emissions', spaceId);
    return this.backlog.enter(spaceId, request.bytes, () => this.recordOne(spaceId, request));
  }

  private async recordOne(spaceId: string, request: EmissionRequest): Promise<Emitted> {
    const emission = await this.checked(spaceId, request);
    const outcome = emission ? await this.fastPath.record(emission) : 'left out';
    if (emission && outcome === 'recorded')
      return { envelopeId: emission.id, status: shownStatus(emission), duplicate: false };
    const answer = this.slowPath.add(spaceId, request, request.bytes);
    return outcome === 'failed' ? this.suspect(spaceId, answer) : answer;
  }

  /**
   * Its group failed: a Space that fails or has to wait by itself as well is the one that others should not come with.
   */
  private async suspect(spaceId: string, answer: Promise<Emitted>): Promise<Emitted> {
    const waiting = setTimeout(() => this.fastPath.isolate(spaceId), SUSPECT_AFTER_MS);
    try {
      return await answer;
    } catch (error) {
      this.fastPath.isolate(spaceId);
      throw error;
    } finally {
      clearTimeout(waiting);
    }
  }

  /** Null where the careful way has to find out what becomes of it, which every refusal is left to. */
  private async checked(spaceId: string, request: EmissionRequest): Promise<CheckedEmission | null> {
    const registration = this.registered.get(`${spaceId}\n${nameOf(request)}`);
    if (!registration) return null;
    const emission = await this.validator.admit(spaceId, request, registration, (eventId) =>
      this.database.inSpace(spaceId, (tx) => this.registrations.schemaOf(tx, spaceId, eventId)),
    );
    return emission instanceof AppError ? null : dispatchedIfUnsubscribed(emission, registration);
  }

  private async write(spaceId: string, requests: EmissionRequest[]): Promise<EmissionResult[]> {
    const answers = await this.writeChecked(spaceId, requests);
    await failpoint('event-bus.recorded');
    return answers;
  }

  private writeChecked(spaceId: string, requests: readonly EmissionRequest[]): Promise<EmissionResult[]> {
    return this.database.inSpace(spaceId, async (tx) => {
      const found = await this.registrations.find(tx, spaceId, distinctNames(requests));
      const byName = new Map(found.map((registration) => [nameOf(registration), registration]));
      for (const [name, registration] of byName) {
        if (registration.applicationId !== null && registration.eventId !== null)
          this.registered.set(`${spaceId}\n${name}`, registration);
        else this.registered.delete(`${spaceId}\n${name}`);
      }
      const admitted: (NewEmission | AppError)[] = [];
      for (const request of requests) {
        const schemaOf = (eventId: string) => this.registrations.schemaOf(tx, spaceId, eventId);
        admitted.push(await this.validator.admit(spaceId, request, byName.get(nameOf(request)), schemaOf));
      }
      return this.store(tx, spaceId, admitted);
    });
  }

  private async store(
    tx: Tx,
    spaceId: string,
    admitted: readonly (NewEmission | AppError)[],
  ): Promise<EmissionResult[]> {
    const emissions = admitted.filter((item): item is NewEmission => !(item instanceof AppError));
    if (emissions.length === 0) return admitted as AppError[];
    const recorded = await this.emissions.record(tx, emissions.toSorted(inOrder));
    const repeats = emissions.filter((emission) => !recorded.has(emission.id));
    const repeated = await this.repeatedOf(tx, spaceId, repeats);
    tx.afterCommit(() => {
      this.after(distinct(emissions.filter(({ id }) => recorded.has(id))));
    });
    return admitted.map((item) => {
      if (item instanceof AppError) return item;
      if (recorded.has(item.id)) return { envelopeId: item.id, status: item.status, duplicate: false };
      return repeated.get(item.id) ?? NOT_RECORDED;
    });
  }

  /** The response of the first request, if this repeats it or has its key. */
  private async repeatedOf(
    tx: Tx,
    spaceId: string,
    repeats: readonly NewEmission[],
  ): Promise<Map<string, EmissionResult>> {
    if (repeats.length === 0) return new Map();
    const existing = await this.emissions.existing(tx, spaceId, repeats);
    const answers = new Map<string, EmissionResult>(
      existing.map(({ id, status }) => [id, { envelopeId: id, status, duplicate: false }]),
    );
    const others = repeats.filter(({ id }) => !answers.has(id));
    const holders = others.length === 0 ? [] : await this.emissions.holding(tx, spaceId, others);
    const byKey = new Map(holders.map((holder) => [keyOf(holder), holder]));
    for (const other of others) {
      const first = byKey.get(keyOf(other));
      if (first) answers.set(other.id, duplicateOf(other, first));
    }
    return answers;
  }

  private after(recorded: readonly NewEmission[]): void {
    for (const { status, spaceId, bytes } of recorded) {
      this.recorded.inc({ status });
      if (status === 'PENDING') this.backlog.recorded(spaceId, bytes);
    }
    this.dispatcher.wake(recorded.filter(({ status }) => status === 'PENDING').map(({ lane: shard }) => shard));
  }
}

/**
 * Without a subscription there is nothing to dispatch: the emission is recorded as dispatched, unless the event gets a
 * subscription before.
 */
function dispatchedIfUnsubscribed(emission: CheckedEmission, found: FoundRegistration): CheckedEmission {
  const { hasSubscriptions, subscriptionsRevision } = found;
  if (hasSubscriptions || emission.status !== 'PENDING') return emission;
  return { ...emission, status: 'DISPATCHED', subscriptionsRevision };
}

/** Callers see the same status whether an event has subscriptions or not. */
const shownStatus = ({ status }: NewEmission): Emitted['status'] => (status === 'DISPATCHED' ? 'PENDING' : status);

const NOT_RECORDED = new AppError('SERVICE_UNAVAILABLE', 'The emission was not recorded. Try again.', {
  retryAfterSeconds: 1,
});

function duplicateOf(emission: NewEmission, first: RecordedEmission): EmissionResult {
  if (first.fingerprint !== emission.fingerprint) {
    return new AppError('IDEMPOTENCY_CONFLICT', 'This idempotency key was used with another payload. Use a new key.');
  }
  return { envelopeId: first.id, status: first.status, duplicate: true };
}

/** One call that came twice stands twice in its group. */
const distinct = (emissions: readonly NewEmission[]): NewEmission[] => [
  ...new Map(emissions.map((emission) => [emission.id, emission])).values(),
];

const distinctNames = (requests: readonly EmissionRequest[]): EmissionRequest[] => [
  ...new Map(requests.map((request) => [nameOf(request), request])).values(),
];
