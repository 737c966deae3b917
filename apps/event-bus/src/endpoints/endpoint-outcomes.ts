import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { type AttemptResult, FIRST_WAIT_MS, PoisonedWork } from '@switchyard/service';
import { type ClaimedDelivery, EndpointQueuesRepository } from '../db/endpoint-queues.repository';
import { EndpointsRepository } from '../db/endpoints.repository';
import type { NextStep } from '../domain/endpoint-delivery';
import { EndpointBacklog } from './endpoint-backlog';
import { type DisabledReason, EndpointHealth } from './endpoint-health';

/** Nothing may be sent to an account, or the connection was lost: tried again after so long. */
const POSTPONED_MS = 1_000;

const AGAIN = { status: 'PENDING', error: null, attempt: null, nextInMs: 0 } as const;

/** Stores what became of deliveries, and of the health of their endpoints. Each gives the wait for the next attempt. */
@Injectable()
export class EndpointOutcomes {
  constructor(
    private readonly database: Database,
    private readonly queues: EndpointQueuesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly backlog: EndpointBacklog,
    private readonly health: EndpointHealth,
    private readonly poisoned: PoisonedWork,
  ) {}

  async attempted(
    delivery: ClaimedDelivery,
    attempt: AttemptResult | null,
    { status, error, nextInMs, isDisabling }: NextStep,
  ): Promise<number | null> {
    const { spaceId, queueId } = delivery;
    const hasDisabled = await this.database.inSpace(spaceId, async (tx) => {
      await this.queues.settle(tx, this.worker, delivery, { status, error, attempt, nextInMs });
      if (attempt === null) return false;
      // A service that discards an event works.
      if (attempt.error === null || status === 'DISCARDED') {
        await this.endpoints.noteSuccess(tx, spaceId, queueId);
        return false;
      }
      return this.endpoints.noteFailure(tx, spaceId, queueId, { code: attempt.error.code, isDisabling });
    });
    if (hasDisabled) this.disabled(delivery, isDisabling ? 'GONE' : 'FAILING');
    return nextInMs;
  }

  /** Without a subscriber: no attempt, and the endpoint waits. */
  async noListener(delivery: ClaimedDelivery): Promise<number | null> {
    const { spaceId, queueId } = delivery;
    const { isDisabled, waitMs } = await this.database.inSpace(spaceId, async (tx) => {
      await this.queues.settle(tx, this.worker, delivery, { ...AGAIN, hasNoListener: true });
      return this.endpoints.noteNoListener(tx, spaceId, queueId, FIRST_WAIT_MS);
    });
    if (isDisabled) this.disabled(delivery, 'NO_LISTENER');
    return waitMs;
  }

  /** No attempt, and no fault of the receiver. */
  async postponed(delivery: ClaimedDelivery): Promise<number | null> {
    const { spaceId, queueId } = delivery;
    await this.database.inSpace(spaceId, async (tx) => {
      await this.queues.settle(tx, this.worker, delivery, AGAIN);
      await this.endpoints.postpone(tx, spaceId, queueId, POSTPONED_MS);
    });
    return POSTPONED_MS;
  }

  private get worker(): string {
    return this.poisoned.marks.worker;
  }

  private disabled({ spaceId, queueId }: ClaimedDelivery, reason: DisabledReason): void {
    this.backlog.noteClosed();
    this.health.noteDisabled(spaceId, queueId, reason);
  }
}
