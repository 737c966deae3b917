import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Database, type Tx, isStatementTimeout } from '@switchyard/database';
import { AppError, mergeFast } from '@switchyard/kernel';
import type { Layout } from '../domain/table-layout';
import { refuseIfGone } from './dataset.repository';
import { LayoutCache, VERSION_READ } from './layout-cache';
import type { SqlRow } from './sql/select-records-sql';
import type { Reading } from './sql/record-reads';

/** If the read got no connection in time or took too long, a repeat would only be refused later. */
const rethrowRefusal = (error: unknown): null => {
  const hadNoConnection = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && !error.cause;
  if (hadNoConnection || isStatementTimeout(error)) throw error;
  return null;
};

/**
 * Reads a dataset in one round trip: the read, built for the cached layout, then the version. If the version differs or
 * the read fails, it is repeated in a transaction with the current layout. The version is read last, so it includes
 * each change that the read has seen.
 */
@Injectable()
export class DatasetReader {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
  ) {}

  async read<T>(ctx: Ctx, datasetId: string, plan: (layout: Layout, spaceId: string) => Reading<T>): Promise<T> {
    const spaceId = requireSpace(ctx);
    const stored = this.layoutCache.peek(spaceId, datasetId);
    const quick =
      stored === undefined ? null : await this.readWithStoredLayout(ctx, stored, plan, spaceId).catch(rethrowRefusal);
    if (quick !== null) return quick.result;
    return this.database.transaction(ctx, async (tx) => this.readInTransaction(tx, spaceId, datasetId, plan));
  }

  private async readWithStoredLayout<T>(
    ctx: Ctx,
    layout: Layout,
    plan: (layout: Layout, spaceId: string) => Reading<T>,
    spaceId: string,
  ): Promise<{ result: T } | null> {
    const { reads, take, recordBytes } = plan(layout, spaceId);
    const rows = await this.database.read(ctx, [
      ...reads,
      mergeFast(VERSION_READ, { params: [spaceId, layout.datasetId] }),
    ]);
    const now = rows.pop()?.[0];
    const isSame = now?.['version'] === layout.version && now['hasPieces'] === layout.hasPieces;
    if (!isSame) return null;
    layout.largestRecord = now['largest'] as number;
    return layout.largestRecord <= (recordBytes ?? Infinity) ? { result: take(rows) } : null;
  }

  private async readInTransaction<T>(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    plan: (layout: Layout, spaceId: string) => Reading<T>,
  ): Promise<T> {
    // Bounded in any case: a large record may come between these statements.
    const layout = { ...(await this.layoutCache.get(tx, spaceId, datasetId)), largestRecord: Infinity };
    const { reads, take } = plan(layout, spaceId);
    const rows: SqlRow[][] = [];
    for (const read of reads) rows.push(await tx.query<SqlRow>(read.sql, read.params).catch(refuseIfGone));
    return take(rows);
  }
}
