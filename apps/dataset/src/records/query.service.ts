import { Injectable } from '@nestjs/common';
import type { CountRecords, Ctx, QueryRecords, RecordPage } from '@switchyard/contracts';
import { invalid, parseFilter } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { countReads, type FoundPage, mapped, pageReads } from '../db/sql/record-reads';
import type { Layout } from '../domain/table-layout';
import { readFields } from '../domain/selected-fields';
import { readCursor, readSort, writeCursor } from '../domain/sort-order';

const DEFAULT_LIMIT = 50;

@Injectable()
export class QueryService {
  constructor(private readonly reader: DatasetReader) {}

  query(ctx: Ctx, request: QueryRecords): Promise<RecordPage> {
    if (request.cursor !== undefined && request.offset !== undefined)
      throw invalid('offset', 'cannot be used together with cursor');
    return this.reader.read(ctx, request.datasetId, (layout, spaceId) => {
      const page = pageOf(layout, request);
      return mapped(pageReads(layout, spaceId, page), (found) => shownPage(page, found));
    });
  }

  async count(ctx: Ctx, request: CountRecords): Promise<{ count: number }> {
    const count = await this.reader.read(ctx, request.datasetId, (layout, spaceId) =>
      countReads(layout, spaceId, parseFilter(request.filter, layout.types)),
    );
    return { count };
  }
}

function shownPage(page: ReturnType<typeof pageOf>, { records, hasMore }: FoundPage): RecordPage {
  const last = records.at(-1);
  return {
    items: records.map((record) => page.show(record)),
    nextCursor: hasMore && last !== undefined ? writeCursor(page.order, last) : null,
  };
}

function pageOf(layout: Layout, request: QueryRecords) {
  const order = readSort(layout, request.sort);
  const requested = readFields(layout, request.fields);
  // The cursor needs the sorted fields, also where the caller did not ask for them.
  const fields = requested === null ? null : new Set([...requested, ...order.map((key) => key.column.name)]);
  const extra = fields === null ? [] : [...fields].filter((name) => name !== 'id' && !requested?.has(name));
  return {
    ids: request.ids ?? null,
    filter: parseFilter(request.filter, layout.types),
    order,
    after: request.cursor === undefined ? null : readCursor(order, request.cursor),
    offset: request.offset ?? 0,
    limit: request.limit ?? Math.max(DEFAULT_LIMIT, request.ids?.length ?? 0),
    fields,
    show: (record: Record<string, unknown>): Record<string, unknown> =>
      extra.length === 0
        ? record
        : Object.fromEntries(Object.entries(record).filter(([name]) => !extra.includes(name))),
  };
}
