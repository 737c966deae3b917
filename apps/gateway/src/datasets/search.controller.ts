import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  type Ctx,
  DatasetCalls,
  listOf,
  pageOf,
  RecordSearch,
  SearchHit,
  TextHit,
  TextSearch,
} from '@switchyard/contracts';
import type { ErrorCode } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { ok, page } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

const DEFAULT_LIMIT = 50;
const EMBEDDING: ErrorCode[] = [
  'NOT_FOUND',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'RUNTIME_UNAVAILABLE',
];

@Controller('api/datasets/:datasetId/data')
export class SearchController {
  constructor(private readonly bus: Bus) {}

  @Post('search')
  @Endpoint({
    summary: 'Find records by the meaning of a text',
    scope: 'datasets:read',
    reply: listOf(SearchHit),
    errors: EMBEDDING,
  })
  async search(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordSearch) {
    const { items } = await this.bus.call(DatasetCalls.search, ctx, { ...body, datasetId });
    return ok('Records by similarity.', items);
  }

  @Post('full-text-search')
  @Endpoint({
    summary: 'Find records by their words',
    scope: 'datasets:read',
    reply: pageOf(TextHit),
    errors: ['NOT_FOUND'],
  })
  async fullText(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: TextSearch) {
    return page(
      'Records by rank.',
      await this.bus.call(DatasetCalls.fullTextSearch, ctx, { ...body, datasetId }),
      body.limit ?? DEFAULT_LIMIT,
    );
  }

  @Post('hybrid-search')
  @Endpoint({
    summary: 'Find records by meaning and words together',
    scope: 'datasets:read',
    reply: listOf(SearchHit),
    errors: EMBEDDING,
  })
  async hybrid(@Caller() ctx: Ctx, @Param('datasetId', IdPipe) datasetId: string, @Body() body: RecordSearch) {
    const { items } = await this.bus.call(DatasetCalls.hybridSearch, ctx, { ...body, datasetId });
    return ok('Records by meaning and words.', items);
  }
}
