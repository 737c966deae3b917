import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { Metrics, Workers } from '@switchyard/service';
import { WaitingEmissionsRepository } from '../db/waiting-emissions.repository';
import { Backlog, EMISSION_BYTES, overQuota, pauseAfter } from '../domain/backlog';
import { EventBusConfig } from '../event-bus.config';

const LOOK_MS = 1_000;

/**
 * How many bytes of a Space wait: emissions for their dispatch, and triggers for the task service. A Space over its
 * quota emits nothing more until some of it has gone. Replicas see each other's part with the next measurement, which
 * comes the later the more there is to measure.
 */
@Injectable()
export class SpaceBacklog {
  private readonly pending = new Backlog();
  private readonly travelling = new Backlog();
  private readonly limit: number;
  private refused = 0;
  private measureAt = -Infinity;

  constructor(
    workers: Workers,
    metrics: Metrics,
    config: EventBusConfig,
    private readonly database: Database,
    private readonly waiting: WaitingEmissionsRepository,
  ) {
    this.limit = config.EVENT_BACKLOG_MAX_BYTES;
    workers.every('measure what waits of each Space', LOOK_MS, () => this.measureWhenDue());
    metrics.gauge(
      'switchyard_emissions_backlog',
      'Bytes of the Space that has most waiting (used), the limit of a Space, and emissions and replays refused.',
      ['measure'],
      (gauge) => {
        gauge.set({ measure: 'used' }, this.largest);
        gauge.set({ measure: 'limit' }, this.limit);
        gauge.set({ measure: 'refused' }, this.refused);
      },
    );
  }

  /** Throws RATE_LIMITED where so many bytes more would be over the quota. */
  check(spaceId: string, bytes: number): void {
    const waiting = this.pending.of(spaceId) + this.travelling.of(spaceId);
    if (waiting + bytes + EMISSION_BYTES <= this.limit) return;
    this.refused += 1;
    throw overQuota(this.limit);
  }

  /** An emission was recorded, and waits for its dispatch. */
  recorded(spaceId: string, bytes: number): void {
    this.pending.add(spaceId, bytes + EMISSION_BYTES);
  }

  /** It was dispatched: so many bytes of triggers are on their way. */
  dispatched(spaceId: string, bytes: number, triggerBytes: number): void {
    this.pending.add(spaceId, -(bytes + EMISSION_BYTES));
    this.travelling.add(spaceId, triggerBytes);
  }

  /** The Spaces whose triggers have to leave before more of them are made. */
  spacesOverQuota(): string[] {
    return this.travelling.over(this.limit);
  }

  private get largest(): number {
    return Math.max(this.pending.largest, this.travelling.largest);
  }

  private async measureWhenDue(): Promise<void> {
    const begunAt = performance.now();
    if (begunAt < this.measureAt) return;
    try {
      await this.measure();
    } finally {
      const now = performance.now();
      this.measureAt = now + pauseAfter(now - begunAt);
    }
  }

  private async measure(): Promise<void> {
    const pending = this.pending.beginMeasuring();
    const travelling = this.travelling.beginMeasuring();
    const rows = await this.database.system('measure what waits of each Space', (tx) => this.waiting.bytesBySpace(tx));
    pending(new Map(rows.map((row) => [row.spaceId, row.pending])));
    travelling(new Map(rows.map((row) => [row.spaceId, row.travelling])));
  }
}
