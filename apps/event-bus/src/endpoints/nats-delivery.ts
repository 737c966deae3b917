import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { failpoint } from '@switchyard/kernel';
import type { WaitOutside } from '@switchyard/messaging';
import { type AttemptResult, Logger, PoisonedWork, afterAttempt } from '@switchyard/service';
import { type ClaimedDelivery, EndpointQueuesRepository, LEASE_MARGIN_SECONDS } from '../db/endpoint-queues.repository';
import { DISCARDED, type NextStep, WEBHOOK_MAX_BYTES, webhookBody, webhookId } from '../domain/endpoint-delivery';
import { EndpointOutcomes } from './endpoint-outcomes';
import { NatsReceivers } from './nats-receivers';
import { NatsTransport } from './nats-transport';
import { stepAfter } from './step-after';

const TOO_LARGE: NextStep = { status: 'FAILED', error: 'PAYLOAD_TOO_LARGE', nextInMs: null, isDisabling: false };

/** Makes one delivery to a service over NATS. */
@Injectable()
export class NatsDelivery {
  constructor(
    private readonly database: Database,
    private readonly queues: EndpointQueuesRepository,
    private readonly transport: NatsTransport,
    private readonly receivers: NatsReceivers,
    private readonly outcomes: EndpointOutcomes,
    private readonly poisoned: PoisonedWork,
    private readonly logger: Logger,
  ) {}

  /** `onAttempt` is called for attempts, not for tries without a subscriber. */
  async deliver(
    delivery: ClaimedDelivery,
    { outside, onAttempt }: { outside: WaitOutside; onAttempt: (attempt: AttemptResult) => void },
  ): Promise<number | null> {
    const { spaceId, natsAccountId: account, queueId, envelopeId, traceparent, replay } = delivery;
    if (account === null) return this.outcomes.postponed(delivery);
    const body = webhookBody(delivery);
    if (Buffer.byteLength(body) > WEBHOOK_MAX_BYTES) return this.outcomes.attempted(delivery, null, TOO_LARGE);
    if ((await this.receivers.stateOf(spaceId, account)) !== 'OPEN') return this.outcomes.postponed(delivery);
    const ackSeconds = delivery.ackSeconds ?? 0;
    const sent = this.transport.send({
      account,
      endpoint: delivery.name,
      webhookId: webhookId(envelopeId, queueId, replay),
      envelopeId,
      traceparent,
      attempt: delivery.attemptCount + 1,
      body,
      ackMs: ackSeconds * 1000,
      onProgress: this.leaseExtender(delivery, ackSeconds),
    });
    // Only the reply is missing: it may take long, and the payload is not needed for it.
    delivery.payload = '';
    delivery.bytes = 0;
    const outcome = await outside(() => sent);
    await failpoint('event-bus.webhook-sent');
    if (outcome.kind === 'no-listener') return this.outcomes.noListener(delivery);
    if (outcome.kind === 'interrupted') return this.outcomes.postponed(delivery);
    const { attempt, isDiscarded } = outcome;
    onAttempt(attempt);
    if (isDiscarded) return this.outcomes.attempted(delivery, attempt, DISCARDED);
    // No status of a service disables its endpoint.
    const after = afterAttempt({ ...attempt, status: null }, { failedBefore: delivery.attemptCount });
    return this.outcomes.attempted(delivery, attempt, stepAfter(after));
  }

  /** Progress as often as a service likes; the lease is written when it would end before the reply may come. */
  private leaseExtender(delivery: ClaimedDelivery, ackSeconds: number): () => void {
    let writtenAt = performance.now();
    return () => {
      if (performance.now() - writtenAt < (LEASE_MARGIN_SECONDS / 2) * 1000) return;
      writtenAt = performance.now();
      const { spaceId } = delivery;
      this.database
        .inSpace(spaceId, (tx) => this.queues.extend(tx, this.poisoned.marks.worker, delivery, ackSeconds))
        .catch((error: unknown) => {
          this.logger.warn({ err: error, deliveryId: delivery.id }, 'failed to extend the lease of a delivery');
        });
    };
  }
}
