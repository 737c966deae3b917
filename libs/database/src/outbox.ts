import type { Ctx, Identity } from '@switchyard/contracts';
import type { Database } from './database';
import type { Tx } from './tx';

/** The part of a context that an event keeps. */
export interface StoredCtx extends Identity {
  requestId: string;
  traceparent?: string;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
}

export interface AnnouncedRow {
  id: string;
  name: string;
  at: string;
  ctx: StoredCtx;
  data: unknown;
  orderKey: string | null;
  pending: string[];
}

export type StoredRow = AnnouncedRow & { epoch: number };

/** The committing process publishes at once; if it dies first, the row is due for anybody after this. */
const FIRST_LOCK_SECONDS = 10;

export const storedCtx = (ctx: Ctx | StoredCtx): StoredCtx => ({
  requestId: ctx.requestId,
  traceparent: ctx.traceparent,
  spaceId: ctx.spaceId,
  userId: ctx.userId,
  role: ctx.role,
  scopes: ctx.scopes,
  credentialId: ctx.credentialId,
  credentialType: ctx.credentialType,
  applicationId: ctx.applicationId,
  causationId: ctx.causationId,
  correlationId: ctx.correlationId,
  depth: ctx.depth,
});

/** One statement for all events of a transaction. */
export async function storeAnnounced(tx: Tx): Promise<StoredRow[]> {
  if (tx.announced.length === 0) return [];
  const rows = tx.announced.map((row) => ({ ...row, ctx: storedCtx(row.ctx), epoch: 0 }));
  await tx.prepared(
    'outbox-store',
    `insert into outbox (id, name, at, ctx, data, order_key, pending, locked_until)
     select (r->>'id')::uuid, r->>'name', (r->>'at')::timestamptz, r->'ctx', r->'data', r->>'orderKey',
            array(select jsonb_array_elements_text(r->'pending')), clock_timestamp() + interval '${FIRST_LOCK_SECONDS} seconds'
       from jsonb_array_elements($1::jsonb) r`,
    [JSON.stringify(rows)],
  );
  return rows;
}

/** The outbox table, as the runner of the messaging library needs it. */
export class Outbox {
  private listener: ((rows: StoredRow[]) => void) | undefined;

  constructor(private readonly database: Database) {
    database.onCommit((rows) => this.listener?.(rows));
  }

  onAnnounced(listener: (rows: StoredRow[]) => void): void {
    this.listener = listener;
  }

  /** Each claim doubles the time until the next one, up to five minutes. */
  claimDue(limit: number): Promise<StoredRow[]> {
    return this.database.system('claim events that are due', (tx) =>
      tx.prepared<StoredRow>(
        'outbox-claim',
        `update outbox o
            set epoch = o.epoch + 1, locked_until = clock_timestamp() + least(interval '300 seconds', interval '10 seconds' * (2 ^ least(o.epoch + 1, 10)))
          where o.id in (select id from outbox where locked_until < clock_timestamp() order by id limit $1 for update skip locked)
        returning o.id, o.name, o.at, o.ctx, o.data, o.order_key, o.pending, o.epoch`,
        [limit],
      ),
    );
  }

  async confirm(consumer: string, ids: string[]): Promise<void> {
    await this.database.system('confirm events', async (tx) => {
      const left = await tx.count('delete from outbox where id = any($1::uuid[]) and pending = array[$2]', [
        ids,
        consumer,
      ]);
      if (left < ids.length) {
        await tx.run(
          'update outbox set pending = array_remove(pending, $2) where id = any($1::uuid[]) and $2 = any(pending)',
          [ids, consumer],
        );
        await tx.run(`delete from outbox where id = any($1::uuid[]) and pending = '{}'`, [ids]);
      }
    });
  }

  async settle(ids: string[]): Promise<void> {
    await this.database.system('settle events', (tx) => tx.run('delete from outbox where id = any($1::uuid[])', [ids]));
  }

  async unlockAll(): Promise<void> {
    await this.database.system('make every event due again', (tx) =>
      tx.run(`update outbox set locked_until = 'epoch' where locked_until > clock_timestamp()`),
    );
  }

  /** For the metrics: how many events wait, and for how long the oldest has. */
  async backlog(): Promise<{ rows: number; oldestSeconds: number }> {
    const row = await this.database.system('measure the outbox', (tx) =>
      tx.one<{ rows: number; oldestSeconds: number }>(
        'select count(*)::int as rows, coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as oldest_seconds from outbox',
      ),
    );
    return row ?? { rows: 0, oldestSeconds: 0 };
  }
}
