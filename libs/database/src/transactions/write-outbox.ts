import { storedCtx } from '@switchyard/contracts';
import type { AnnouncedRow, StoredRow } from './outbox-rows';

/** Events of a transaction, and access to its statements. */
interface AnnouncingTx {
  readonly announced: readonly AnnouncedRow[];
  /** Some of its events are in the outbox already. */
  readonly hasStored: boolean;
  prepared<Row>(name: string, sql: string, params: unknown[]): Promise<Row[]>;
}

export interface Announced {
  /** Rows that this process publishes. */
  toPublish: StoredRow[];
  /** Rows that are published from the outbox, in order. */
  hasQueued: boolean;
}

/** The committing process publishes at once; if it dies first, any replica does after this time. */
const FIRST_LOCK_SECONDS = 10;

/**
 * Stores all events of a transaction in one statement. Events with an order key are queued if earlier events of the
 * transaction or of their key are, so as not to overtake them.
 */
export async function writeOutbox(tx: AnnouncingTx): Promise<Announced> {
  if (tx.announced.length === 0) return { toPublish: [], hasQueued: tx.hasStored };
  const rows = tx.announced.map((row) => ({ epoch: 0, ...row, ctx: storedCtx(row.ctx) }));
  const queued = await tx.prepared<{ id: string }>(
    'outbox-store',
    `with stored as (
       insert into outbox (id, name, at, ctx, data, order_key, pending, epoch, locked_until)
       select (r->>'id')::uuid, r->>'name', (r->>'at')::timestamptz, r->'ctx', r->'data', r->>'orderKey',
              array(select jsonb_array_elements_text(r->'pending')), case when is_queued then -1 else 0 end,
              clock_timestamp() + case when is_queued or $2 then interval '0' else make_interval(secs => ${FIRST_LOCK_SECONDS}) end
         from jsonb_array_elements($1::jsonb) with ordinality as given (r, position)
        cross join lateral (
          select r->>'orderKey' is not null
             and ($2 or (select true from outbox o where o.order_key = r->>'orderKey' and o.epoch < 0 limit 1) is true) as is_queued) q
        order by position
       returning id, epoch)
     select id from stored where epoch < 0`,
    [JSON.stringify(rows), tx.hasStored],
  );
  if (tx.hasStored) return { toPublish: [], hasQueued: true };
  if (queued.length === 0) return { toPublish: rows, hasQueued: false };
  const ids = new Set(queued.map(({ id }) => id));
  return { toPublish: rows.filter(({ id }) => !ids.has(id)), hasQueued: true };
}
