import { Injectable } from '@nestjs/common';
import { type Ctx, DatasetEvents, requireSpace, type WriteOperation, type WrittenRow } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { splitChangeEvents } from '../domain/split-change-events';

/** Tells watchers of a dataset what was written, in the transaction that writes it. */
@Injectable()
export class ChangePublisher {
  async announce(
    tx: Tx,
    ctx: Ctx,
    datasetId: string,
    operation: WriteOperation,
    rows: readonly WrittenRow[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const parts = splitChangeEvents(rows);
    // The row lock lasts until the commit: announcements of one dataset get their numbers in the order of its commits.
    const counted = await tx.one<{ announced: number }>(
      'update datasets set announced = announced + $3 where space_id = $1 and id = $2 returning announced',
      [requireSpace(ctx), datasetId, parts.length],
    );
    const first = (counted?.announced ?? parts.length) - parts.length + 1;
    for (const [index, part] of parts.entries()) {
      const data = { datasetId, version: first + index, operation, rows: part };
      await tx.announce(DatasetEvents.recordsWritten, ctx, data, { orderKey: datasetId });
    }
  }
}
