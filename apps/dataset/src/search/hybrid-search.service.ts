import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type Items, type SearchHit, type SearchRecords } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { invalid, parseFilter } from '@switchyard/kernel';
import { DatasetReader } from '../db/dataset-reader';
import { LayoutCache } from '../db/layout-cache';
import { textReads } from '../db/sql/text-search-reads';
import { fuseRanks } from '../domain/fuse-ranks';
import { readFields } from '../domain/selected-fields';
import { spacedQuery } from '../domain/scripts-without-spaces';
import { webQuery } from '../domain/web-search-query';
import { VectorSearchService } from './vector-search.service';

const DEFAULT_TOP = 10;

/** Meaning and words together. A dataset that has only one of them is searched by that one. */
@Injectable()
export class HybridSearchService {
  constructor(
    private readonly database: Database,
    private readonly layoutCache: LayoutCache,
    private readonly reader: DatasetReader,
    private readonly vectors: VectorSearchService,
  ) {}

  async search(ctx: Ctx, request: SearchRecords): Promise<Items<SearchHit>> {
    const layout = await this.database.transaction(ctx, (tx) =>
      this.layoutCache.get(tx, requireSpace(ctx), request.datasetId),
    );
    if (layout.vector.length === 0 && layout.fullText.length === 0) {
      throw invalid('query', 'this dataset has no field with "vector" or "fullText": true to search in');
    }
    const topK = request.topK ?? DEFAULT_TOP;
    const depth = Math.min(100, Math.max(50, topK * 2));
    const [byMeaning, byWords] = await Promise.all([
      layout.vector.length === 0
        ? []
        : this.vectors
            .search(ctx, { ...request, minScore: undefined, topK: depth })
            .then((hits) => hits.items.map((hit) => hit.record)),
      layout.fullText.length === 0 ? [] : this.byWords(ctx, request, depth),
    ]);
    const fused = fuseRanks([byMeaning, byWords], (record) => record['id'] as string, topK);
    const least = request.minScore ?? -Infinity;
    const good = fused.filter(({ score }) => score >= least);
    return { items: good.map(({ item, score }) => ({ record: item, score })) };
  }

  private async byWords(ctx: Ctx, request: SearchRecords, limit: number): Promise<Record<string, unknown>[]> {
    const found = await this.reader.read(ctx, request.datasetId, (layout, spaceId) =>
      textReads(layout, spaceId, {
        query: webQuery(spacedQuery(request.query)),
        columns: null,
        filter: parseFilter(request.filter, layout.types),
        fields: readFields(layout, request.fields),
        after: null,
        limit,
      }),
    );
    return found.hits.map((hit) => hit.record);
  }
}
