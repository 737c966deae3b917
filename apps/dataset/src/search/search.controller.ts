import { Controller } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  type Items,
  type SearchHit,
  type SearchRecords,
  type SearchText,
  type TextHits,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { HybridSearchService } from './hybrid-search.service';
import { TextSearchService } from './text-search.service';
import { VectorSearchService } from './vector-search.service';

@Controller()
export class SearchController {
  constructor(
    private readonly vectors: VectorSearchService,
    private readonly texts: TextSearchService,
    private readonly hybrid: HybridSearchService,
  ) {}

  @Handles(DatasetCalls.search)
  search(data: SearchRecords, ctx: Ctx): Promise<Items<SearchHit>> {
    return this.vectors.search(ctx, data);
  }

  @Handles(DatasetCalls.fullTextSearch)
  fullTextSearch(data: SearchText, ctx: Ctx): Promise<TextHits> {
    return this.texts.search(ctx, data);
  }

  @Handles(DatasetCalls.hybridSearch)
  hybridSearch(data: SearchRecords, ctx: Ctx): Promise<Items<SearchHit>> {
    return this.hybrid.search(ctx, data);
  }
}
