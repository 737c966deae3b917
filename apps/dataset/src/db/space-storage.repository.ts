import { Injectable } from '@nestjs/common';
import type { StoredTotals } from '@switchyard/contracts';
import type { Database, Tx } from '@switchyard/database';
import type { StoredAmount } from '../domain/storage-limits';

/** A dataset without records counts no bytes: those of one of before the count began with an estimate. */
const USED = `select coalesce(sum(d.records), 0)::bigint as records,
    coalesce(sum(greatest(d.bytes, 0)) filter (where d.records > 0 or d.has_pieces), 0)::bigint as bytes
  from (
    select sum(n.records) as records, sum(n.bytes) as bytes,
      exists (select 1 from hidden_imports h where h.space_id = $1 and h.dataset_id = n.dataset_id) as has_pieces
    from dataset_counts n where n.space_id = $1 group by n.dataset_id) d`;

/** Of those that are open, without what they have written: its bytes count with the records of their dataset. */
const OPEN_IMPORTS = `select coalesce(sum(i.staged), 0)::bigint as records,
    coalesce(sum(i.bytes - i.bytes * i.piece / greatest(i.parts, 1)), 0)::bigint as bytes
  from imports i where i.space_id = $1 and i.phase in ('STAGING', 'QUEUED', 'RUNNING', 'WRITING') and i.cancel_requested_at is null`;

/** Records and bytes of a Space's datasets, from counters that each write updates. */
@Injectable()
export class SpaceStorageRepository {
  async used(tx: Tx, spaceId: string): Promise<StoredAmount> {
    const [row] = await tx.prepared<StoredAmount>('space-storage', USED, [spaceId]);
    return row ?? { records: 0, bytes: 0 };
  }

  /** Records and bytes that the open imports of a Space will add. */
  async staged(tx: Tx, spaceId: string): Promise<StoredAmount> {
    const [row] = await tx.prepared<StoredAmount>('space-staged', OPEN_IMPORTS, [spaceId]);
    return row ?? { records: 0, bytes: 0 };
  }

  /** Writes of a Space that may reach its ceiling go one after the other until they commit. */
  async takeTurn(tx: Tx, spaceId: string): Promise<void> {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 73010))', [spaceId]);
  }

  /** The Spaces with datasets, in the order of their ids. */
  async spacesAfter(database: Database, after: string, limit: number): Promise<string[]> {
    const rows = await database.system('list Spaces with datasets', (tx) =>
      tx.query<{ spaceId: string }>(
        'select space_id from datasets where space_id > $1 group by space_id order by space_id limit $2',
        [after, limit],
      ),
    );
    return rows.map((row) => row.spaceId);
  }

  /** As `used`, for many Spaces; those without a dataset have nothing. */
  totals(database: Database, spaceIds: readonly string[]): Promise<StoredTotals[]> {
    return database.system('sum up what Spaces store', (tx) =>
      tx.query<StoredTotals>(
        `select s.id as space_id, coalesce(sum(d.records), 0)::bigint as records,
           coalesce(sum(greatest(d.bytes, 0)) filter (where d.records > 0 or d.has_pieces), 0)::bigint as bytes,
           to_char(statement_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
         from unnest($1::uuid[]) as s (id)
         left join lateral (
           select sum(n.records) as records, sum(n.bytes) as bytes,
             exists (select 1 from hidden_imports h where h.space_id = s.id and h.dataset_id = n.dataset_id) as has_pieces
           from dataset_counts n where n.space_id = s.id group by n.dataset_id) d on true
         group by s.id`,
        [spaceIds],
      ),
    );
  }
}
