import { Injectable } from '@nestjs/common';
import { type CountRecords, type Ctx, type QueryRecords, type RecordPage, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { invalid, isEverything, parseFilter } from '@switchyard/kernel';
import { Layouts } from '../db/layouts';
import { RecordRepository } from '../db/record.repository';
import type { Layout } from '../domain/layout';
import { readCursor, readSort, writeCursor } from '../domain/sort';
import { readFields } from '../domain/read-fields';

const DEFAULT_LIMIT = 50;

@Injectable()
export class QueryService {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly records: RecordRepository,
  ) {}

  query(ctx: Ctx, request: QueryRecords): Promise<RecordPage> {
    const spaceId = requireSpace(ctx);
    if (request.cursor !== undefined && request.offset !== undefined) throw invalid('offset', 'cannot be used together with cursor');
    return this.database.transaction(ctx, async (tx) => {
      const layout = await this.layouts.get(tx, spaceId, request.datasetId);
      const page = pageOf(layout, request);
      const found = await this.records.page(tx, layout, spaceId, { ...page, limit: page.limit + 1 });
      const items = found.slice(0, page.limit);
      const last = items.at(-1);
      const hasMore = found.length > page.limit && last !== undefined;
      const nextCursor = hasMore ? writeCursor(page.order, last) : null;
      return { items: items.map((record) => page.show(record)), nextCursor };
    });
  }

  count(ctx: Ctx, request: CountRecords): Promise<{ count: number }> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const layout = await this.layouts.get(tx, spaceId, request.datasetId);
      const filter = parseFilter(request.filter, layout.types);
      const count = isEverything(filter)
        ? await this.records.countAll(tx, layout, spaceId)
        : await this.records.count(tx, layout, spaceId, filter);
      return { count };
    });
  }
}

function pageOf(layout: Layout, request: QueryRecords) {
  const order = readSort(layout, request.sort);
  const wanted = readFields(layout, request.fields);
  // The cursor needs the sorted fields, also where the caller did not ask for them.
  const fields = wanted === null ? null : new Set([...wanted, ...order.map((key) => key.column.name)]);
  const extra = fields === null ? [] : [...fields].filter((name) => name !== 'id' && !wanted?.has(name));
  return {
    ids: request.ids ?? null,
    filter: parseFilter(request.filter, layout.types),
    order,
    after: request.cursor === undefined ? null : readCursor(order, request.cursor),
    offset: request.offset ?? 0,
    limit: request.limit ?? Math.max(DEFAULT_LIMIT, request.ids?.length ?? 0),
    fields,
    show: (record: Record<string, unknown>): Record<string, unknown> =>
      extra.length === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !extra.includes(name))),
  };
}
