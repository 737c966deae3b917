import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { Metrics, Workers } from '@switchyard/service';
import { type WaitingBytes, WaitingEmissionsRepository } from '../db/undispatched-emissions.repository';
import { SpaceBacklogSizes, EMISSION_BYTES, overQuota } from '../domain/space-backlog-sizes';
import { BacklogMeasurementSchedule } from '../domain/backlog-measurement-schedule';
import { EventBusConfig } from '../event-bus.config';

const LOOK_MS = 1_000;
/** A Space with more is measured by itself, after the others. */
const LARGE_BYTES = 4 * 1024 * 1024;
const SMALL_AT_ONCE = 100;
const SEED_AGAIN_MS = 60_000;
/**
 * Of its quota, what of a Space travels at a time. The task service reads messages in the order of the stream, and
 * those of a Space over its share are sent to it once more.
 */
const TRAVELLING_PART = 1 / 8;

/**
 * How many bytes of a Space wait: emissions for their dispatch, and triggers for the task service. A Space over its
 * quota emits nothing more until some of it has gone. Replicas see each other's part with the next measurement of the
 * Space, which comes the later the more of it there is to measure.
 */
@Injectable()
export class SpaceBacklogQuota {
  private readonly pending = new SpaceBacklogSizes();
  private readonly travelling = new SpaceBacklogSizes();
  /** Reserved bytes of writes in progress: the next caller must not use them. */
  private readonly entering = new Map<string, number>();
  private readonly backlogMeasurementSchedule = new BacklogMeasurementSchedule();
  private readonly limit: number;
  private refused = 0;
  private readonly look: () => void;
  /** When to ask what waited of all Spaces when this process began; never again once it is known. */
  private seedAt = -Infinity;

  constructor(
    workers: Workers,
    metrics: Metrics,
    config: EventBusConfig,
    private readonly database: Database,
    private readonly waiting: WaitingEmissionsRepository,
  ) {
    this.limit = config.EVENT_BACKLOG_MAX_BYTES;
    const measure = (what: string, work: () => Promise<void>): (() => void) =>
      workers.whileNeeded(what, LOOK_MS, async () => {
        await work();
        return this.spaces.size > 0;
      });
    const looks = [
      measure('measure what waits of each Space', () => this.measureSmall()),
      measure('measure what waits of large Spaces', () => this.measureLarge()),
    ];
    this.look = () => {
      for (const look of looks) look();
    };
    workers.poll('look what waited of all Spaces', LOOK_MS, () => this.seed());
    metrics.bounded(
      {
        name: 'switchyard_emissions_backlog_bytes',
        help: 'Bytes of emissions that wait, of the Space that has most.',
        measures: ['used', 'limit', 'refused'],
      },
      (set) => set({ used: this.largest, limit: this.limit, refused: this.refused }),
    );
  }

  /** Throws RATE_LIMITED where so many bytes more would be over the quota. */
  check(spaceId: string, bytes: number): void {
    const waiting = this.pending.of(spaceId) + this.travelling.of(spaceId) + (this.entering.get(spaceId) ?? 0);
    if (waiting + bytes + EMISSION_BYTES <= this.limit) return;
    this.refused += 1;
    throw overQuota(this.limit);
  }

  /** As `check`; the bytes stay reserved until `write` has ended, also with an error. */
  async enter<T>(spaceId: string, bytes: number, write: () => Promise<T>): Promise<T> {
    this.check(spaceId, bytes);
    const taken = bytes + EMISSION_BYTES;
    this.entering.set(spaceId, (this.entering.get(spaceId) ?? 0) + taken);
    try {
      return await write();
    } finally {
      const remaining = (this.entering.get(spaceId) ?? 0) - taken;
      if (remaining > 0) this.entering.set(spaceId, remaining);
      else this.entering.delete(spaceId);
    }
  }

  /** An emission was recorded, and waits for its dispatch. */
  recorded(spaceId: string, bytes: number): void {
    this.pending.add(spaceId, bytes + EMISSION_BYTES);
    this.look();
  }

  /** It was dispatched: so many bytes of triggers are on their way. */
  dispatched(spaceId: string, bytes: number, triggerBytes: number): void {
    this.pending.add(spaceId, -(bytes + EMISSION_BYTES));
    this.travelling.add(spaceId, triggerBytes);
    this.look();
  }

  /** It is started once more. */
  replayed(spaceId: string, triggerBytes: number): void {
    this.travelling.add(spaceId, triggerBytes);
    this.look();
  }

  /** The Spaces whose triggers have to leave before more of them are made. */
  spacesOverQuota(): string[] {
    return this.travelling.over(this.limit * TRAVELLING_PART);
  }

  private get largest(): number {
    return Math.max(this.pending.largest, this.travelling.largest);
  }

  /** The due ones of which little waits, many at once. */
  private async measureSmall(): Promise<void> {
    const due = this.due().filter((spaceId) => this.of(spaceId) <= LARGE_BYTES);
    for (let at = 0; at < due.length; at += SMALL_AT_ONCE) await this.measure(due.slice(at, at + SMALL_AT_ONCE));
  }

  private async measureLarge(): Promise<void> {
    for (const spaceId of this.due().filter((id) => this.of(id) > LARGE_BYTES)) await this.measure([spaceId]);
  }

  private of(spaceId: string): number {
    return this.pending.of(spaceId) + this.travelling.of(spaceId);
  }

  private get spaces(): ReadonlySet<string> {
    return new Set([...this.pending.spaces, ...this.travelling.spaces]);
  }

  private due(): string[] {
    return this.backlogMeasurementSchedule.due(this.spaces, performance.now());
  }

  private async measure(spaceIds: readonly string[]): Promise<void> {
    const begunAt = performance.now();
    const take = this.begin(spaceIds);
    try {
      take(await this.database.system('measure what waits of some Spaces', (tx) => this.waiting.bytesOf(tx, spaceIds)));
    } finally {
      this.backlogMeasurementSchedule.took(spaceIds, begunAt, performance.now());
    }
  }

  /** Measures the backlog of all Spaces at start; it can be large, so this can take long, and fail. */
  private async seed(): Promise<Polled> {
    if (this.seedAt === Infinity) return false;
    if (performance.now() < this.seedAt) return 'soon';
    this.seedAt = performance.now() + SEED_AGAIN_MS;
    const take = this.begin([]);
    take(await this.database.system('measure what waits of each Space', (tx) => this.waiting.bytesBySpace(tx)));
    this.seedAt = Infinity;
    this.look();
    return false;
  }

  private begin(spaceIds: readonly string[]): (rows: readonly WaitingBytes[]) => void {
    const pending = this.pending.beginMeasuring(spaceIds);
    const travelling = this.travelling.beginMeasuring(spaceIds);
    return (rows) => {
      pending(new Map(rows.map((row) => [row.spaceId, row.pending])));
      travelling(new Map(rows.map((row) => [row.spaceId, row.travelling])));
    };
  }
}
