import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { failpoint } from '@switchyard/kernel';
import {
  type AttemptResult,
  DeliveryRunner,
  Logger,
  Metrics,
  PayerCache,
  PoisonedWork,
  type QueueRef,
  SpacePolicyCache,
  Workers,
  deliveryDelayMs,
} from '@switchyard/service';
import { type ClaimedDelivery, EndpointQueuesRepository } from '../db/endpoint-queues.repository';
import { EndpointsRepository } from '../db/endpoints.repository';
import { type NextStep, WEBHOOK_MAX_BYTES, afterAttempt, webhookBody, webhookId } from '../domain/endpoint-delivery';
import { EventBusConfig } from '../event-bus.config';
import { EndpointBacklog } from './endpoint-backlog';
import { EndpointHealth } from './endpoint-health';
import { EndpointRequests } from './endpoint-requests';

/** As operators see a delivery that ended two processes. */
const KIND = 'webhook';
/** Of payloads that are being sent. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Sends what waits for endpoints. */
@Injectable()
export class EndpointSender implements OnModuleInit {
  private readonly runner: DeliveryRunner<ClaimedDelivery>;
  private readonly attempts;
  private readonly seconds;

  constructor(
    private readonly database: Database,
    private readonly queues: EndpointQueuesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly requests: EndpointRequests,
    private readonly backlog: EndpointBacklog,
    private readonly health: EndpointHealth,
    private readonly poisoned: PoisonedWork,
    private readonly config: EventBusConfig,
    policies: SpacePolicyCache,
    payers: PayerCache,
    workers: Workers,
    metrics: Metrics,
    logger: Logger,
  ) {
    const mayRun = async (spaceId: string): Promise<boolean> => (await policies.statusOf(spaceId)) === 'ACTIVE';
    this.runner = new DeliveryRunner(
      { database, workers, poisoned, payers, logger, mayRun },
      {
        anyDue: queues.anyDue,
        anyLeased: queues.anyLeased,
        due: (tx, limit, except) => queues.due(tx, limit, except),
        claim: (tx, worker, capacities) => queues.claim(tx, worker, capacities),
        workersHolding: (tx) => queues.workersHolding(tx),
        releaseLapsed: (tx, ended) => queues.releaseLapsed(tx, ended),
        failCrashed: (tx) => queues.failCrashed(tx),
        deliver: (delivery) => this.deliver(delivery),
      },
      {
        what: 'deliveries to endpoints',
        kind: KIND,
        capacity: config.ENDPOINT_WORKERS,
        maxBytes: MAX_BYTES,
      },
    );
    metrics.gauge(
      'switchyard_endpoint_deliveries_under_way',
      'Deliveries to endpoints that are being made.',
      [],
      (gauge) => {
        gauge.set(this.runner.used.slots);
      },
    );
    metrics
      .gauge('switchyard_endpoint_deliveries_limit', 'How many deliveries to endpoints are made at a time.')
      .set(config.ENDPOINT_WORKERS);
    metrics.bounded(
      {
        name: 'switchyard_endpoint_deliveries_bytes',
        help: 'Bytes of the payloads that are being sent to endpoints.',
        measures: ['used', 'limit'],
      },
      (set) => set({ used: this.runner.used.bytes, limit: MAX_BYTES }),
    );
    this.attempts = metrics.counter('switchyard_endpoint_attempts_total', 'Attempts of deliveries to endpoints.', [
      'outcome',
    ]);
    this.seconds = metrics.histogram('switchyard_endpoint_attempt_seconds', 'Duration of attempts to endpoints.');
  }

  onModuleInit(): void {
    this.poisoned.add({
      kind: KIND,
      retry: async (tx, { spaceId, id }) => (spaceId === null ? 'absent' : this.queues.startAgain(tx, spaceId, id)),
    });
    this.runner.begin();
  }

  /** There are new deliveries for these endpoints. */
  wake(queues: Iterable<QueueRef>): void {
    this.runner.wake(queues);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<number | null> {
    const body = webhookBody(delivery);
    if (Buffer.byteLength(body) > WEBHOOK_MAX_BYTES) {
      const tooLarge = { status: 'FAILED', error: 'PAYLOAD_TOO_LARGE', nextInMs: null, isDisabling: false } as const;
      return this.store(delivery, null, tooLarge);
    }
    const { spaceId, queueId: endpointId, envelopeId, url, headers, secret, oldSecret, replay } = delivery;
    const attempt = await this.requests.send({
      spaceId,
      endpointId,
      url,
      headers,
      secret,
      oldSecret,
      webhookId: webhookId(envelopeId, endpointId, replay),
      envelopeId,
      body,
    });
    await failpoint('event-bus.webhook-sent');
    this.attempts.inc({ outcome: attempt.error === null ? 'delivered' : 'failed' });
    this.seconds.observe(attempt.durationMs / 1000);
    const delayMs = deliveryDelayMs({
      failed: delivery.attemptCount + 1,
      retryAfterMs: attempt.retryAfterMs,
      baseMs: this.config.ENDPOINT_RETRY_BASE_MS,
    });
    return this.store(delivery, attempt, afterAttempt(attempt, delayMs));
  }

  private async store(
    delivery: ClaimedDelivery,
    attempt: AttemptResult | null,
    { status, error, nextInMs, isDisabling }: NextStep,
  ): Promise<number | null> {
    const { spaceId, queueId } = delivery;
    const hasDisabled = await this.database.inSpace(spaceId, async (tx) => {
      const { worker } = this.poisoned.marks;
      await this.queues.settle(tx, worker, delivery, { status, error, attempt, nextInMs });
      if (attempt === null) return false;
      if (attempt.error === null) {
        await this.endpoints.noteSuccess(tx, spaceId, queueId);
        return false;
      }
      return this.endpoints.noteFailure(tx, spaceId, queueId, { code: attempt.error.code, isDisabling });
    });
    if (hasDisabled) {
      this.backlog.noteClosed();
      this.health.noteDisabled(spaceId, queueId, isDisabling ? 'GONE' : 'FAILING');
    }
    return nextInMs;
  }
}
