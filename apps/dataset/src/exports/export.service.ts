import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { EVERYTHING } from '@switchyard/kernel';
import { Layouts } from '../db/layouts';
import { RecordsRepository } from '../db/records.repository';
import type { FoundPage } from '../db/sql/record-reads';
import type { Layout } from '../domain/layout';
import { readSort } from '../domain/sort';
import { textFrames } from '../domain/text-frames';

const MOST_ROWS = 1000;

/** Reads a dataset page by page, so that neither its size nor a slow reader holds a transaction or memory. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly records: RecordsRepository,
  ) {}

  async *lines(ctx: Ctx, datasetId: string): AsyncGenerator<string> {
    let last: string | null = null;
    for (;;) {
      const page: FoundPage = await this.page(ctx, datasetId, last);
      yield* textFrames(page.records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      if (!page.hasMore || ctx.signal.aborted) return;
      last = page.records.at(-1)?.['id'] as string;
    }
  }

  private page(ctx: Ctx, datasetId: string, after: string | null): Promise<FoundPage> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const layout: Layout = await this.layouts.get(tx, spaceId, datasetId);
      const order = readSort(layout, [{ field: 'id', direction: 'asc' }]);
      const place = after === null ? null : [after];
      return this.records.page(tx, layout, spaceId, {
        ids: null,
        filter: EVERYTHING,
        order,
        after: place,
        offset: 0,
        limit: MOST_ROWS,
        fields: null,
      });
    });
  }
}
