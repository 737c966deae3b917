import { type Oversized, type ServiceName, KeyCalls, actAs, serviceCtx } from '@switchyard/contracts';
import type { FactoryProvider } from '@nestjs/common';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';
import { Workers } from '../workers/background-loops';

/** The table, and the name of one of its records. */
export interface OversizedKind {
  table: string;
  name: string;
}

interface Marked {
  spaceId: string;
  id: string;
  worst: unknown;
}

interface ReportedRow extends Marked {
  worst: Oversized;
}

const PAGE = 100;
/** Of a kind. */
const MAX_LISTED = 1_000;
const EVERY_MS = 60_000;
const MAX_PATH = 1_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Other marks are those of a damaged database: the operator's list has such a record, without an event. */
const isMark = (worst: unknown): worst is Oversized => {
  const { path, bytes, limit } = (worst ?? {}) as Partial<Oversized>;
  return typeof path === 'string' && path.length <= MAX_PATH && typeof bytes === 'number' && typeof limit === 'number';
};

const isReported = (row: Marked): row is ReportedRow => isMark(row.worst);

/**
 * Tells the Spaces, in their security events, which of their records are over the limits of their fields, and lists
 * these for the operator. Once after a start, from the marks that the database keeps: nothing large is read. An event
 * that was told before is not recorded again.
 */
export class OversizedNotices {
  private last: { spaceId: string; id: string } | null = { spaceId: NIL, id: NIL };

  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly service: ServiceName,
    private readonly kind: OversizedKind,
  ) {}

  start(workers: Workers): void {
    workers.poll(`tell of oversized ${this.kind.table}`, EVERY_MS, () => this.notifyNext());
  }

  private async notifyNext(): Promise<Polled> {
    if (this.last === null) {
      await this.removeCured();
      return false;
    }
    const { spaceId, id } = this.last;
    const marked = await this.database.system('tell of oversized records', (tx) =>
      tx.query<Marked>(
        `select space_id, id, oversized -> 0 as worst from ${this.kind.table}
          where oversized is not null and (space_id, id) > ($1::uuid, $2::uuid) order by space_id, id limit ${PAGE}`,
        [spaceId, id],
      ),
    );
    for (const row of marked) {
      if (isReported(row)) await this.notify(row);
      this.last = { spaceId: row.spaceId, id: row.id };
    }
    if (marked.length === PAGE) return true;
    await this.list();
    this.last = null;
    return false;
  }

  /** Records that were made smaller, or deleted, leave the operator's list. Each listed one is found by its key. */
  private async removeCured(): Promise<void> {
    await this.database.system('forget cured records', (tx) =>
      tx.run(
        `delete from lost_work listed where kind = $1 and not exists (
           select 1 from ${this.kind.table} record
            where record.space_id = listed.space_id and record.id = listed.id and record.oversized is not null)`,
        [this.recordedAs],
      ),
    );
  }

  private get recordedAs(): string {
    return `oversized-${this.kind.name}`;
  }

  /** For operators, among the work that was given up: nothing was lost, but it needs attention. */
  private async list(): Promise<void> {
    await this.removeCured();
    await this.database.system('list oversized records', async (tx) => {
      await tx.run(
        `insert into lost_work (kind, id, space_id, losses, given_up_at)
           select $1, id, space_id, 0, clock_timestamp() from ${this.kind.table}
            where oversized is not null order by id limit ${MAX_LISTED}
         on conflict (kind, id) do nothing`,
        [this.recordedAs],
      );
    });
  }

  private async notify({ spaceId, id, worst }: ReportedRow): Promise<void> {
    const ctx = actAs(serviceCtx(this.service), { spaceId });
    const { path, bytes, limit } = worst;
    const event = { id, action: `${this.kind.name}.oversized`, target: id, details: { path, bytes, limit } };
    await this.bus.call(KeyCalls.recordSecurityEvent, ctx, event);
  }
}

/** Begins with the service. */
export const oversizedNotices = (
  service: ServiceName,
  ...kinds: readonly OversizedKind[]
): FactoryProvider<OversizedNotices[]> => ({
  provide: OversizedNotices,
  useFactory: (database: Database, bus: Bus, workers: Workers) =>
    kinds.map((kind) => {
      const notices = new OversizedNotices(database, bus, service, kind);
      notices.start(workers);
      return notices;
    }),
  inject: [Database, Bus, Workers],
});
