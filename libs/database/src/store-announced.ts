import { type StoredRow, storedCtx } from './announced';
import type { Tx } from './tx';

/** The committing process publishes at once; if it dies first, the row is due for anybody after this. */
const FIRST_LOCK_SECONDS = 10;

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
