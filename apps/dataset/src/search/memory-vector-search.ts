import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHit } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { isEverything } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { RecordsRepository } from '../db/records.repository';
import { rankedReads } from '../db/sql/record-reads';
import type { Column } from '../domain/table-layout';
import { cosineScore } from '../domain/cosine-score';
import { Best, type Scored } from '../vectors/nearest-vectors';
import { VectorIndexLoader } from '../vectors/vector-index-loader';
import type { VectorSearcher } from '../vectors/vector-searcher';
import { type VectorSearch, MAX_SCORED, SPARE } from './vector-search-request';

const IDS_AT_ONCE = 5000;

/** The nearest records by the index in this process. */
@Injectable()
export class MemoryVectorSearch {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly reader: DatasetReader,
    private readonly indexes: VectorIndexLoader,
  ) {}

  /**
   * The nearest of all, looked at through the filter. Filtering keeps the order, so enough survivors are exactly the
   * nearest of those that fulfil it; with too few, all that fulfil it are scored.
   */
  async nearest(ctx: Ctx, request: VectorSearch, column: Column, query: Float32Array): Promise<SearchHit[]> {
    const vectors = await this.indexes.open(ctx, request.layout.datasetId);
    try {
      return await this.nearestIn(vectors, ctx, request, column, query);
    } finally {
      vectors.release();
    }
  }

  private async nearestIn(
    vectors: VectorSearcher,
    ctx: Ctx,
    request: VectorSearch,
    column: Column,
    query: Float32Array,
  ): Promise<SearchHit[]> {
    const { topK } = request;
    const wide = isEverything(request.filter) ? topK + SPARE : Math.max(topK * 8, 128);
    const near = await vectors.nearest(column.number, query, wide);
    const found = await this.show(ctx, request, near);
    const last = cosineScore(near.at(-1)?.score ?? -1);
    if (found.length >= topK || near.length < wide || last < request.minScore || isEverything(request.filter))
      return found;
    return this.show(ctx, request, await this.nearestOfMatching(vectors, ctx, request, column, query));
  }

  /** Everything that fulfils the filter is scored, in pages. */
  private async nearestOfMatching(
    vectors: VectorSearcher,
    ctx: Ctx,
    request: VectorSearch,
    column: Column,
    query: Float32Array,
  ): Promise<Scored[]> {
    const count = request.topK + SPARE;
    const best = new Best(count);
    let after: string | null = null;
    for (let seen = 0; seen < MAX_SCORED; seen += IDS_AT_ONCE) {
      const from: string | null = after;
      const ids: string[] = await this.database.transaction(ctx, (tx) =>
        this.records.idsOf(tx, request.layout, requireSpace(ctx), request.filter, { after: from, limit: IDS_AT_ONCE }),
      );
      best.offerAll(await vectors.among(column.number, query, ids, count));
      after = ids.at(-1) ?? null;
      if (ids.length < IDS_AT_ONCE) break;
    }
    return best.sorted();
  }

  /** The records behind scored ids, best first: only those that are there, and fulfil the filter, right now. */
  private async show(ctx: Ctx, request: VectorSearch, scored: readonly Scored[]): Promise<SearchHit[]> {
    const good = scored
      .map((hit) => ({ id: hit.id, score: cosineScore(hit.score) }))
      .filter((hit) => hit.score >= request.minScore);
    if (good.length === 0) return [];
    const ids = good.map((hit) => hit.id);
    const rows = await this.reader.read(ctx, request.layout.datasetId, (layout, spaceId) =>
      rankedReads(layout, spaceId, { ids, filter: request.filter, fields: request.fields }),
    );
    const records = new Map(rows.map((record) => [record['id'], record]));
    return good
      .flatMap((hit) => {
        const record = records.get(hit.id);
        return record === undefined ? [] : [{ record, score: hit.score }];
      })
      .slice(0, request.topK);
  }
}
