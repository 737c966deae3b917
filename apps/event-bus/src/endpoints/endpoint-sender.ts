import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EndpointTransport } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { failpoint, poisonPoint, upToEntries } from '@switchyard/kernel';
import type { WaitOutside } from '@switchyard/messaging';
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
  afterAttempt,
} from '@switchyard/service';
import { LRUCache } from 'lru-cache';
import { type ClaimedDelivery, EndpointQueuesRepository } from '../db/endpoint-queues.repository';
import { WEBHOOK_MAX_BYTES, webhookBody, webhookId } from '../domain/endpoint-delivery';
import { EventBusConfig } from '../event-bus.config';
import { EndpointOutcomes } from './endpoint-outcomes';
import { EndpointRequests, UNREADABLE } from './endpoint-requests';
import { NatsDelivery } from './nats-delivery';
import { NatsTransport } from './nats-transport';
import { stepAfter } from './step-after';

/** As operators see a delivery that ended two processes. */
const KIND = 'webhook';
/** Of payloads that are being sent, by each transport. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Of a process, a payer waits for so many replies over NATS: they may take long. */
const NATS_PAYER_PART = 8;
const TRANSPORTS_CACHED = 10_000;

/** Sends what waits for endpoints. */
@Injectable()
export class EndpointSender implements OnModuleInit {
  private readonly runners: Record<EndpointTransport, DeliveryRunner<ClaimedDelivery>>;
  private readonly transports = new LRUCache<string, EndpointTransport>(upToEntries(TRANSPORTS_CACHED));
  private readonly attempts;
  private readonly seconds;

  constructor(
    private readonly queues: EndpointQueuesRepository,
    private readonly requests: EndpointRequests,
    private readonly outcomes: EndpointOutcomes,
    private readonly natsDelivery: NatsDelivery,
    private readonly nats: NatsTransport,
    private readonly poisoned: PoisonedWork,
    config: EventBusConfig,
    database: Database,
    policies: SpacePolicyCache,
    payers: PayerCache,
    workers: Workers,
    metrics: Metrics,
    logger: Logger,
  ) {
    const mayRun = async (spaceId: string): Promise<boolean> => (await policies.statusOf(spaceId)) === 'ACTIVE';
    const parts = { database, workers, poisoned, payers, logger, mayRun };
    const limits: Record<EndpointTransport, { capacity: number; payerPart?: number }> = {
      http: { capacity: config.ENDPOINT_WORKERS },
      nats: { capacity: config.ENDPOINT_NATS_WORKERS, payerPart: NATS_PAYER_PART },
    };
    const runner = (transport: EndpointTransport, what: string): DeliveryRunner<ClaimedDelivery> =>
      new DeliveryRunner(parts, this.queuesOf(transport), {
        what,
        kind: KIND,
        maxBytes: MAX_BYTES,
        largestBytes: WEBHOOK_MAX_BYTES,
        ...limits[transport],
      });
    this.runners = { http: runner('http', 'deliveries to endpoints'), nats: runner('nats', 'deliveries over NATS') };
    metrics.gauge(
      'switchyard_endpoint_deliveries_under_way',
      'Deliveries to endpoints that are in progress.',
      ['transport'],
      (gauge) => {
        for (const transport of ['http', 'nats'] as const) gauge.set({ transport }, this.runners[transport].used.slots);
      },
    );
    const most = metrics.gauge(
      'switchyard_endpoint_deliveries_limit',
      'Limit of `switchyard_endpoint_deliveries_under_way`.',
      ['transport'],
    );
    for (const transport of ['http', 'nats'] as const) most.set({ transport }, limits[transport].capacity);
    metrics.bounded(
      {
        name: 'switchyard_endpoint_deliveries_bytes',
        help: 'Bytes of the payloads that are being sent to endpoints.',
        measures: ['used', 'limit'],
        labels: ['transport'],
      },
      (set) => {
        for (const transport of ['http', 'nats'] as const)
          set({ used: this.runners[transport].used.bytes, limit: MAX_BYTES }, { transport });
      },
    );
    this.attempts = metrics.counter('switchyard_endpoint_attempts_total', 'Attempts of deliveries to endpoints.', [
      'outcome',
    ]);
    this.seconds = metrics.histogram('switchyard_endpoint_attempt_seconds', 'Duration of attempts to endpoints.');
  }

  onModuleInit(): void {
    this.poisoned.add({
      kind: KIND,
      retry: async (tx, { spaceId, id }) =>
        spaceId === null ? 'absent' : this.queues.rows.startAgain(tx, spaceId, id),
    });
    this.runners.http.begin();
    // The other one sweeps for both.
    if (this.nats.isOn) this.runners.nats.begin({ sweeps: false });
  }

  /** There are new deliveries for these endpoints. */
  wake(queues: Iterable<QueueRef>): void {
    const woken: Record<EndpointTransport, QueueRef[]> = { http: [], nats: [] };
    for (const queue of queues) {
      const transport = this.transports.get(queue.queueId);
      if (transport !== 'nats') woken.http.push(queue);
      if (transport !== 'http') woken.nats.push(queue);
    }
    if (woken.http.length > 0) this.runners.http.wake(woken.http);
    if (woken.nats.length > 0 && this.nats.isOn) this.runners.nats.wake(woken.nats);
  }

  private queuesOf(transport: EndpointTransport): ConstructorParameters<typeof DeliveryRunner<ClaimedDelivery>>[1] {
    const { queues } = this;
    const isUp = (): boolean => transport === 'http' || this.nats.isUp;
    return {
      rows: queues.rows,
      due: async (tx, limit, except) => (isUp() ? queues.due(tx, transport, limit, except) : []),
      claim: async (tx, worker, capacities) => {
        if (!isUp()) return [];
        const claimed = await queues.claim(tx, transport, worker, capacities);
        for (const { queueId } of claimed) this.transports.set(queueId, transport);
        return claimed;
      },
      deliver: (delivery, outside) => {
        poisonPoint('event-bus.delivering', delivery.payload);
        if (transport === 'http') return this.post(delivery, outside);
        return this.natsDelivery.deliver(delivery, {
          outside,
          onAttempt: (attempt) => {
            this.count(attempt);
          },
        });
      },
    };
  }

  private async post(delivery: ClaimedDelivery, outside: WaitOutside): Promise<number | null> {
    const body = webhookBody(delivery);
    const { spaceId, queueId: endpointId, envelopeId, traceparent, url, headers, secret, oldSecret, replay } = delivery;
    if (Buffer.byteLength(body) > WEBHOOK_MAX_BYTES || url === null || secret === null) {
      const tooLarge = { status: 'FAILED', error: 'PAYLOAD_TOO_LARGE', nextInMs: null, isDisabling: false } as const;
      return this.outcomes.attempted(delivery, null, tooLarge);
    }
    const message = { spaceId, endpointId, url, headers, secret, oldSecret, envelopeId, traceparent, body };
    const attempt = await this.requests.send(
      { ...message, webhookId: webhookId(envelopeId, endpointId, replay) },
      outside,
    );
    await failpoint('event-bus.webhook-sent');
    this.count(attempt);
    const after = afterAttempt(attempt, { failedBefore: delivery.attemptCount, finalErrors: [UNREADABLE] });
    return this.outcomes.attempted(delivery, attempt, stepAfter(after));
  }

  private count(attempt: AttemptResult): void {
    this.attempts.inc({ outcome: attempt.error === null ? 'delivered' : 'failed' });
    this.seconds.observe(attempt.durationMs / 1000);
  }
}
