import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { EVERYTHING } from '@switchyard/kernel';
import { LayoutCache } from '../db/layout-cache';
import { RecordsRepository } from '../db/records.repository';
import type { FoundPage, StoredRecord } from '../db/sql/record-reads';
import type { Layout } from '../domain/table-layout';
import { readSort } from '../domain/sort-order';
import { textFrames } from '../domain/split-text';

const MAX_ROWS = 1000;

interface ExportPage extends FoundPage {
  /** The fields that have a default. */
  withDefault: string[];
}

/** Reads a dataset page by page, so that neither its size nor a slow reader holds a transaction or memory. */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly records: RecordsRepository,
  ) {}

  async *lines(ctx: Ctx, datasetId: string): AsyncGenerator<string> {
    let last: string | null = null;
    for (;;) {
      const page: ExportPage = await this.page(ctx, datasetId, last);
      yield* textFrames(page.records.map((record) => lineOf(record, page.withDefault)).join(''));
      if (!page.hasMore || ctx.signal.aborted) return;
      last = page.records.at(-1)?.['id'] as string;
    }
  }

  private page(ctx: Ctx, datasetId: string, after: string | null): Promise<ExportPage> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const layout: Layout = await this.layoutCache.get(tx, spaceId, datasetId);
      const order = readSort(layout, [{ field: 'id', direction: 'asc' }]);
      const path = after === null ? null : [after];
      const page = await this.records.page(tx, layout, spaceId, {
        ids: null,
        filter: EVERYTHING,
        order,
        after: path,
        offset: 0,
        limit: MAX_ROWS,
        fields: null,
      });
      const withDefault = layout.columns.filter(({ field }) => field.default !== undefined);
      return { ...page, withDefault: withDefault.map(({ name }) => name) };
    });
  }
}

/** A record that is older than a field with a default lacks it: without a word an import would give it the default. */
function lineOf(record: StoredRecord, withDefault: readonly string[]): string {
  const lacking = withDefault.filter((name) => !Object.hasOwn(record, name));
  const whole =
    lacking.length === 0 ? record : { ...record, ...Object.fromEntries(lacking.map((name) => [name, null])) };
  return `${JSON.stringify(whole)}\n`;
}
