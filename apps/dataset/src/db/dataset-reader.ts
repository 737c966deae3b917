import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { joined } from '@switchyard/kernel';
import type { Layout } from '../domain/layout';
import { refuseIfGone } from './dataset.repository';
import { Layouts, VERSION } from './layouts';
import type { SqlRow } from './sql/read-sql';
import type { Reading } from './sql/record-reads';

/**
 * Reads a dataset in one round trip: its version is asked for beside the read itself, which is written for the layout
 * that was known last. Should the dataset have changed, or the read fail, it is done again step by step.
 */
@Injectable()
export class DatasetReader {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
  ) {}

  async read<T>(ctx: Ctx, datasetId: string, plan: (layout: Layout, spaceId: string) => Reading<T>): Promise<T> {
    const spaceId = requireSpace(ctx);
    const kept = this.layouts.peek(spaceId, datasetId);
    const quick = kept === undefined ? null : await this.quickly(ctx, kept, plan, spaceId).catch(() => null);
    if (quick !== null) return quick.result;
    return this.database.transaction(ctx, async (tx) => this.inSteps(tx, spaceId, datasetId, plan));
  }

  private async quickly<T>(
    ctx: Ctx,
    layout: Layout,
    plan: (layout: Layout, spaceId: string) => Reading<T>,
    spaceId: string,
  ): Promise<{ result: T } | null> {
    const { reads, take } = plan(layout, spaceId);
    const [versions, ...rows] = await this.database.read(ctx, [
      joined(VERSION, { params: [spaceId, layout.datasetId] }),
      ...reads,
    ]);
    const now = versions?.[0];
    const isSame = now?.['version'] === layout.version && now['hasPieces'] === layout.hasPieces;
    return isSame ? { result: take(rows) } : null;
  }

  private async inSteps<T>(
    tx: Tx,
    spaceId: string,
    datasetId: string,
    plan: (layout: Layout, spaceId: string) => Reading<T>,
  ): Promise<T> {
    const { reads, take } = plan(await this.layouts.get(tx, spaceId, datasetId), spaceId);
    const rows: SqlRow[][] = [];
    for (const read of reads) rows.push(await tx.query<SqlRow>(read.sql, read.params).catch(refuseIfGone));
    return take(rows);
  }
}
