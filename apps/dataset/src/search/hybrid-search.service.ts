import { Injectable } from '@nestjs/common';
import { type Ctx, requireSpace, type SearchHits, type SearchRecords } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { invalid, parseFilter } from '@switchyard/kernel';
import { Layouts } from '../db/layouts';
import { TextSearchRepository } from '../db/text-search.repository';
import { fuseRanks } from '../domain/fuse-ranks';
import type { Layout } from '../domain/layout';
import { readFields } from '../domain/read-fields';
import { spacedQuery } from '../domain/spaceless';
import { VectorSearchService } from './vector-search.service';

const DEFAULT_TOP = 10;

/** Meaning and words together. A dataset that has only one of them is searched by that one. */
@Injectable()
export class HybridSearchService {
  constructor(
    private readonly database: Database,
    private readonly layouts: Layouts,
    private readonly texts: TextSearchRepository,
    private readonly vectors: VectorSearchService,
  ) {}

  async search(ctx: Ctx, request: SearchRecords): Promise<SearchHits> {
    const layout = await this.database.transaction(ctx, (tx) => this.layouts.get(tx, requireSpace(ctx), request.datasetId));
    if (layout.vector.length === 0 && layout.fullText.length === 0) {
      throw invalid('query', 'this dataset has no field with "vector" or "fullText": true to search in');
    }
    const topK = request.topK ?? DEFAULT_TOP;
    const depth = Math.min(100, Math.max(50, topK * 2));
    const [byMeaning, byWords] = await Promise.all([
      layout.vector.length === 0 ? [] : this.vectors.search(ctx, { ...request, topK: depth }).then((hits) => hits.items.map((hit) => hit.record)),
      layout.fullText.length === 0 ? [] : this.byWords(ctx, layout, request, depth),
    ]);
    const fused = fuseRanks([byMeaning, byWords], (record) => record['id'] as string, topK);
    return { items: fused.map(({ item, score }) => ({ record: item, score })) };
  }

  private byWords(ctx: Ctx, layout: Layout, request: SearchRecords, limit: number): Promise<Record<string, unknown>[]> {
    return this.database.transaction(ctx, async (tx) => {
      const found = await this.texts.search(tx, layout, requireSpace(ctx), {
        query: spacedQuery(request.query),
        columns: null,
        filter: parseFilter(request.filter, layout.types),
        fields: readFields(layout, request.fields),
        after: null,
        limit,
      });
      return found.map((hit) => hit.record);
    });
  }
}
