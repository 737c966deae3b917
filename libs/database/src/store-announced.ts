import { type AnnouncedRow, type StoredRow, storedCtx } from './announced';

/** What a transaction has announced, and the way to its statements. */
interface AnnouncingTx {
  readonly announced: readonly AnnouncedRow[];
  readonly hasStored: boolean;
  prepared(name: string, sql: string, params: unknown[]): Promise<unknown>;
}

/** The committing process publishes at once; if it dies first, the row is due for anybody after this. */
const FIRST_LOCK_SECONDS = 10;

/**
 * One statement for all events of a transaction. Returns those that the committing process publishes: none where some
 * were stored before, since the outbox keeps their order.
 */
export async function storeAnnounced(tx: AnnouncingTx): Promise<StoredRow[]> {
  if (tx.announced.length === 0) return [];
  const rows = tx.announced.map((row) => ({ ...row, ctx: storedCtx(row.ctx), epoch: 0 }));
  await tx.prepared(
    'outbox-store',
    `insert into outbox (id, name, at, ctx, data, order_key, pending, locked_until)
     select (r->>'id')::uuid, r->>'name', (r->>'at')::timestamptz, r->'ctx', r->'data', r->>'orderKey',
            array(select jsonb_array_elements_text(r->'pending')), clock_timestamp() + make_interval(secs => $2)
       from jsonb_array_elements($1::jsonb) r`,
    [JSON.stringify(rows), tx.hasStored ? 0 : FIRST_LOCK_SECONDS],
  );
  return tx.hasStored ? [] : rows;
}
