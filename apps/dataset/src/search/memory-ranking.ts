import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHit } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { isEverything } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { RecordRepository } from '../db/record.repository';
import { matchingReads } from '../db/sql/record-reads';
import type { Column } from '../domain/layout';
import { cosineScore } from '../domain/score';
import type { Scored } from '../vectors/vector-index';
import { VectorIndexes } from '../vectors/vector-indexes';
import { type Asked, MOST_SCORED, SPARE } from './ranking';

/** The nearest records by the index in this process. */
@Injectable()
export class MemoryRanking {
  constructor(
    private readonly database: Database,
    private readonly records: RecordRepository,
    private readonly reader: DatasetReader,
    private readonly indexes: VectorIndexes,
  ) {}

  /**
   * The nearest of all, looked at through the filter. Filtering keeps the order, so enough survivors are exactly the
   * nearest of those that fulfil it; with too few, all that fulfil it are scored.
   */
  async nearest(ctx: Ctx, asked: Asked, column: Column, query: Float32Array): Promise<SearchHit[]> {
    const { layout, topK } = asked;
    await this.indexes.refresh(ctx, layout.datasetId);
    const wide = isEverything(asked.filter) ? topK + SPARE : Math.max(topK * 8, 128);
    const near = await this.indexes.search(ctx, layout.datasetId, column.number, query, wide);
    const found = await this.show(ctx, asked, near);
    const last = cosineScore(near.at(-1)?.score ?? -1);
    if (found.length >= topK || near.length < wide || last < asked.minScore || isEverything(asked.filter)) return found;
    const ids = await this.database.transaction(ctx, (tx) =>
      this.records.idsOf(tx, layout, requireSpace(ctx), asked.filter, MOST_SCORED),
    );
    const scored = await this.indexes.searchAmong(layout.datasetId, column.number, query, ids, topK + SPARE);
    return this.show(ctx, asked, scored);
  }

  /** The records behind scored ids, best first: only those that are there, and fulfil the filter, right now. */
  private async show(ctx: Ctx, asked: Asked, scored: readonly Scored[]): Promise<SearchHit[]> {
    const good = scored
      .map((hit) => ({ id: hit.id, score: cosineScore(hit.score) }))
      .filter((hit) => hit.score >= asked.minScore);
    if (good.length === 0) return [];
    const ids = good.map((hit) => hit.id);
    const rows = await this.reader.read(ctx, asked.layout.datasetId, (layout, spaceId) =>
      matchingReads(layout, spaceId, { ids, filter: asked.filter }, asked.fields),
    );
    const records = new Map(rows.map((record) => [record['id'], record]));
    return good
      .flatMap((hit) => {
        const record = records.get(hit.id);
        return record === undefined ? [] : [{ record, score: hit.score }];
      })
      .slice(0, asked.topK);
  }
}
