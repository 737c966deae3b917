import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';

export interface EndedImport {
  spaceId: string;
  id: string;
  datasetId: string;
  createdBy: string | null;
  hasSucceeded: boolean;
}

/** Parts of imports that have ended or were abandoned. */
@Injectable()
export class FinishedImportCleanupRepository {
  /** An import with parts that are no longer needed. */
  next(tx: Tx): Promise<EndedImport | null> {
    return tx.one<EndedImport>(
      `select space_id, id, dataset_id, created_by, phase = 'SUCCEEDED' as has_succeeded from imports where has_parts
       order by random() limit 1`,
    );
  }

  /** Takes an import for this transaction; null when another process has it, or is done with it. */
  hold(tx: Tx, { spaceId, id }: EndedImport): Promise<{ id: string } | null> {
    return tx.one<{ id: string }>(
      'select id from imports where space_id = $1 and id = $2 and has_parts for update skip locked',
      [spaceId, id],
    );
  }

  /** Lets go of some parts, and says which records were in them. */
  async takeParts(tx: Tx, { spaceId, id }: EndedImport, most: number): Promise<{ parts: number; ids: string[] }> {
    const rows = await tx.query<{ ids: string[] }>(
      `delete from import_parts p using (select part from import_parts where space_id = $1 and import_id = $2 order by part limit $3) taken
       where p.space_id = $1 and p.import_id = $2 and p.part = taken.part
       returning array(select r.value->>'id' from jsonb_array_elements(p.rows) r) as ids`,
      [spaceId, id, most],
    );
    return { parts: rows.length, ids: rows.flatMap((row) => row.ids) };
  }

  async done(tx: Tx, { spaceId, id }: EndedImport): Promise<void> {
    await tx.run('update imports set has_parts = false where space_id = $1 and id = $2', [spaceId, id]);
  }

  /**
   * Uploads that broke off: their parts go first, then they. And jobs that ended long ago. One whose finish is under
   * way is left alone; one that has lost a part is marked, so that no finish comes after. A job with hidden records
   * stays: an operator may have them taken back.
   */
  async forgetOld(tx: Tx, most: number): Promise<number> {
    const old = await tx.query<{ spaceId: string; id: string }>(
      `select space_id, id from imports where phase = 'STAGING' and touched_at < (select clock_timestamp()) - interval '2 hours'
       limit $1 for update skip locked`,
      [most],
    );
    const slots = [old.map((row) => row.spaceId), old.map((row) => row.id)];
    await tx.run(
      `update imports i set cancel_requested_at = clock_timestamp(), touched_at = '-infinity'
       from unnest($1::uuid[], $2::uuid[]) as o(space_id, id)
       where i.space_id = o.space_id and i.id = o.id and i.cancel_requested_at is null`,
      slots,
    );
    const parts = await tx.count(
      `delete from import_parts p using (
         select q.space_id, q.import_id, q.part from unnest($1::uuid[], $2::uuid[]) as o(space_id, id)
           join import_parts q on q.space_id = o.space_id and q.import_id = o.id limit $3) gone
       where p.space_id = gone.space_id and p.import_id = gone.import_id and p.part = gone.part`,
      [...slots, most],
    );
    if (parts > 0) return parts;
    return tx.count(
      `delete from imports where ctid = any(array(select ctid from imports i
         where (phase = 'STAGING' and touched_at < (select clock_timestamp()) - interval '2 hours'
             and not exists (select from import_parts p where p.space_id = i.space_id and p.import_id = i.id))
           or (finished_at < (select clock_timestamp()) - interval '30 days' and not has_parts
             and not exists (select from hidden_imports h where h.space_id = i.space_id and h.dataset_id = i.dataset_id and h.import_id = i.id))
         limit $1 for update skip locked))`,
      [most],
    );
  }
}
