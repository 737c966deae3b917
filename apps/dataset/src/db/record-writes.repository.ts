import { Injectable } from '@nestjs/common';
import { type Ctx, type WriteOperation, requireSpace } from '@switchyard/contracts';
import type { Tx, WeeklyTable } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export const RECORD_WRITES: WeeklyTable = {
  table: 'record_writes',
  id: 'id',
  at: 'created_at',
  leastDays: 1,
  isOfSpaces: true,
};

/** Records the writes of runs, in the same transaction. Manual writes have no cause. */
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
}
