import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DeliveryError } from '@switchyard/contracts';
import type { Polled } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { Logger, Metrics, type QueueRef, Workers } from '@switchyard/service';
import { EndpointQueuesRepository } from '../db/endpoint-queues.repository';
import { EventBusConfig } from '../event-bus.config';

/** After so much was added to a queue, it is measured again. */
const MEASURED_AFTER = { deliveries: 1_000, bytes: 1024 * 1024 };
/** All queues are measured this often, for those that another process filled. */
const MEASURE_MS = 60_000;
const QUEUES_MEASURED = 2_000;
const CLOSE_MS = 1_000;
const CLOSED_AT_ONCE = 100;
const BATCH = 2_000;

const keyOf = ({ spaceId, queueId }: QueueRef): string => `${spaceId} ${queueId}`;

/**
 * Ends what waits without an attempt: the oldest of an endpoint over its limit, and all of one that was disabled,
 * switched off or deleted.
 */
@Injectable()
export class EndpointBacklog implements OnModuleInit {
  private readonly added = new Map<string, { queue: QueueRef; deliveries: number; bytes: number }>();
  private readonly discarded;
  private wakeCloser: () => void = () => undefined;
  private wakeMeter: () => void = () => undefined;
  private measuredAllAt = performance.now();

  constructor(
    private readonly database: Database,
    private readonly queues: EndpointQueuesRepository,
    private readonly workers: Workers,
    private readonly config: EventBusConfig,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.discarded = metrics.counter(
      'switchyard_endpoint_deliveries_discarded_total',
      'Deliveries to endpoints that failed without an attempt.',
      ['reason'],
    );
    const oldest = metrics.gauge(
      'switchyard_endpoint_deliveries_oldest_due_seconds',
      'How long the oldest due delivery to an endpoint has waited.',
    );
    const endpoints = metrics.gauge(
      'switchyard_endpoints',
      'Endpoints whose deliveries fail, or that are disabled, by status.',
      ['status'],
    );
    metrics.gauge(
      'switchyard_endpoint_deliveries_waiting',
      'Deliveries to endpoints that wait, counted up to a million.',
      [],
      async (gauge) => {
        const figures = await database.system('count deliveries', (tx) => queues.figures(tx)).catch(() => null);
        if (figures === null) return;
        gauge.set(figures.open);
        oldest.set(figures.oldestSeconds);
        endpoints.set({ status: 'FAILING' }, figures.failing);
        endpoints.set({ status: 'DISABLED' }, figures.disabled);
      },
    );
  }

  onModuleInit(): void {
    const poller = this.database.idlePoller.for(this.queues.anyOpen);
    this.wakeCloser = this.workers.poll('end deliveries of closed endpoints', CLOSE_MS, () => this.close(), poller);
    this.wakeMeter = this.workers.poll('measure queues of endpoints', MEASURE_MS, () => this.measure(), poller);
  }

  /** New deliveries that wait. */
  noteAdded(deliveries: readonly { spaceId: string; endpointId: string; bytes: number }[]): void {
    let isLong = false;
    for (const { spaceId, endpointId, bytes } of deliveries) {
      const queue = { spaceId, queueId: endpointId };
      const sum = this.added.get(keyOf(queue)) ?? { queue, deliveries: 0, bytes: 0 };
      sum.deliveries += 1;
      sum.bytes += bytes;
      this.added.set(keyOf(queue), sum);
      isLong ||= isWorthMeasuring(sum);
    }
    if (isLong) this.wakeMeter();
  }

  /** Any number of earlier deliveries waits again. */
  noteReplayed(queue: QueueRef): void {
    this.added.set(keyOf(queue), { queue, ...MEASURED_AFTER });
    this.wakeMeter();
  }

  /** An endpoint takes nothing any more. */
  noteClosed(): void {
    this.wakeCloser();
  }

  private async close(): Promise<Polled> {
    const closed = await this.database.system('find closed endpoints', (tx) => this.queues.closed(tx, CLOSED_AT_ONCE));
    let ended = 0;
    for (const queue of closed) ended += await this.end(queue, 'ENDPOINT_DISABLED', BATCH);
    return ended > 0 || (closed.length > 0 && 'soon');
  }

  private async measure(): Promise<Polled> {
    const grown = [...this.added.values()].filter(isWorthMeasuring).map(({ queue }) => queue);
    const isTimeForAll = performance.now() - this.measuredAllAt >= MEASURE_MS;
    // Before the read: queues that grow during it stay for the next round.
    if (isTimeForAll) this.added.clear();
    for (const queue of isTimeForAll ? await this.all(grown) : grown) {
      this.added.delete(keyOf(queue));
      await this.trim(queue);
    }
    return this.added.size > 0 && 'soon';
  }

  /** All queues up to a limit, and those that have grown. */
  private async all(grown: readonly QueueRef[]): Promise<Iterable<QueueRef>> {
    const open = await this.database.system('find queues of endpoints', (tx) => this.queues.open(tx, QUEUES_MEASURED));
    this.measuredAllAt = performance.now();
    return new Map([...grown, ...open].map((queue) => [keyOf(queue), queue])).values();
  }

  private async trim(queue: QueueRef): Promise<void> {
    const limit = { deliveries: this.config.ENDPOINT_BACKLOG_MAX, bytes: this.config.ENDPOINT_BACKLOG_MAX_BYTES };
    let excess = await this.database.system('measure a queue', (tx) => this.queues.excess(tx, queue, limit));
    if (excess === 0) return;
    this.logger.warn({ endpointId: queue.queueId, excess }, 'the oldest deliveries of an endpoint fail: too many wait');
    while (excess > 0) {
      const ended = await this.end(queue, 'ENDPOINT_BACKLOG', Math.min(BATCH, excess));
      if (ended === 0) return;
      excess -= ended;
    }
  }

  private async end(queue: QueueRef, reason: DeliveryError, limit: number): Promise<number> {
    const ended = await this.database.system('end deliveries to an endpoint', (tx) =>
      this.queues.failOpen(tx, queue, reason, limit),
    );
    if (ended > 0) this.discarded.inc({ reason }, ended);
    return ended;
  }
}

const isWorthMeasuring = ({ deliveries, bytes }: { deliveries: number; bytes: number }): boolean =>
  deliveries >= MEASURED_AFTER.deliveries || bytes >= MEASURED_AFTER.bytes;
