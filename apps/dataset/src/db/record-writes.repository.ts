import { Injectable } from '@nestjs/common';
import { type Ctx, type WriteOperation, requireSpace } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

/** Writes of runs, each a line in the transaction that writes. What people write by hand is in no tree. */
@Injectable()
export class RecordWritesRepository {
  /**
   * Runs `work` with the context under which its announcements belong to this write, and notes how many records it
   * wrote. Without a run behind it, nothing is noted.
   */
  async noting(
    tx: Tx,
    ctx: Ctx,
    write: { datasetId: string; operation: WriteOperation },
    work: (ctx: Ctx) => Promise<number>,
  ): Promise<void> {
    const { lineage } = ctx;
    if (lineage === undefined) {
      await work(ctx);
      return;
    }
    const id = newId();
    const records = await work({ ...ctx, lineage: { ...lineage, parent: `record_write:${id}` } });
    if (records === 0) return;
    await tx.prepared(
      'note-record-write',
      `insert into record_writes (space_id, id, dataset_id, operation, records, user_id, parent, root, correlation_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        requireSpace(ctx),
        id,
        write.datasetId,
        write.operation,
        records,
        ctx.userId,
        lineage.parent,
        lineage.root,
        ctx.correlationId,
      ],
    );
  }

  forget(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from record_writes where ctid = any(array(
         select ctid from record_writes where created_at < clock_timestamp() - make_interval(days => $1) limit $2 for update skip locked))`,
      [days, limit],
    );
  }
}
